import type { TakenNodes } from '../flows/graph/taken-nodes.ts'
import type { StepStatus } from './step-record.ts'

/** Where runs of one trigger begin. It is worked out once per version, and each run takes a copy. */
interface Start {
  /** `skipped` for the nodes that the run does not take, else `queued`. */
  readonly statuses: readonly StepStatus[]
  /** Per step, how many steps that wires come from are to be settled first. */
  readonly open: readonly number[]
  /** How many steps the run takes. */
  readonly left: number
  /** The steps that begin it, in the order of the plan. */
  readonly ready: readonly number[]
}

export interface Starts {
  readonly of: ReadonlyMap<string, Start>
  /** For a trigger that the flow does not have: the whole flow where it has none at all, else nothing. */
  readonly otherwise: Start
}

/** A node of a plan, as far as it matters here. */
interface Numbered {
  readonly index: number
  readonly id: string
  /** The nodes that a wire comes from. */
  readonly sources: readonly number[]
}

/** R2: which nodes the runs of each trigger take. */
export function startsOf(nodes: readonly Numbered[], taken: TakenNodes): Starts {
  const otherwise = startWith(nodes, () => taken.size === 0)
  const starts = new Map(
    [...taken].map(([trigger, ids]) => [trigger, startWith(nodes, ({ id }) => ids.has(id))])
  )
  const byApi = starts.get('api') ?? starts.get(apiTrigger(taken) ?? '') ?? otherwise
  // A flow that another one runs begins where one does that is run by API.
  for (const trigger of ['api', 'run-flow']) if (!starts.has(trigger)) starts.set(trigger, byApi)
  return { of: starts, otherwise }
}

/** A run by API stands for one of the Webhook, else of the Chat Input, else of whatever trigger there is. */
function apiTrigger(taken: TakenNodes): string | undefined {
  return ['webhook', 'chat'].find((trigger) => taken.has(trigger)) ?? taken.keys().next().value
}

function startWith(nodes: readonly Numbered[], isTaken: (node: Numbered) => boolean): Start {
  const takes = nodes.map(isTaken)
  const open = nodes.map(({ index, sources }) =>
    takes[index] ? sources.filter((source) => takes[source]).length : 0
  )
  const steps = nodes.filter(({ index }) => takes[index])
  return {
    statuses: takes.map((isTaken) => (isTaken ? 'queued' : 'skipped')),
    open,
    left: steps.length,
    ready: steps.filter(({ index }) => open[index] === 0).map(({ index }) => index)
  }
}
