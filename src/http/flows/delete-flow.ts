import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { canSee } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { FlowBin } from '../../runs/retention/flow-bin.ts'
import type { StoredFlow } from '../../store/store.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { Flow, IdParams, nothing, notShown } from '../schemas.ts'
import { makerOf } from './flow-access.ts'
import { showFlow } from './present-flow.ts'

interface DeleteRoutesDeps {
  readonly library: FlowLibrary
  readonly bin: FlowBin
}

const tags = ['Flows']

/** Deleting flows, taking that back, and deleting them for good. */
export function deleteRoutes(app: FastifyInstance, { library, bin }: DeleteRoutesDeps): void {
  app.delete<{ Params: { id: string }; Querystring: { permanent?: 'true' | 'false' } }>(
    '/api/v1/flows/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'deleteFlow',
        summary: 'Delete a flow',
        refuses: ['flow_not_found', 'flow_not_deleted', 'flow_from_file'],
        description:
          'Its webhook answers 404 at once; runs that were accepted finish. For 30 days it can be brought back. With permanent=true, a flow that is deleted goes for good, by its id: its versions, draft and aliases are deleted, and runs of it that have not ended are cancelled.',
        params: IdParams,
        querystring: Type.Object({
          permanent: Type.Optional(
            Type.Enum(['true', 'false'], { description: 'Deletes a deleted flow for good' })
          )
        }),
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      const { id } = request.params
      if (request.query.permanent === 'true') await bin.purge((await deletedFlow(request, library, id)).id)
      else {
        const { name } = actorOf(request)
        await library.remove(visibleFlow(request, library, id).id, { author: name })
      }
      return reply.code(204).send()
    }
  )

  app.post<{ Params: { id: string } }>(
    '/api/v1/flows/:id/undelete',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'undeleteFlow',
        summary: 'Restore a deleted flow',
        refuses: ['flow_not_found', 'flow_invalid', 'slug_taken'],
        description:
          'The flow is live again at the version that it had, by its id. One that is live stays as it is.',
        params: IdParams,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { id } = request.params
      if (library.find(id) !== undefined) return showFlow(reply, visibleFlow(request, library, id))
      await visibleDeleted(request, library, id)
      return showFlow(reply, await library.undelete(id, makerOf(request, library)))
    }
  )
}

/** A deleted flow that the caller may see, and that is to go for good. */
export async function deletedFlow(
  request: FastifyRequest,
  library: FlowLibrary,
  id: string
): Promise<StoredFlow> {
  if (library.find(id) === undefined) return visibleDeleted(request, library, id)
  const { slug } = visibleFlow(request, library, id)
  throw new MillraceError(
    'flow_not_deleted',
    `Flow "${slug}" is not deleted. Delete it first; it can then be brought back for 30 days, or deleted for good.`
  )
}

/** A deleted flow, if there is one and the caller may see it; the same answer in both other cases. */
export async function visibleDeleted(
  request: FastifyRequest,
  library: FlowLibrary,
  id: string
): Promise<StoredFlow> {
  const removed = await library.removed(id)
  if (removed === undefined || !canSee(actorOf(request), removed)) throw flowNotFound()
  return removed
}
