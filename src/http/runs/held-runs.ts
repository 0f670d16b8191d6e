import type { FastifyInstance } from 'fastify'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { RunStore } from '../../store/store.ts'
import { visibleFlows } from '../access/access.ts'

interface HeldRunsDeps {
  readonly library: FlowLibrary
  readonly runStore: Pick<RunStore, 'countPaused'>
}

const HeldRuns = Type.Object({
  flows: Type.Array(
    Type.Object({
      flow_id: Type.String(),
      held: count({ description: 'Runs that begin when the flow is resumed' })
    }),
    { description: 'One entry for each flow that is paused' }
  )
})

/** How much waits for flows to be resumed. */
export function heldRunsRoute(app: FastifyInstance, { library, runStore }: HeldRunsDeps): void {
  app.get(
    '/api/v1/runs/held',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Runs'],
        operationId: 'countHeldRuns',
        summary: 'How many runs wait for their flows to be resumed',
        response: { 200: HeldRuns }
      }
    },
    async (request) => {
      const paused = visibleFlows(request, library).filter((flow) => flow.paused !== null)
      if (paused.length === 0) return { flows: [] }
      const held = await runStore.countPaused(paused.map(({ id }) => id))
      return { flows: paused.map(({ id }) => ({ flow_id: id, held: held.get(id) ?? 0 })) }
    }
  )
}
