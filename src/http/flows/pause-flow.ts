import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { Flow, IdParams, notShown } from '../schemas.ts'
import { showFlow } from './present-flow.ts'

const tags = ['Flows']

const Mode = Type.Object(
  {
    mode: Type.Enum(['hold', 'refuse'], {
      description:
        'What becomes of requests meanwhile: they are accepted and run after resume, in order; or refused with 503, flow_paused'
    })
  },
  { additionalProperties: false }
)

/** A paused flow begins no run until it is resumed; those that have begun go on. */
export function pauseRoutes(app: FastifyInstance, library: FlowLibrary): void {
  app.post<{ Params: { id: string }; Body: Static<typeof Mode> }>(
    '/api/v1/flows/:id/pause',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'pauseFlow',
        summary: 'Pause a flow',
        refuses: ['flow_not_found'],
        description:
          'No run of it begins until it is resumed; those that have begun go on. Send it again with the other mode to change the mode.',
        params: IdParams,
        body: Mode,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { id } = visibleFlow(request, library, request.params.id)
      const { mode } = request.body
      return showFlow(reply, await library.setPaused(id, { mode, by: actorOf(request).name }))
    }
  )

  app.post<{ Params: { id: string } }>(
    '/api/v1/flows/:id/resume',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'resumeFlow',
        summary: 'Resume a paused flow',
        refuses: ['flow_not_found'],
        description:
          'What was held begins, in the order of arrival. A flow that is not paused stays as it is.',
        params: IdParams,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { id } = visibleFlow(request, library, request.params.id)
      return showFlow(reply, await library.setPaused(id, null))
    }
  )
}
