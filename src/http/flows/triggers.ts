import type { FastifyInstance } from 'fastify'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { TriggerStore } from '../../store/triggers.ts'
import { visibleFlow } from '../access/access.ts'
import { IdParams } from '../schemas.ts'
import { Trigger, triggerStandings } from './trigger-standing.ts'

interface TriggerRoutesDeps {
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
        operationId: 'listTriggers',
        summary: 'Read the state of the triggers of a flow',
        refuses: ['flow_not_found'],
        description:
          'Those of the live version that start runs by themselves. A Webhook and a Chat Input start none.',
        params: IdParams,
        response: { 200: Type.Object({ triggers: Type.Array(Trigger) }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const stored = await triggers.list(flow.id)
      return { triggers: triggerStandings(flow, stored, catalogue) }
    }
  )
}
