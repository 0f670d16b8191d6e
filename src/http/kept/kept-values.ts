import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { MillraceError } from '../../errors.ts'
import { LONGEST_MS } from '../../flows/duration.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { isPlainObject, type JsonValue, parseJson } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { coversContext } from '../../keys/rights.ts'
import { type KeptLibrary, LARGEST_VALUE, LONGEST_KEY } from '../../runs/kept/kept-library.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { KeptSummary } from '../../store/kept-values.ts'
import { actorOf, mayRead } from '../access/access.ts'
import { noContext } from '../contexts/asked-context.ts'
import { describedAs } from '../operations/described-schema.ts'
import { KEPT_BODY } from '../requests/body-limits.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { nothing, notShown } from '../schemas.ts'

const tags = ['Kept values']

const Place = Type.Object({
  context: Type.Optional(Type.String({ description: 'Path of a context; the root where it is left out' }))
})
const ListQuery = Type.Object({
  ...Place.properties,
  prefix: Type.Optional(Type.String({ maxLength: LONGEST_KEY, description: 'What keys begin with' })),
  after: Type.Optional(Type.String({ maxLength: LONGEST_KEY, description: '`next` of the page before' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))
})
/** In the query and not in the path: a key may hold slashes, which proxies read as they like, and may be long. */
const OneQuery = Type.Object({
  ...Place.properties,
  key: describedAs(Type.String(), { minLength: 1, maxLength: LONGEST_KEY })
})

const Times = { updated_at: Time, expires_at: Nullable(Time) }
const ValueBody = Type.Object({
  context: Type.String(),
  key: Type.String(),
  value: Type.Unknown(),
  ...Times
})
const SummaryBody = Type.Object({
  context: Type.String(),
  key: Type.String(),
  value_start: Type.String({ description: 'The first 200 characters of the value as JSON' }),
  value_length: count({ description: 'How many there are' }),
  ...Times
})
const Sent = Type.Object(
  {
    value: Type.Unknown({ description: `Any JSON of at most ${LARGEST_VALUE / 1024} kB` }),
    expires_in_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LONGEST_MS,
        description: 'How long it is kept; until it is deleted where it is left out'
      })
    )
  },
  { additionalProperties: false }
)

interface KeptRoutesDeps {
  readonly kept: KeptLibrary
  readonly tree: Pick<ContextTree, 'has'>
}

type OneRequest = FastifyRequest<{ Querystring: Static<typeof OneQuery> }>

/** What flows keep for later runs, for people to read and to mend. */
export function keptValueRoutes(app: FastifyInstance, deps: KeptRoutesDeps): void {
  listKeptValuesRoute(app, deps)
  withExactJson(app, (scope) => {
    readKeptValueRoute(scope, deps)
    keepValueRoute(scope, deps)
  })
  deleteKeptValueRoute(app, deps)
}

function listKeptValuesRoute(app: FastifyInstance, deps: KeptRoutesDeps): void {
  const { kept } = deps
  app.get<{ Querystring: Static<typeof ListQuery> }>(
    '/api/v1/kept',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listKeptValues',
        summary: 'List the values that the flows of a context keep',
        refuses: ['context_not_found'],
        description: 'In the order of their keys. Those whose time is over are left out.',
        querystring: ListQuery,
        response: {
          200: Type.Object({ values: Type.Array(SummaryBody), next: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      const { prefix, after, limit = 50 } = request.query
      const question = { ...(prefix !== undefined && { prefix }), ...(after !== undefined && { after }) }
      const { values, next } = await kept.list({ context: contextOf(request, deps), ...question, limit })
      return { values: values.map(presentSummary), next }
    }
  )
}

function readKeptValueRoute(app: FastifyInstance, deps: KeptRoutesDeps): void {
  app.get<{ Querystring: Static<typeof OneQuery> }>(
    '/api/v1/kept/value',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readKeptValue',
        summary: 'Read a kept value',
        refuses: ['context_not_found', 'kept_value_not_found', 'kept_value_invalid'],
        querystring: OneQuery,
        response: { 200: ValueBody }
      }
    },
    (request) => readValue(request, deps)
  )
}

