import type { RunTrigger } from '../flows/component/component.ts'
import type { Woken } from '../flows/step/step-wait.ts'
import type { JournalState, WaitingStep } from './journal.ts'
import { isPure, type Plan, type PlannedNode } from './plan.ts'
import { begin, carried, failsRun, type Settled, type Standing, settle } from './settle.ts'
import { StepError } from './step-error.ts'
import type { Outputs, RunFailure, StepRecord } from './step-record.ts'

/**
 * After so many deaths of the process in the middle of one step, the step is held to be the cause. A pure one is tried
 * alone after its first, and was in hand at a death before: two are proof. An external one may only have been near: before a
 * deadly pure step is found out, the process dies of it up to four times, and who stops a process may hit a long call as often.
 */
export const DEADLY_AFTER = { pure: 2, external: 6 } as const

function crashesProcess({ effects }: PlannedNode): StepError {
  return new StepError(
    `The process died ${DEADLY_AFTER[effects]} times in the middle of this step, so it is not tried again. ` +
      'Fix the component or its input, then retry the run.',
    { code: 'step_crashes_process', retryable: false }
  )
}

/** It was in hand when the process died, and the process before that died as well: who else? */
function killedProcess(): StepError {
  return new StepError(
    'The process died 3 times in a row, the last two times in the middle of this step, so it is not tried again. ' +
      'Fix the component or its input, then retry the run.',
    { code: 'step_crashes_process', retryable: false }
  )
}

/** That it held the thread is known, not suspected: the second time decides. */
const HANGS = 2

function blocksProcess(): StepError {
  return new StepError(
    `It computed for so long without a pause that the process had to be ended, ${HANGS} times, so it is not tried again. ` +
      'Let the component pause in between, or give it less to do, then retry the run.',
    { code: 'step_blocks_process', retryable: false }
  )
}

/** All that a run has come to so far. */
export interface Progress {
  readonly plan: Plan
  readonly standing: Standing
  /** Steps that may start, in the order in which they became ready. */
  readonly ready: number[]
  readonly records: (StepRecord | undefined)[]
  readonly attemptsMade: number[]
  /** When steps began that read the time. */
  readonly beganAt: (number | undefined)[]
  /** See JournalState. */
  readonly anew: ReadonlyMap<string, number> | undefined
  readonly waiting: Map<number, WaitingStep>
  /** What ended the wait of a step that is not settled. It may be there before the wait. Most runs never wait. */
  readonly woken: (Woken | undefined)[]
  /** Steps that are not tried again because the process died in them too often, with what is said of them. */
  readonly poisoned: ReadonlyMap<string, StepError>
  /** The step that has answered who called the flow: what is written down once is what was answered. */
  answered: StepRecord | undefined
}

/** What nodes put out that the run itself does not run, by node. */
export type GivenOutputs = ReadonlyMap<string, Outputs>

const NOTHING_GIVEN: GivenOutputs = new Map()

/** Where a run begins, or goes on after what its journal tells. R8: what is settled there is not run again. */
export function progressFrom(
  plan: Plan,
  trigger: RunTrigger,
  recalled: JournalState,
  given: GivenOutputs = NOTHING_GIVEN
): Progress {
  const { standing, ready } = begin(plan, trigger)
  const progress: Progress = {
    plan,
    standing,
    ready,
    records: new Array(plan.nodes.length),
    attemptsMade: new Array(plan.nodes.length).fill(0),
    beganAt: [],
    anew: recalled.anew,
    waiting: new Map(),
    woken: [],
    poisoned: poisonedBy(plan, recalled),
    answered: undefined
  }
  for (const node of plan.nodes) {
    if (node.isGiven !== true) break
    settleAs(progress, node, { status: 'succeeded', outputs: given.get(node.id) ?? {} })
  }
  if (recalled.startedAt !== null || recalled.woken.size > 0) {
    recallNodes(progress, recalled)
    progress.answered =
      recalled.answered ?? recalled.settled.values().find(({ answer }) => answer !== undefined)
    // R4: the first in the order of the journal, which need not be that of the plan.
    const first = recalled.settled.values().find(failsRun)
    standing.failed = plan.nodes.find((node) => node.id === first?.node)?.index
  }
  return progress
}

const NONE: ReadonlyMap<string, StepError> = new Map()

function poisonedBy(plan: Plan, recalled: JournalState): ReadonlyMap<string, StepError> {
  const { interruptions, hangs, killer, deadly } = recalled
  if (interruptions.size === 0 && hangs === undefined && killer === undefined && deadly === undefined)
    return NONE
  const poisoned = new Map<string, StepError>()
  for (const node of plan.nodes) {
    const { id } = node
    const known = deadly?.get(id)
    if ((hangs?.get(id) ?? 0) >= HANGS || known === 'hung') poisoned.set(id, blocksProcess())
    else if (id === killer || known === 'crashed') poisoned.set(id, killedProcess())
    else if (hasCrashed(node, recalled)) poisoned.set(id, crashesProcess(node))
  }
  return poisoned
}

function hasCrashed({ id, effects }: PlannedNode, { interruptions }: JournalState): boolean {
  return (interruptions.get(id) ?? 0) >= DEADLY_AFTER[effects]
}

