import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Connection } from '../../connections/connection.ts'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { connectionNotFound } from '../../connections/connection-refusals.ts'
import {
  type ConnectionDocuments,
  documentNotFound
} from '../../connections/documents/connection-documents.ts'
import { seenFrom } from '../../connections/seen-connections.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { ApiOperation } from '../../flows/step/api-operation.ts'
import { knowsContext } from '../access/access.ts'
import { type AskedContextDeps, askedContext, ContextQuery } from '../contexts/asked-context.ts'
import { IdParams } from '../schemas.ts'

const tags = ['Connections']

const Found = {
  id: Type.String({ description: 'What the field `operation` takes: its operationId, or `GET /path`' }),
  method: Type.String(),
  path: Type.String(),
  title: Type.String({ description: 'What it does' })
}

const Schema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A JSON Schema without references, in short; `any_of` lists what it may be'
})

const Parameter = Type.Object({
  name: Type.String(),
  sent_as: Type.Optional(Type.String({ description: 'Its name in a request, where two have the same' })),
  in: Type.Enum(['path', 'query', 'header', 'cookie']),
  required: Type.Boolean(),
  type: Nullable(Type.String()),
  description: Type.String(),
  style: Type.String(),
  explode: Type.Boolean(),
  schema: Schema
})

const Operation = Type.Object({
  ...Found,
  description: Type.String(),
  deprecated: Type.Boolean(),
  parameters: Type.Array(Parameter),
  body: Nullable(
    Type.Object({
      required: Type.Boolean(),
      content_type: Type.String(),
      description: Type.String(),
      schema: Schema
    })
  )
})

const DEFAULT_LIMIT = 50
const MOST = 200

const asked = {
  q: Type.Optional(Type.String({ maxLength: 300, description: 'What it is to do, in words' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, default: DEFAULT_LIMIT }))
}

const OperationQuery = Type.Object({
  ...asked,
  operation: Type.Optional(
    Type.String({ maxLength: 2_100, description: 'This one alone, by its id or as `GET /path`' })
  ),
  cursor: Type.Optional(
    Type.String({ pattern: '^\\d{1,6}$', description: '`next_cursor` of the page before' })
  )
})

const FindQuery = Type.Object({ ...ContextQuery.properties, ...asked })

interface OperationRoutesDeps extends AskedContextDeps {
  readonly connections: ConnectionLibrary
  readonly apiDocuments: ConnectionDocuments
}

/** What the documents of connections offer, for whoever builds a flow that can name the connection. */
export function operationRoutes(app: FastifyInstance, deps: OperationRoutesDeps): void {
  listOperationsRoute(app, deps)
  findOperationsRoute(app, deps)
}

function listOperationsRoute(app: FastifyInstance, deps: OperationRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof OperationQuery> }>(
    '/api/v1/connections/:id/operations',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listOperations',
        summary: 'What the API of a connection offers',
        refuses: ['connection_not_found', 'document_not_found'],
        description: 'By its document; what fits the words best comes first.',
        params: IdParams,
        querystring: OperationQuery,
        response: {
          200: Type.Object({ operations: Type.Array(Operation), next_cursor: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      const connection = nameableConnection(request, deps)
      if (deps.apiDocuments.of(connection) === undefined) throw documentNotFound(connection.name)
      const { operations, next } = await readPage(connection, request.query, deps.apiDocuments)
      return { operations: operations.map(presentOperation), next_cursor: next }
    }
  )
}

/** Flows that the caller reads can name it; the same answer where there is none. */
function nameableConnection(
  request: FastifyRequest<{ Params: { id: string } }>,
  { connections, library }: OperationRoutesDeps
): Connection {
  const found = connections.find(request.params.id)
  if (found === undefined || !knowsContext(request, library, found.context)) throw connectionNotFound()
  return found
}

/** A page of them is so long in characters, and one operation at the least. */
const PAGE_CHARACTERS = 1024 ** 2

interface Page {
  readonly operations: readonly ApiOperation[]
  readonly next: string | null
}

async function readPage(
  connection: Connection,
  { q = '', limit = DEFAULT_LIMIT, operation, cursor = '0' }: Static<typeof OperationQuery>,
  documents: ConnectionDocuments
): Promise<Page> {
  if (operation !== undefined) {
    const found = await documents.operation(connection, operation)
    return { operations: found === undefined ? [] : [found], next: null }
  }
  const found = await documents.search(connection, q)
  const operations: ApiOperation[] = []
  let [at, characters] = [Number(cursor), 0]
  for (; at < found.length && operations.length < limit && characters < PAGE_CHARACTERS; at++) {
    const read = await documents.operation(connection, found[at]!.id)
    if (read === undefined) continue
    operations.push(read)
    characters += JSON.stringify(read).length
  }
  return { operations, next: at < found.length ? String(at) : null }
}

function findOperationsRoute(app: FastifyInstance, deps: OperationRoutesDeps): void {
  const { connections, apiDocuments: documents } = deps
  app.get<{ Querystring: Static<typeof FindQuery> }>(
    '/api/v1/connections/operations',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'findOperations',
        summary: 'What the connections that a flow in a context can name offer',
        refuses: ['context_not_found'],
        description: 'Of each connection with a document, what fits the words best.',
        querystring: FindQuery,
        response: {
          200: Type.Object({
            operations: Type.Array(
              Type.Object({ connection: Type.String({ description: 'Its name' }), ...Found })
            )
          })
        }
      }
    },
    async (request) => {
      const { q = '', limit = DEFAULT_LIMIT } = request.query
      const seen = seenFrom(askedContext(request, deps), connections.list())
      const documented = seen.flatMap((one) =>
        documents.of(one.connection) === undefined ? [] : [one.connection]
      )
      const each = Math.max(1, Math.ceil(limit / Math.max(1, documented.length)))
      const operations = []
      for (const connection of documented.slice(0, limit)) {
        const found = await documents.search(connection, q)
        for (const { id, method, path, title } of found.slice(0, each))
          operations.push({ connection: connection.name, id, method, path, title })
      }
      return { operations: operations.slice(0, limit) }
    }
  )
}

function presentOperation(operation: ApiOperation): Static<typeof Operation> {
  const { id, method, path, title, description, deprecated = false, parameters, body } = operation
  return {
    id,
    method,
    path,
    title,
    description,
    deprecated,
    parameters: parameters.map(({ allow_reserved: _, schema, ...parameter }) => ({
      ...parameter,
      type: schema.type ?? null,
      schema: { ...schema }
    })),
    body:
      body === null
        ? null
        : {
            required: body.required,
            content_type: body.content_type,
            description: body.description,
            schema: { ...body.schema }
          }
  }
}
