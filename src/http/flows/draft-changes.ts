import type { FastifyInstance } from 'fastify'
import { nodeChangesInWords } from '../../flows/describe-changes.ts'
import { Type } from '../../flows/schema-builder.ts'
import type { DraftReview } from '../../library/draft-review.ts'
import type { RunStore } from '../../store/store.ts'
import { visibleFlow } from '../access/access.ts'
import { Fault, IdParams, Nullable } from '../schemas.ts'
import type { DraftRoutesDeps } from './drafts.ts'
import { knownTo } from './flow-access.ts'

export interface DraftChangesDeps extends DraftRoutesDeps {
  readonly runStore: Pick<RunStore, 'list'>
}

/** Nobody counts more runs than this before they publish. */
const MOST_RUNS = 100

const Texts = Type.Array(Type.String())

const DraftChanges = Type.Object({
  revision: Type.Integer(),
  base_version: Type.Integer(),
  live_version: Type.Integer(),
  behind: Type.Boolean({ description: 'A newer version is live, and it would take the place of that one' }),
  summary: Nullable(Type.String({ description: 'What is different, in a few words; null where nothing is' })),
  nodes: Type.Array(
    Type.Object({
      kind: Type.Enum(['added', 'removed', 'changed']),
      node: Type.String(),
      type: Type.String(),
      title: Type.String(),
      fields: Type.Array(Type.String(), { description: 'Fields and members that have another value' }),
      text: Type.String({ description: 'The same in words' })
    })
  ),
  wires: Type.Object({ added: Texts, removed: Texts }),
  members: Type.Array(Type.String(), { description: 'Of the document itself, such as name and slug' }),
  notes: Type.Integer({ description: 'So many notes are different' }),
  moved: Type.Integer({ description: 'So many nodes and notes only stand elsewhere' }),
  callers: Type.Array(Type.Object({ code: Type.String(), message: Type.String() }), {
    description: 'What it does to callers: address, guard, payload, limits, context, chat turns'
  }),
  errors: Type.Array(Fault, { description: 'What keeps it from being published' }),
  warnings: Type.Array(Fault, { description: 'What is probably not meant' }),
  open_runs: Type.Integer({
    maximum: MOST_RUNS,
    description: `Runs that finish on the version that they began with; ${MOST_RUNS} are ${MOST_RUNS} or more`
  })
})

/** What publishing would do, before somebody does it. */
export function draftChangesRoute(app: FastifyInstance, deps: DraftChangesDeps): void {
  const { library, drafts, runStore } = deps
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/draft/changes',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Drafts'],
        summary: 'What publishing the draft would do',
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
    errors,
    warnings
  }
}
