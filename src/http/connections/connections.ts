import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Connection } from '../../connections/connection.ts'
import type { WantedConnection } from '../../connections/connection-change.ts'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { CONNECTION_NAME } from '../../connections/connection-name.ts'
import { CONNECTION_KINDS } from '../../connections/kinds/kinds.ts'
import type { ConnectionTrials } from '../../connections/trial/connection-trials.ts'
import { MillraceError } from '../../errors.ts'
import { CONTEXT_PATH } from '../../flows/document/flow-document.ts'
import { amount } from '../../flows/json/bounded-numbers.ts'
import { Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { seesAll } from '../../keys/rights.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { actorOf } from '../access/access.ts'
import { describedAs } from '../operations/described-schema.ts'
import { CONNECTION_BODY } from '../requests/body-limits.ts'
import { IdParams, nothing } from '../schemas.ts'
import { administers, visibleConnection } from './administered.ts'

const tags = ['Connections']

/** What a secret reads as, and what leaves it as it is when it is sent back. */
const SET = 'set'

const WantedBody = Type.Object(
  {
    name: Type.String({
      pattern: CONNECTION_NAME,
      description: 'Nodes refer to it by this name; letters, digits, spaces and - _ .'
    }),
    kind: describedAs(Type.String(), { enum: Object.keys(CONNECTION_KINDS) }),
    context: Type.Optional(
      Type.String({ pattern: CONTEXT_PATH, default: '/', description: 'Where it lives' })
    ),
    settings: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'GET /api/v1/connections/kinds has a JSON Schema of them for each kind'
      })
    ),
    secrets: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String({ minLength: 1, maxLength: 20_000 }), Type.Null()]),
        {
          description:
            'They go in and never come out. "set", or leaving one out, keeps it; null takes it away'
        }
      )
    )
  },
  // A connection as it was read may be sent back: what only the service writes is passed over.
  { additionalProperties: true }
)

export const ConnectionBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  context: Type.String(),
  settings: Type.Record(Type.String(), Type.Unknown()),
  secrets: Type.Record(Type.String(), Type.Literal(SET)),
  trusted: Type.Boolean({
    description: 'Steps may reach its address in any network, since somebody with admin for the root wrote it'
  }),
  created_at: Time,
  updated_at: Time
})

export const TrialBody = Type.Object({
  ok: Type.Boolean(),
  message: Type.String({ description: 'What was found, or what is wrong and what to do' }),
  took_ms: amount()
})

type WantedBody = Static<typeof WantedBody>

interface ConnectionRoutesDeps {
  readonly connections: ConnectionLibrary
  readonly trials: ConnectionTrials
  readonly prefix: string
}

const config = { access: 'admin' } as const
const bodyLimit = CONNECTION_BODY

/** Connections: addresses with what it takes to get in. No answer ever holds a secret. */
export function connectionRoutes(app: FastifyInstance, deps: ConnectionRoutesDeps): void {
  listConnectionsRoute(app, deps)
  createConnectionRoute(app, deps)
  readConnectionRoute(app, deps)
  changeConnectionRoute(app, deps)
  testConnectionRoute(app, deps)
  deleteConnectionRoute(app, deps)
}

function listConnectionsRoute(app: FastifyInstance, { connections }: ConnectionRoutesDeps): void {
  app.get(
    '/api/v1/connections',
    {
      config,
      schema: {
        tags,
        operationId: 'listConnections',
        summary: 'List connections',
        response: { 200: Type.Object({ connections: Type.Array(ConnectionBody) }) }
      }
    },
    async (request) => {
      const mine = connections.list().filter(({ context }) => administers(actorOf(request), context))
      return { connections: mine.map(presentConnection) }
    }
  )
}

function createConnectionRoute(app: FastifyInstance, { connections, prefix }: ConnectionRoutesDeps): void {
  app.post<{ Body: WantedBody }>(
    '/api/v1/connections',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: 'createConnection',
        summary: 'Make a connection',
        refuses: [
          'connection_invalid',
          'connection_exists',
          'context_not_found',
          'secret_key_missing',
          'secret_needed_again'
        ],
        body: WantedBody,
        response: { 201: ConnectionBody }
      }
    },
    async (request, reply) => {
      const wanted = readWanted(request.body)
      assertAdministers(request, wanted.context)
      const made = await connections.create(wanted, writerOf(request))
      return reply
        .code(201)
        .header('location', `${prefix}/api/v1/connections/${made.id}`)
        .send(presentConnection(made))
    }
  )
}

