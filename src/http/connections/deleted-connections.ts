import type { FastifyInstance } from 'fastify'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { connectionNotFound } from '../../connections/connection-refusals.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { actorOf } from '../access/access.ts'
import { IdParams, nothing } from '../schemas.ts'
import { administers } from './administered.ts'

const tags = ['Connections']

const Deleted = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  context: Type.String(),
  deleted_at: Time,
  deleted_by: Nullable(Type.String({ description: 'The name of the key that deleted it' }))
})

/** Connections that were deleted, and how they come back. */
export function deletedConnectionRoutes(
  app: FastifyInstance,
  { connections }: { readonly connections: ConnectionLibrary }
): void {
  app.get(
    '/api/v1/connections/deleted',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        operationId: 'listDeletedConnections',
        summary: 'List the connections that were deleted',
        description: 'Newest first. They go for good after 30 days.',
        response: { 200: Type.Object({ connections: Type.Array(Deleted) }) }
      }
    },
    async (request) => {
      const removed = (await connections.removed()).filter(({ context }) =>
        administers(actorOf(request), context)
      )
      return {
        connections: removed.map(({ id, name, kind, context, deletedAt, deletedBy }) => ({
          ...{ id, name, kind, context },
          deleted_at: timeText(deletedAt),
          deleted_by: deletedBy
        }))
      }
    }
  )

  app.post<{ Params: { id: string } }>(
    '/api/v1/connections/:id/undelete',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        operationId: 'undeleteConnection',
        summary: 'Bring a deleted connection back',
        refuses: ['connection_not_found', 'connection_exists', 'connection_conflict', 'context_not_found'],
        description:
          'As it was, with its secrets and its document. One that signs in by OAuth has to sign in again. 409 where another connection has its name meanwhile.',
        params: IdParams,
        response: { 204: nothing('It is there again') }
      }
    },
    async (request, reply) => {
      const removed = (await connections.removed()).find(({ id }) => id === request.params.id)
      if (removed === undefined || !administers(actorOf(request), removed.context)) throw connectionNotFound()
      await connections.undelete(removed)
      return reply.code(204).send()
    }
  )
}
