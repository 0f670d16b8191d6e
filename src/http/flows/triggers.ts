import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../../flows/catalogue.ts'
import { Type } from '../../flows/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { timeText } from '../../runs/present-run.ts'
import type { TriggerStore } from '../../store/triggers.ts'
import { triggerNodesOf } from '../../triggers/trigger-nodes.ts'
import { visibleFlow } from '../access/access.ts'
import { IdParams, Nullable, Time } from '../schemas.ts'

const Trigger = Type.Object({
  node: Type.String(),
  trigger: Type.String({ description: 'What its runs tell that they were started by' }),
  status: Type.Enum(['running', 'failing', 'stopped'], {
    description:
      'It fails when it could not be started, and is tried again; it is stopped while its flow is paused'
  }),
  error: Nullable(
    Type.Object({ message: Type.String(), at: Time }, { description: 'Why it is failing, and since when' })
  )
})

export interface TriggerRoutesDeps {
  readonly library: FlowLibrary
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly triggers: Pick<TriggerStore, 'list'>
}

/** What starts a flow by itself, and whether it works. */
export function triggerRoute(
  app: FastifyInstance,
  { library, catalogue, triggers }: TriggerRoutesDeps
): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/triggers',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Flows'],
        summary: 'Read how the triggers of a flow are',
        description:
          'Those of the live version that start runs by themselves. A Webhook and a Chat Input start none.',
        params: IdParams,
        response: { 200: Type.Object({ triggers: Type.Array(Trigger) }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const stored = await triggers.list(flow.id)
      const faults = new Map(stored.map(({ node, fault }) => [node, fault]))
      const shown = triggerNodesOf(flow, catalogue).map(({ node, component }) => {
        const fault = flow.paused === null ? (faults.get(node.id) ?? null) : null
        const working = flow.paused === null ? 'running' : 'stopped'
        return {
          node: node.id,
          trigger: component.trigger,
          status: fault === null ? working : 'failing',
          error: fault && { message: fault.message, at: timeText(fault.at) }
        }
      })
      return { triggers: shown }
    }
  )
}
