import type { Attempts } from './attempts.ts'
import { type Bypass, outputsOf, passedBy } from './bypass.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Effects, StepCall } from './effects.ts'
import { LazyAbort } from './lazy-abort.ts'
import { isPure, type PlannedNode } from './plan.ts'
import { outputsRead, type PlannedReferences, type StepReferences } from './plan-references.ts'
import { inputsTo, type Progress } from './progress.ts'
import { type Settled, settle } from './settle.ts'
import type { StepMessage } from './step-record.ts'

/** A suspect's pure steps go one at a time: of two that had begun, nobody could tell which the process died of. */
export function takeNextReady(
  { ready, plan }: Progress,
  isSuspect: boolean,
  attempts: Attempts
): number | undefined {
  if (!isSuspect || !attempts.some(isPure)) return ready.shift()
  const at = ready.findIndex((index) => !isPure(plan.nodes[index]!))
  return at < 0 ? undefined : ready.splice(at, 1)[0]
}

/** The next attempt of a step. `messages` are those that it said before it waited. */
export function nextAttempt(
  progress: Progress,
  node: PlannedNode,
  messages: StepMessage[],
  effects: Pick<Effects, 'wallClock'>
): StepCall {
  const attempt = ++progress.attemptsMade[node.index]!
  const inputs = inputsTo(progress, node)
  const woken = progress.woken[node.index]
  const call: StepCall = { node, inputs, attempt, messages, abort: new LazyAbort(), woken }
  const before = progress.anew?.get(node.id)
  if (before !== undefined) call.before = before
  if (node.references === undefined) return call
  return { ...call, references: referencesOf(progress, node, node.references, effects) }
}

function referencesOf(
  { standing, beganAt }: Progress,
  { index }: PlannedNode,
  references: PlannedReferences,
  { wallClock }: Pick<Effects, 'wallClock'>
): StepReferences {
  const since = beganAt[index] ?? wallClock()
  beganAt[index] = since
  return { nodes: outputsRead(references, standing.outputs), beganAt: since }
}

/** R11 and R12. What it comes to follows from what is recorded, so it need not be durable. */
export function passBy(
  node: PlannedNode,
  bypass: Bypass | null,
  progress: Progress,
  checkpoints: Checkpoints,
  effects: Effects
): void {
  const { standing, records, ready } = progress
  const outputs = outputsOf(bypass, inputsTo(progress, node))
  if (outputs === null) {
    ready.push(...settle(standing, node.index, { status: 'skipped', outputs: null }).ready)
    return
  }
  const record = passedBy(node, outputs, bypass, effects.wallClock())
  records[node.index] = record
  checkpoints.add(record)
  ready.push(...settle(standing, node.index, record as Settled).ready)
}
