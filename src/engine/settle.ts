import type { RunTrigger } from '../flows/component.ts'
import type { Plan, PlannedNode } from './plan.ts'
import type { StepStatus } from './step-record.ts'

/**
 * The rules of a run. They decide only; whoever runs steps asks them what comes next. Tests cite the numbers.
 *
 * R1  A step is ready when every step that a wire comes from is settled, and at least one of them succeeded;
 *     a step without wires is ready at once.
 * R2  A run takes the nodes that its trigger reaches, and those without a trigger of their own that lead to them; every
 *     other is skipped. A flow without any trigger runs whole. A run by API starts at the Webhook, else at the Chat Input,
 *     else at whatever trigger there is.
 * R3  A step is skipped when every step that a wire comes from was skipped.
 * R4  When a step fails, no further step starts. Steps in flight are let come to their end, one that waits for
 *     its next attempt is `cancelled`, and what was neither run nor skipped is `not reached`. The run fails and names the step that failed first.
 * R5  A failed attempt that may be repeated makes the step wait, not fail; the run goes on around it.
 * R6  Cancelling ends the run at once: steps in flight or waiting are `cancelled`, the rest is `not reached`.
 * R7  The run succeeds when every step succeeded or was skipped.
 * R8  A settled step never changes again, so a step that is recorded as done is never run a second time.
 * R9  Once a run is over it stays over: what a late step brings is dropped.
 */

export type EndStatus = 'succeeded' | 'failed' | 'cancelled'

/** Where a run stands. `settle` is the only thing that moves it. */
export interface Standing {
  readonly plan: Plan
  readonly statuses: StepStatus[]
  /** Per step, how many steps that wires come from are not settled. */
  readonly open: number[]
  /** Steps that are not settled. */
  left: number
  /** The step that failed first. */
  failed: number | undefined
}

export interface Decision {
  /** Steps to start, in the order of the plan. */
  readonly ready: readonly number[]
  /** The run is over. */
  readonly end: EndStatus | undefined
}

/** The standing of a new run, and the steps that begin it. */
export function begin(plan: Plan, trigger: RunTrigger): { standing: Standing; ready: number[] } {
  const { statuses, open, left, ready } = plan.starts.of.get(trigger) ?? plan.starts.otherwise
  const standing: Standing = { plan, statuses: statuses.slice(), open: open.slice(), left, failed: undefined }
  return { standing, ready: ready.slice() }
}

export type Settled = Extract<StepStatus, 'succeeded' | 'failed'>

/** A step has come to its end. */
export function settle(standing: Standing, index: number, status: Settled): Decision {
  const ready: number[] = []
  // R8 and R9: it decides nothing any more.
  if (isSettled(standing.statuses[index]!)) return { ready, end: undefined }
  mark(standing, index, status, ready)
  if (status === 'failed' && standing.failed === undefined) standing.failed = index
  return { ready: standing.failed === undefined ? ready.sort(ascending) : [], end: endOf(standing) }
}

/** R6: whatever has not come to its end never will. */
export function cancel(standing: Standing): void {
  standing.statuses.forEach((status, index) => {
    if (status === 'in progress' || status === 'waiting') standing.statuses[index] = 'cancelled'
  })
  markNotReached(standing)
}

/** R4: steps that were never started, once no step is in flight any more. */
export function markNotReached(standing: Standing): void {
  standing.statuses.forEach((status, index) => {
    if (status === 'queued') standing.statuses[index] = 'not reached'
    if (status === 'waiting') standing.statuses[index] = 'cancelled'
  })
  standing.left = 0
}

function endOf(standing: Standing): EndStatus | undefined {
  if (standing.failed !== undefined) return inFlight(standing) ? undefined : 'failed'
  return standing.left === 0 ? 'succeeded' : undefined
}

function inFlight(standing: Standing): boolean {
  return standing.statuses.includes('in progress')
}

/** Settles a step and, with it, every step that is thereby skipped. A list of work, not recursion: chains are long. */
function mark(standing: Standing, index: number, status: Settled | 'skipped', ready: number[]): void {
  const { plan, statuses, open } = standing
  const skipped: number[] = []
  statuses[index] = status
  for (let at: number | undefined = index; at !== undefined; at = skipped.pop()) {
    standing.left--
    for (const dependent of plan.nodes[at]!.dependents) {
      // Of a step that the run does not take it is 0 from the start.
      if (--open[dependent]! !== 0) continue
      if (isReady(standing, plan.nodes[dependent]!)) {
        ready.push(dependent)
      } else {
        statuses[dependent] = 'skipped'
        skipped.push(dependent)
      }
    }
  }
}

/** R1 and R3: all that leads to the node is settled, so it is either ready or skipped. */
function isReady(standing: Standing, node: PlannedNode): boolean {
  return node.sources.some((source) => standing.statuses[source] !== 'skipped')
}

function isSettled(status: StepStatus): boolean {
  return status !== 'queued' && status !== 'in progress' && status !== 'waiting'
}

function ascending(a: number, b: number): number {
  return a - b
}