function readConnectionRoute(app: FastifyInstance, { connections }: ConnectionRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/connections/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'readConnection',
        summary: 'Read a connection',
        refuses: ['connection_not_found'],
        params: IdParams,
        response: { 200: ConnectionBody }
      }
    },
    async (request) => presentConnection(visibleConnection(request, connections))
  )
}

function changeConnectionRoute(app: FastifyInstance, { connections }: ConnectionRoutesDeps): void {
  app.put<{ Params: { id: string }; Body: WantedBody }>(
    '/api/v1/connections/:id',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        operationId: 'changeConnection',
        summary: 'Change a connection',
        refuses: [
          'connection_not_found',
          'connection_invalid',
          'connection_exists',
          'connection_conflict',
          'context_not_found',
          'secret_key_missing',
          'secret_needed_again',
          'secret_unreadable'
        ],
        description: 'A secret that is left out, or sent as the "set" that was read, stays as it is.',
        params: IdParams,
        body: WantedBody,
        response: { 200: ConnectionBody }
      }
    },
    async (request) => {
      const before = visibleConnection(request, connections)
      const wanted = readWanted({ context: before.context, ...request.body })
      assertAdministers(request, wanted.context)
      const removed = Object.entries(request.body.secrets ?? {}).flatMap(([name, value]) =>
        value === null ? [name] : []
      )
      return presentConnection(await connections.change(before.id, { ...wanted, removed }, writerOf(request)))
    }
  )
}

function testConnectionRoute(app: FastifyInstance, { connections, trials }: ConnectionRoutesDeps): void {
  app.post<{ Params: { id: string } }>(
    '/api/v1/connections/:id/test',
    {
      config,
      schema: {
        tags,
        operationId: 'testConnection',
        summary: 'Try a connection',
        refuses: ['connection_not_found'],
        description:
          'Reaches it as a step would, and sends nothing that has an effect. Takes at most 10 seconds.',
        params: IdParams,
        response: { 200: TrialBody }
      }
    },
    async (request) => {
      const { ok, message, tookMs } = await trials.try(visibleConnection(request, connections))
      return { ok, message, took_ms: Math.round(tookMs * 10) / 10 }
    }
  )
}

function deleteConnectionRoute(app: FastifyInstance, { connections }: ConnectionRoutesDeps): void {
  app.delete<{ Params: { id: string } }>(
    '/api/v1/connections/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteConnection',
        summary: 'Delete a connection',
        refuses: ['connection_not_found'],
        description: 'It can be brought back for 30 days, with its secrets and its document.',
        params: IdParams,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      await connections.remove(visibleConnection(request, connections).id, actorOf(request).name)
      return reply.code(204).send()
    }
  )
}

function assertAdministers(request: FastifyRequest, context: string): void {
  if (administers(actorOf(request), context)) return
  const { name, context: bound } = actorOf(request)
  const where = bound === null ? 'one flow' : `the context ${bound}`
  throw new MillraceError(
    'forbidden',
    `The key "${name}" is bound to ${where}, and cannot manage connections of ${context}.`
  )
}

function writerOf(request: FastifyRequest) {
  return { mayTrust: seesAll(actorOf(request)) }
}

function readWanted({
  name,
  kind,
  context = '/',
  settings = {},
  secrets = {}
}: WantedBody): WantedConnection {
  const given = Object.entries(secrets).flatMap(([secret, value]) =>
    value === null || value === SET ? [] : [[secret, value] as const]
  )
  return { name, kind, context, settings, secrets: Object.fromEntries(given) }
}

function presentConnection(connection: Connection): Static<typeof ConnectionBody> {
  const { id, name, kind, context, settings, secrets, isTrusted, createdAt, updatedAt } = connection
  return {
    id,
    name,
    kind,
    context,
    settings: { ...settings },
    secrets: Object.fromEntries(Object.keys(secrets).map((secret) => [secret, SET])),
    trusted: isTrusted,
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt)
  }
}