/** Steps of this very run that the process died of. */
export function crashedSteps(plan: Plan, recalled: JournalState): string[] {
  const { interruptions, killer } = recalled
  if (interruptions.size === 0 && killer === undefined) return []
  return plan.nodes.filter((node) => node.id === killer || hasCrashed(node, recalled)).map(({ id }) => id)
}

/**
 * An external step that has begun and has no end is run again, and may come out otherwise. A pure step behind it whose record is there
 * was made of a result that was never durable: it is computed anew. An external one behind it has not begun (see Checkpoints).
 */
function recallNodes(progress: Progress, recalled: JournalState): void {
  const isLost: boolean[] = []
  for (const node of progress.plan.nodes) {
    const isRead = node.references?.nodes.some(({ index }) => isLost[index]!) === true
    const isCauseLost = isPure(node) && (isRead || node.inputs.some(({ from }) => isLost[from]!))
    const record = isCauseLost ? undefined : recalled.settled.get(node.id)
    const isCutOff = !isPure(node) && (recalled.begun.has(node.id) || recalled.waiting.has(node.id))
    isLost.push(isCauseLost || (record === undefined && isCutOff))
    if (node.isGiven !== true) recallNode(progress, node, recalled, record)
  }
}

function recallNode(
  progress: Progress,
  node: PlannedNode,
  recalled: JournalState,
  record: StepRecord | undefined
): void {
  const wait = recalled.waiting.get(node.id)
  progress.attemptsMade[node.index] =
    record?.attempts ?? wait?.attempts ?? recalled.begun.get(node.id)?.attempt ?? 0
  if (wait !== undefined) progress.waiting.set(node.index, wait)
  const beganAt = recalled.begun.get(node.id)?.beganAt ?? wait?.beganAt
  if (beganAt !== undefined) progress.beganAt[node.index] = beganAt
  const woken = recalled.woken.get(node.id)
  // What ended a wait of a step that cannot be resumed is of no use to its next attempt, after a pause.
  const isInVain = node.component.resume === undefined && wait !== undefined && wait.wait === undefined
  if (woken !== undefined && !isInVain) progress.woken[node.index] = woken
  if (record?.status !== 'succeeded' && record?.status !== 'failed') return
  progress.records[node.index] = record
  settleAs(progress, node, record as Settled)
}

function settleAs({ ready, standing }: Progress, { index }: PlannedNode, settled: Settled): void {
  const at = ready.indexOf(index)
  if (at >= 0) ready.splice(at, 1)
  ready.push(...settle(standing, index, settled).ready)
}

/** R1: the values on the wires into a node. */
export function inputsTo({ standing }: Progress, node: PlannedNode): Record<string, unknown> {
  const inputs: Record<string, unknown> = {}
  for (const { port, from, fromPort, isFurther, isOneOfAll } of node.inputs) {
    const value = carried(standing.outputs[from], fromPort)
    if (isOneOfAll === true) {
      if (value !== undefined) inputs[port] = [...((inputs[port] ?? []) as unknown[]), value]
      continue
    }
    if (isFurther && (value === undefined || inputs[port] !== undefined)) continue
    if (port === '__proto__') defineOwn(inputs, port, value)
    else inputs[port] = value
  }
  return inputs
}

/** Ports are named by templates, and an assignment to this name would set the prototype. */
function defineOwn(inputs: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(inputs, name, { value, enumerable: true, configurable: true, writable: true })
}

/** A record for every step, those that never ran included. */
export function allRecords(progress: Progress): StepRecord[] {
  const { nodes } = progress.plan
  // Those that are given stand first, and most runs have none.
  const steps = nodes[0]?.isGiven === true ? nodes.filter((node) => node.isGiven !== true) : nodes
  const records = steps.map((node) => progress.records[node.index] ?? unfinished(progress, node))
  return progress.answered === undefined ? records : withAnswer(records, progress.answered)
}

/** One that was computed anew, and then not reached, has answered all the same. */
function withAnswer(records: StepRecord[], { node, answer }: StepRecord): StepRecord[] {
  const at = records.findIndex((record) => record.node === node)
  if (at >= 0 && records[at]!.answer === undefined) records[at] = { ...records[at]!, answer: answer! }
  return records
}

/** Only the first of a run answers; computed anew, it has still answered what it did. */
export function answeredOnce(progress: Progress, record: StepRecord): StepRecord {
  const { answered } = progress
  if (record.answer === undefined) return record
  if (answered === undefined) {
    progress.answered = record
    return record
  }
  const { answer: _late, ...rest } = record
  return answered.node === record.node ? { ...rest, answer: answered.answer! } : rest
}

function unfinished(progress: Progress, node: PlannedNode): StepRecord {
  const status = progress.standing.statuses[node.index]!
  const attempts = progress.attemptsMade[node.index]!
  return {
    node: node.id,
    type: node.type,
    // One that the journal tells of had been reached, also where the run failed before it could go on.
    status: status === 'not reached' && attempts > 0 ? 'cancelled' : status,
    attempts,
    startedAt: null,
    durationMs: null,
    outputs: null,
    error: progress.waiting.get(node.index)?.error ?? null
  }
}

/** The run's error is that of the step that failed first, with the node named. */
export function runFailure(progress: Progress): RunFailure | null {
  const { failed } = progress.standing
  if (failed === undefined) return null
  const { id, title } = progress.plan.nodes[failed]!
  const { code, message } = progress.records[failed]!.error!
  return { node: id, code, message: `Node "${id}" (${title}) failed: ${message}` }
}