function keepValueRoute(app: FastifyInstance, deps: KeptRoutesDeps): void {
  const { kept } = deps
  app.put<{ Querystring: Static<typeof OneQuery>; Body: unknown }>(
    '/api/v1/kept/value',
    {
      config: { access: 'write', takes: { body: Sent } },
      bodyLimit: KEPT_BODY,
      schema: {
        tags,
        operationId: 'keepValue',
        summary: 'Keep a value',
        refuses: ['context_not_found', 'kept_value_invalid'],
        description: 'In the place of what was kept under the key.',
        querystring: OneQuery,
        response: { 200: ValueBody, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { value, expires_in_ms } = readSent(request.body)
      const time = expires_in_ms === undefined ? {} : { expiresInMs: expires_in_ms }
      const context = contextOf(request, deps)
      const { key } = request.query
      const times = await kept.keep(context, key, { value, ...time })
      return mayRead(request) ? { context, key, value, ...timesOf(times) } : reply.code(204).send()
    }
  )
}

function deleteKeptValueRoute(app: FastifyInstance, deps: KeptRoutesDeps): void {
  const { kept } = deps
  app.delete<{ Querystring: Static<typeof OneQuery> }>(
    '/api/v1/kept/value',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'deleteKeptValue',
        summary: 'Delete a kept value',
        refuses: ['context_not_found', 'kept_value_not_found', 'kept_value_invalid'],
        querystring: OneQuery,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      const context = contextOf(request, deps)
      const { key } = request.query
      if ((await kept.change(context, key, { kind: 'remove' })) === null) throw notFound(context, key)
      return reply.code(204).send()
    }
  )
}

function contextOf(request: FastifyRequest, { tree }: KeptRoutesDeps): string {
  const { context = '/' } = request.query as Static<typeof Place>
  if (!tree.has(context) || !coversContext(actorOf(request), context)) throw noContext(context)
  return context
}

async function readValue(request: OneRequest, deps: KeptRoutesDeps): Promise<Static<typeof ValueBody>> {
  const context = contextOf(request, deps)
  const { key } = request.query
  const found = await deps.kept.get(context, key)
  if (found === undefined) throw notFound(context, key)
  const { value, updatedAt, expiresAt } = found
  return { context, key, value: parseJson(value), ...timesOf({ updatedAt, expiresAt }) }
}

function readSent(body: unknown): { value: JsonValue; expires_in_ms?: number } {
  if (isPlainObject(body) && Object.hasOwn(body, 'value')) {
    const { value, expires_in_ms: time, ...others } = body
    const isTime = time === undefined || isWithin(time)
    if (isTime && Object.keys(others).length === 0)
      return { value: value!, ...(time !== undefined && { expires_in_ms: time as number }) }
  }
  throw new MillraceError(
    'invalid_request',
    `Send {"value": …}, and "expires_in_ms" with a whole number from 1 to ${LONGEST_MS} (ten years) where it is kept for a time.`
  )
}

function isWithin(time: unknown): boolean {
  return Number.isInteger(time) && (time as number) > 0 && (time as number) <= LONGEST_MS
}

function timesOf({ updatedAt, expiresAt }: Pick<KeptSummary, 'updatedAt' | 'expiresAt'>) {
  return { updated_at: timeText(updatedAt), expires_at: expiresAt === null ? null : timeText(expiresAt) }
}

function presentSummary(summary: KeptSummary): Static<typeof SummaryBody> {
  const { context, key, valueStart, valueLength } = summary
  return { context, key, value_start: valueStart, value_length: valueLength, ...timesOf(summary) }
}

function notFound(context: string, key: string): MillraceError {
  return new MillraceError(
    'kept_value_not_found',
    `Nothing is kept under "${key.slice(0, 100)}" in ${context}. GET /api/v1/kept?context=… lists what is.`
  )
}
