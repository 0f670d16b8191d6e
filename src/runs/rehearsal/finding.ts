import type { Plan, PlannedNode } from '../../engine/plan.ts'
import type { RunFailure, StepFailure, StepRecord } from '../../engine/step-record.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { equalInTurns } from '../../flows/json/equal-json.ts'
import type { RecordedRun } from './recorded-run.ts'

export type Verdict = 'same' | 'different' | 'failed' | 'unknown'

/** What came of one run that was rehearsed. */
export interface Finding {
  readonly verdict: Verdict
  /** Where it begins to be another one. */
  readonly node: string | null
  /** What that node gave then, and what it gives now. Of an unknown step: what it had. */
  readonly was: unknown
  readonly is: unknown
  readonly error: StepFailure | null
}

const SAME: Finding = { verdict: 'same', node: null, was: null, is: null, error: null }

/** A run, or an item of one, as it went in the rehearsal. */
export interface RehearsedRun {
  readonly status: 'succeeded' | 'failed'
  readonly error: RunFailure | null
  readonly steps: readonly StepRecord[]
}

/** What it takes to compare it with what it was. */
interface Rehearsed extends Omit<RehearsedRun, 'status'> {
  readonly plan: Plan
  /** The first step that could not be known. */
  readonly unknown: Finding | undefined
  /** Those that hang on such a step: what came of them says nothing. */
  readonly blurred: ReadonlySet<string>
  /** The first of its items that went another way. */
  readonly inside: Finding | undefined
}

/**
 * A run that fails now and did not fail then has failed, whatever else is not known of it. Otherwise what is not known comes first: behind it
 * anything may be different.
 */
export function* findingOf(recorded: RecordedRun, now: Rehearsed): Turns<Finding> {
  const { error, unknown, inside } = now
  const failed = [...recorded.steps.values()].find(({ status }) => status === 'failed')
  if (error !== null && (failed?.node !== error.node || failed?.error?.code !== error.code))
    return newFailure(recorded, error, now)
  if (unknown !== undefined) return unknown
  if (inside !== undefined) return inside
  if (!(yield* endsOtherwise(recorded, now))) return SAME
  return yield* firstDifference(recorded, now)
}

function newFailure(recorded: RecordedRun, error: RunFailure, { steps }: Rehearsed): Finding {
  const { node, code } = error
  const was = node === null ? undefined : recorded.steps.get(node)
  const message = steps.find((step) => step.node === node)?.error?.message ?? error.message
  return { verdict: 'failed', node, was: shownStep(was), is: null, error: { code, message } }
}

/** Whether anything is different that somebody sees of the run: what leaves it, what it says and what it answers. */
function* endsOtherwise(recorded: RecordedRun, now: Rehearsed): Turns<boolean> {
  for (const [node, record] of yield* bothOf(recorded, now)) {
    const before = recorded.steps.get(node.id)
    const isEnd = node.wiredOutputs.size === 0 && before !== undefined
    if (!isEnd && !isHeard(before) && !isHeard(record)) continue
    if (!(yield* isSameStep(before, record))) return true
  }
  return goneSteps(recorded, now).length > 0
}

function* firstDifference(recorded: RecordedRun, now: Rehearsed): Turns<Finding> {
  for (const [node, record] of yield* bothOf(recorded, now)) {
    const before = recorded.steps.get(node.id)
    if (before === undefined && !isHeard(record)) continue
    if (yield* isSameStep(before, record)) continue
    return difference(node.id, before, record)
  }
  const [gone] = goneSteps(recorded, now)
  return difference(gone!.node, gone, undefined)
}

function difference(node: string, recorded: StepRecord | undefined, now: StepRecord | undefined): Finding {
  return {
    verdict: 'different',
    node,
    was: shownStep(recorded),
    is: shownStep(now),
    error: now?.error ?? null
  }
}

/** The steps of both, in the order of the plan, but for those that nothing is known of. */
function* bothOf(
  recorded: RecordedRun,
  { plan, steps, blurred }: Rehearsed
): Turns<readonly (readonly [PlannedNode, StepRecord | undefined])[]> {
  const records = new Map(steps.map((step) => [step.node, step]))
  yield
  const known = plan.nodes.filter(({ id, isGiven }) => isGiven !== true && !blurred.has(id))
  return known.flatMap((node) =>
    recorded.steps.has(node.id) || records.has(node.id) ? [[node, records.get(node.id)] as const] : []
  )
}

/** Steps that said, answered or did something outside then, and are not in the plan any more. */
function goneSteps(recorded: RecordedRun, { plan }: Rehearsed): StepRecord[] {
  const ids = new Set(plan.nodes.map(({ id }) => id))
  return [...recorded.steps.values()].filter((step) => {
    const node = ids.has(step.node) ? undefined : recorded.step(step.node)?.node
    if (node === undefined) return false
    return isHeard(step) || (step.status === 'succeeded' && node.effects === 'external')
  })
}

function isHeard(step: StepRecord | undefined): boolean {
  return step !== undefined && ((step.messages?.length ?? 0) > 0 || step.answer !== undefined)
}

function* isSameStep(recorded: StepRecord | undefined, now: StepRecord | undefined): Turns<boolean> {
  if (endOf(recorded) !== endOf(now)) return false
  return yield* equalInTurns(whatCameOf(recorded), whatCameOf(now))
}

/** What was not reached, was left out or was cut off came to the same: nothing. */
function endOf(step: StepRecord | undefined): 'succeeded' | 'failed' | 'nothing' {
  return step?.status === 'succeeded' || step?.status === 'failed' ? step.status : 'nothing'
}

function whatCameOf(step: StepRecord | undefined) {
  return {
    outputs: step?.outputs ?? {},
    said: (step?.messages ?? []).map(({ text, sender, session }) => ({ text, sender, session })),
    answer: step?.answer && {
      status: step.answer.status,
      headers: step.answer.headers,
      body: step.answer.body
    },
    error: step?.error?.code
  }
}

/** What a step gave; what it said, where it gave nothing. */
export function shownStep(step: StepRecord | undefined): unknown {
  if (step === undefined || endOf(step) === 'nothing') return null
  const { outputs, messages, answer, error } = step
  if (error !== null) return { error }
  if (outputs !== null && Object.keys(outputs).length > 0) return outputs
  if (messages !== undefined && messages.length > 0) return { messages: messages.map(({ text }) => text) }
  return answer === undefined ? outputs : { answer: { status: answer.status, body: answer.body } }
}
