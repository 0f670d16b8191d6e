import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { isWithin } from '../../contexts/context-path.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { canSee } from '../../keys/rights.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { FlowBin } from '../../runs/retention/flow-bin.ts'
import type { Runs } from '../../runs/runs.ts'
import type { TriggerStore } from '../../store/triggers.ts'
import { actorOf } from '../access/access.ts'
import { badCursor } from '../runs/run-query.ts'
import { ListedFlow } from '../schemas.ts'
import { knownTo, readableDocument } from './flow-access.ts'
import { type DeletedQuestion, listDeleted } from './list-deleted.ts'
import { presentFlow } from './present-flow.ts'
import { triggerStandings } from './trigger-standing.ts'

interface FlowListDeps {
  readonly library: FlowLibrary
  readonly drafts: Pick<Drafts, 'ofFlows' | 'faultsOf'>
  readonly runs: Pick<Runs, 'recent'>
  readonly bin: Pick<FlowBin, 'list'>
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly triggers: Pick<TriggerStore, 'list'>
}

/** The store remembers no more than this of each flow. */
const MOST_RECENT = 50
/** So large that a client that knows of no pages gets all flows of nearly every service. */
const MOST_FLOWS = 1_000
/** Of documents: a page of large flows is a short one. One flow is always in it. */
const MOST_CHARACTERS = 1024 * 1024

const Query = Type.Object({
  recent: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_RECENT,
      description: 'How many of the newest runs of each flow'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_FLOWS, description: `At most this many flows (${MOST_FLOWS})` })
  ),
  cursor: Type.Optional(Type.String({ description: 'The next_cursor of an earlier answer' })),
  drafts: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'With what is not published of each flow' })
  ),
  triggers: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'With the triggers of each flow that do not work' })
  ),
  deleted: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'The deleted ones instead, those that were deleted last first'
    })
  ),
  tag: Type.Optional(Type.String({ description: 'Only flows with this tag' })),
  context: Type.Optional(Type.String({ description: 'Only flows in this context or below it' }))
})

type Query = Static<typeof Query>

export function flowListRoute(app: FastifyInstance, deps: FlowListDeps): void {
  const { runs, catalogue } = deps
  app.get<{ Querystring: Query }>(
    '/api/v1/flows',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Flows'],
        operationId: 'listFlows',
        summary: 'List flows, oldest first',
        description:
          'Pages may be shorter than the limit where flows are large: where next_cursor is not null, there are more.',
        querystring: Query,
        response: {
          200: Type.Object({ flows: Type.Array(ListedFlow), next_cursor: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      if (request.query.deleted === 'true') return listDeleted(request, deletedQuestion(request.query), deps)
      const { page, next } = pageOf(request, deps.library)
      const { recent: limit } = request.query
      const recent =
        limit === undefined
          ? undefined
          : await runs.recent(
              page.map(({ id }) => id),
              limit
            )
      const drafts = request.query.drafts === 'true' ? await draftsOf(request, page, deps) : undefined
      const failing = request.query.triggers === 'true' ? await failingOf(deps) : undefined
      const flows = page.map((flow) => ({
        ...presentFlow(flow, readableDocument(request, flow.document, catalogue)),
        ...(recent === undefined ? {} : { recent_runs: recent.get(flow.id) ?? [] }),
        ...(drafts === undefined ? {} : { draft: drafts.get(flow.id) ?? null }),
        ...(failing === undefined ? {} : { failing_triggers: failing(flow) })
      }))
      return { flows, next_cursor: next }
    }
  )
}

/** Asked for once, of all flows: few triggers fail. */
async function failingOf({ triggers, catalogue }: FlowListDeps) {
  const faulty = (await triggers.list()).filter(({ fault }) => fault !== null)
  const flows = new Set(faulty.map(({ flowId }) => flowId))
  return (flow: LiveFlow) =>
    flows.has(flow.id)
      ? triggerStandings(flow, faulty, catalogue).flatMap(({ node, error }) =>
          error === null ? [] : [{ node, ...error }]
        )
      : []
}

interface DraftStanding {
  readonly revision: number
  readonly author: string | null
  readonly updated_at: string
  readonly faults: number
}

async function draftsOf(request: FastifyRequest, flows: readonly LiveFlow[], deps: FlowListDeps) {
  const knows = knownTo(request, deps.library)
  const drafts = await deps.drafts.ofFlows(flows)
  const presented = new Map<string, DraftStanding>()
  for (const [id, draft] of drafts) {
    const { revision, author, updatedAt } = draft
    const faults = (await deps.drafts.faultsOf(draft, knows)).length
    presented.set(id, { revision, author, updated_at: timeText(updatedAt), faults })
  }
  return presented
}

/** By id, which is the order in which flows were made: a save in between moves none to another page. */
function pageOf(
  request: FastifyRequest<{ Querystring: Query }>,
  library: Pick<FlowLibrary, 'after'>
): { page: LiveFlow[]; next: string | null } {
  const { limit = MOST_FLOWS, cursor = '' } = request.query
  const actor = actorOf(request)
  const matches = filterOf(request.query)
  const page: LiveFlow[] = []
  let characters = 0
  for (const flow of library.after(readCursor(cursor))) {
    if (!canSee(actor, flow) || !matches(flow)) continue
    characters += flow.size
    const isFull = page.length === limit || characters > MOST_CHARACTERS
    if (isFull && page.length > 0) return { page, next: page.at(-1)!.id }
    page.push(flow)
  }
  return { page, next: null }
}

function deletedQuestion(query: Query): DeletedQuestion {
  const { limit = MOST_FLOWS, cursor = '' } = query
  return { limit, cursor, mostCharacters: MOST_CHARACTERS, matches: filterOf(query) }
}

function filterOf({ tag, context }: Query): DeletedQuestion['matches'] {
  return (flow) =>
    (tag === undefined || flow.document.tags?.includes(tag) === true) &&
    (context === undefined || isWithin(flow.context, context))
}

function readCursor(cursor: string): string {
  if (cursor === '' || /^[0-9a-f-]{36}$/.test(cursor)) return cursor
  throw badCursor(cursor)
}
