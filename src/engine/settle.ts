import type { RunTrigger } from '../flows/component/component.ts'
import type { Plan, PlannedNode } from './plan.ts'
import type { Outputs, StepRecord, StepStatus } from './step-record.ts'

/**
 * The rules of a run. They decide only; whoever runs steps asks them what comes next. Tests cite the numbers.
 *
 * R1  A wire carries what its output was given. An output that is not returned, or as undefined, is silent: its wires
 *     carry nothing, nor do those of a skipped step; null is a value. A step without wires is ready at once; any other
 *     when every step that a wire comes from is settled and at least one of its wires carries a value. An input takes
 *     the value of the first of its wires, in the order of the document, that carries one; one of tools the list of all.
 *     Tools are there in every run: where other wires lead to a step, too, theirs alone do not make it ready. Else an
 *     agent would act in a branch that was not taken.
 * R2  A run takes the nodes that its trigger reaches, and those without a trigger of their own that lead to them; every
 *     other is skipped. A flow without any trigger runs whole. A run by API starts at the Webhook, else at the Chat Input,
 *     else at whatever trigger there is.
 * R3  A step is skipped when every step that a wire comes from is settled and none of its wires carries a value.
 * R4  When a step fails, no further step starts. Steps in flight are let come to their end, one that waits for
 *     its next attempt is `cancelled`, and what was neither run nor skipped is `not reached`. The run fails and names the step that failed first.
 * R5  A failed attempt that may be repeated makes the step wait, not fail; the run goes on around it.
 * R6  Cancelling ends the run at once: steps in flight or waiting are `cancelled`, the rest is `not reached`.
 * R7  The run succeeds when every step succeeded, was skipped, or failed with its error led on.
 * R8  A settled step never changes again, so a step that is recorded as done is never run a second time.
 * R9  Once a run is over it stays over: what a late step brings is dropped.
 * R10 Where a node says so, the failure of its last attempt is led on: the step has failed, what went wrong leaves by the
 *     output `error`, its other outputs are silent, and the run goes on. Its record has outputs; that of any other
 *     failed step has none.
 * R11 A disabled step is not run. What reaches its first input leaves by its first output where the types fit, and then
 *     it has succeeded; otherwise it is skipped.
 * R12 A pinned step, which only a test has, is not run either. When it would be, what was pinned leaves it.
 * R13 A step may wait: for a time, a call, an answer, or its children. The run goes on around it. What ends the wait ends it
 *     once, and then the step is resumed. A run that only waits leaves memory until then.
 */

export type EndStatus = 'succeeded' | 'failed' | 'cancelled'

/** Where a run stands. `settle` is the only thing that moves it. */
export interface Standing {
  readonly plan: Plan
  readonly statuses: StepStatus[]
  /** Per step, what it put out; null or absent where nothing leaves it. */
  readonly outputs: (Outputs | null | undefined)[]
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
  const standing: Standing = {
    plan,
    statuses: statuses.slice(),
    outputs: new Array(statuses.length),
    open: open.slice(),
    left,
    failed: undefined
  }
  return { standing, ready: ready.slice() }
}

/** How a step has come to its end. */
export interface Settled {
  readonly status: Extract<StepStatus, 'succeeded' | 'failed' | 'skipped'>
  readonly outputs: Outputs | null
}

/** R4: whether it fails the run. */
export function failsRun({ status, outputs }: Pick<StepRecord, 'status' | 'outputs'>): boolean {
  return status === 'failed' && outputs === null
}

/** R10: whether it failed and the run went on. */
export function isLedOn({ status, outputs }: Pick<StepRecord, 'status' | 'outputs'>): boolean {
  return status === 'failed' && outputs !== null
}

/** A step has come to its end. */
export function settle(standing: Standing, index: number, settled: Settled): Decision {
  const ready: number[] = []
  // R8 and R9: it decides nothing any more.
  if (isSettled(standing.statuses[index]!)) return { ready, end: undefined }
  if (failsRun(settled)) {
    // R4: what it leads to is not reached, whatever else leads there.
    standing.statuses[index] = 'failed'
    standing.left--
    standing.failed ??= index
  } else {
    standing.outputs[index] = settled.outputs
    mark(standing, index, settled.status, ready)
  }
  if (ready.length > 1) ready.sort(ascending)
  return { ready: standing.failed === undefined ? ready : [], end: endOf(standing) }
}

/** R1: the value on a wire from this output; undefined where it carries nothing. */
export function carried(outputs: Outputs | null | undefined, port: string): unknown {
  const value = outputs?.[port]
  // Ports may be named like members that every object has.
  return value !== undefined && Object.hasOwn(outputs!, port) ? value : undefined
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
function mark(standing: Standing, index: number, status: Settled['status'], ready: number[]): void {
  const { plan, statuses, open } = standing
  const skipped: number[] = []
  statuses[index] = status
  for (let at: number | undefined = index; at !== undefined; at = skipped.pop()) {
    standing.left--
    for (const dependent of plan.nodes[at]!.dependents) {
      // Of a step that the run does not take it is 0 from the start. One that is recorded as done may come before a
      // disabled one that leads to it: passing that by is not recorded.
      if (--open[dependent]! !== 0 || statuses[dependent] !== 'queued') continue
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
function isReady({ outputs }: Standing, { inputs }: PlannedNode): boolean {
  let hasToolsAlone = true
  for (const { from, fromPort, isOneOfAll } of inputs) {
    if (isOneOfAll === true) continue
    if (carried(outputs[from], fromPort) !== undefined) return true
    hasToolsAlone = false
  }
  return hasToolsAlone && inputs.some(({ from, fromPort }) => carried(outputs[from], fromPort) !== undefined)
}

export function isSettled(status: StepStatus): boolean {
  return status !== 'queued' && status !== 'in progress' && status !== 'waiting'
}

function ascending(a: number, b: number): number {
  return a - b
}
