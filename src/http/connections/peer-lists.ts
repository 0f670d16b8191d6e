import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionTables } from '../../connections/connection-tables.ts'
import type { ConnectionModels } from '../../connections/models/connection-models.ts'
import type { OfferedModel } from '../../connections/models/list-models.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type AskedContextDeps, askedContext, ContextQuery } from '../contexts/asked-context.ts'

const ConnectionQuery = Type.Object({
  ...ContextQuery.properties,
  connection: Type.String({ minLength: 1, description: 'Its name, as flows of the context use it' })
})
type ConnectionQuery = Static<typeof ConnectionQuery>

const Tables = Type.Object({
  tables: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As a query names it' }),
      columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() }))
    })
  ),
  truncated: Type.Boolean({ description: 'There are more than 5,000 columns, and the rest is left out' })
})

const Models = Type.Object({
  models: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As the field `model` of a node takes it' }),
      can: Type.Optional(
        Type.Array(Type.String(), {
          description: 'With `all`: text, images, tools, embeddings and others, as far as the provider tells'
        })
      ),
      context_tokens: Type.Optional(
        count({ description: 'With `all`: so much goes into one question, where the provider tells' })
      )
    })
  )
})

const ModelsQuery = Type.Object({
  ...ConnectionQuery.properties,
  all: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Those that answer in something else than text, too, and what each can do'
    })
  )
})
type ModelsQuery = Static<typeof ModelsQuery>

interface PeerListDeps extends AskedContextDeps {
  readonly tables: ConnectionTables
  readonly models: ConnectionModels
}

/** For those who may save a flow there, and could ask the same with it: names, and nothing else. */
export function peerListRoutes(app: FastifyInstance, deps: PeerListDeps): void {
  const refuses = ['context_not_found', 'connection_not_found', 'connection_invalid'] as const

  app.get<{ Querystring: ConnectionQuery }>(
    '/api/v1/connections/tables',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Connections'],
        operationId: 'listTables',
        summary: 'The tables and columns of a database that a flow in a context can name',
        refuses: [...refuses, 'tables_unreadable'],
        querystring: ConnectionQuery,
        response: { 200: Tables }
      }
    },
    async (request) => {
      const { tables, isCut } = await deps.tables.list(askedContext(request, deps), request.query.connection)
      return { tables: tables.map((table) => ({ ...table, columns: [...table.columns] })), truncated: isCut }
    }
  )

  app.get<{ Querystring: ModelsQuery }>(
    '/api/v1/connections/models',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Connections'],
        operationId: 'listModels',
        summary: 'The language models that a flow in a context can name',
        refuses: [...refuses, 'models_unreadable'],
        description:
          'As the provider lists them, up to a minute ago. With `all=true` each says what it can do.',
        querystring: ModelsQuery,
        response: { 200: Models }
      }
    },
    async (request) => {
      const { connection, all } = request.query
      const models = await deps.models.list(askedContext(request, deps), connection)
      if (all !== 'true')
        return { models: models.filter(({ writesText }) => writesText).map(({ name }) => ({ name })) }
      return { models: models.map(presentModel) }
    }
  )
}

function presentModel({ name, can, contextTokens }: OfferedModel) {
  return {
    name,
    ...(can.length > 0 && { can: [...can] }),
    ...(contextTokens !== undefined && { context_tokens: contextTokens })
  }
}
