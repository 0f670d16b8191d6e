import type { FastifyInstance } from 'fastify'
import { nodeChangesInWords } from '../../flows/document/describe-changes.ts'
import { toldFaults } from '../../flows/validate/told-faults.ts'
import type { DraftReview } from '../../library/draft-review.ts'
import type { RunStore } from '../../store/store.ts'
import { visibleFlow } from '../access/access.ts'
import { IdParams } from '../schemas.ts'
import { DraftChanges, MOST_RUNS } from './draft-changes-schema.ts'
import type { DraftRoutesDeps } from './drafts.ts'
import { knownTo } from './flow-access.ts'

interface DraftChangesDeps extends DraftRoutesDeps {
  readonly runStore: Pick<RunStore, 'list'>
}

/** What publishing would do, before somebody does it. */
export function draftChangesRoute(app: FastifyInstance, deps: DraftChangesDeps): void {
  const { library, drafts, runStore } = deps
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/draft/changes',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Drafts'],
        operationId: 'compareDraft',
        summary: 'What publishing the draft would do',
        refuses: ['flow_not_found', 'draft_not_found'],
        description: 'Compared with what is live. Values of fields are not in it.',
        params: IdParams,
        response: { 200: DraftChanges }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const review = await drafts.review(flow, knownTo(request, library))
      const open = { flowIds: [flow.id], status: 'open', isTest: false, limit: MOST_RUNS } as const
      return { ...presentReview(review), open_runs: (await runStore.list(open)).runs.length }
    }
  )
}

function presentReview({ draft, comparison, summary, callers, errors, warnings }: DraftReview) {
  const { flow, revision, baseVersion } = draft
  const { nodes, wires, members, notes, moved } = comparison
  const texts = nodeChangesInWords(nodes)
  return {
    revision,
    base_version: baseVersion,
    live_version: flow.version,
    behind: baseVersion < flow.version,
    summary,
    nodes: nodes.map((change, index) => ({ ...change, text: texts[index]! })),
    wires,
    members,
    notes,
    moved,
    callers,
    errors: toldFaults(errors),
    warnings: toldFaults(warnings)
  }
}
