import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionModels } from '../../connections/models/connection-models.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type AskedContextDeps, askedContext } from '../contexts/asked-context.ts'

const ModelsQuery = Type.Object({
  context: Type.Optional(Type.String({ description: 'Path of a context; the root where it is left out' })),
  connection: Type.String({ minLength: 1, description: 'Its name, as flows of the context use it' })
})
type ModelsQuery = Static<typeof ModelsQuery>

const Models = Type.Object({
  models: Type.Array(
    Type.Object({ name: Type.String({ description: 'As the field `model` of a node takes it' }) })
  )
})

interface ConnectionModelsRouteDeps extends AskedContextDeps {
  readonly models: ConnectionModels
}

/** For those who may save a flow there, and could ask any of the models with it: their names, and nothing else. */
export function connectionModelRoutes(app: FastifyInstance, deps: ConnectionModelsRouteDeps): void {
  app.get<{ Querystring: ModelsQuery }>(
    '/api/v1/connections/models',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Connections'],
        operationId: 'listModels',
        summary: 'The language models that a flow in a context can name',
        refuses: ['context_not_found', 'connection_not_found', 'connection_invalid', 'models_unreadable'],
        description: 'As the provider lists them, up to a minute ago.',
        querystring: ModelsQuery,
        response: { 200: Models }
      }
    },
    async (request) => {
      const context = askedContext(request, deps)
      const names = await deps.models.list(context, request.query.connection)
      return { models: names.map((name) => ({ name })) }
    }
  )
}
