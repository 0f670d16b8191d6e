import type { Ending } from '../../engine/effects.ts'
import type { RunFailure, StepRecord } from '../../engine/step-record.ts'
import { messageOf } from '../../errors.ts'
import type { Outcome } from '../../store/store.ts'
import type { StoredValues } from './run-start.ts'
import { modelUsage } from './run-usage.ts'
import { encodeSteps, messagesOf } from './step-codec.ts'

export type Ended = Extract<Ending, { kind: 'ended' }>

/**
 * The end of a run as it is stored. A component may spoil an output after it has returned it: then that step has
 * failed, and with it the run, and nothing else.
 */
export function outcomeOf(ending: Ended, stored: StoredValues, now: number): Outcome {
  try {
    return encode(ending, stored, now)
  } catch {
    return encode(withoutSpoiled(ending, stored), stored, now)
  }
}

function encode(ending: Ended, stored: StoredValues, now: number): Outcome {
  const nodesWithOutput: string[] = []
  for (const step of ending.steps) if (gaveOutput(step)) nodesWithOutput.push(step.node)
  return {
    status: ending.status,
    startedAt: ending.startedAt,
    finishedAt: now,
    error: ending.error === null ? null : JSON.stringify(ending.error),
    steps: encodeSteps(ending.steps, stored),
    messages: messagesOf(ending.steps, stored),
    nodesWithOutput,
    usage: modelUsage(ending.steps)
  }
}

/** What was pinned is no output of this run. */
export function gaveOutput({ outputs, pinned }: StepRecord): boolean {
  return outputs !== null && pinned !== true
}

/** With the steps failed whose outputs cannot be stored. What others have done stays: a retry goes on from the one that failed. */
function withoutSpoiled(ending: Ended, stored: StoredValues): Ended {
  let error: RunFailure | null = null
  const steps = ending.steps.map((step): StepRecord => {
    const reason = whyUnstorable(step, stored)
    if (reason === undefined) return step
    const message = `What it put out cannot be stored: ${reason}. Outputs must stay plain data after they are returned.`
    const failure = { code: 'output_not_json', message }
    error ??= { ...failure, node: step.node, message: `Node "${step.node}" failed: ${message}` }
    return { ...step, status: 'failed', outputs: null, error: failure }
  })
  if (ending.status === 'cancelled') return { ...ending, steps }
  return { ...ending, status: 'failed', error: ending.error ?? error, steps }
}

function whyUnstorable(step: StepRecord, stored: StoredValues): string | undefined {
  try {
    encodeSteps([step], stored)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function cannotStore(error: unknown): RunFailure {
  return { node: null, code: 'run_not_storable', message: `The run cannot be stored: ${messageOf(error)}` }
}

const NO_STEPS = '[]'

/** What is left of an outcome that the store refuses. */
export function bareOutcome({ startedAt, finishedAt }: Outcome, error: unknown): Outcome {
  const times = { startedAt, finishedAt }
  const failure = JSON.stringify(cannotStore(error))
  const nothing = { steps: NO_STEPS, messages: [], nodesWithOutput: [], usage: [] }
  return { ...times, status: 'failed', error: failure, ...nothing }
}

export function isBare({ steps, messages }: Outcome): boolean {
  return steps === NO_STEPS && messages.length === 0
}

/** How a run ends whose journal cannot be written, for what a component has spoiled. */
export function unstorable(
  error: unknown,
  { startedAt, steps }: Pick<Ended, 'startedAt' | 'steps'>,
  stored: StoredValues
): Ended {
  const ending = withoutSpoiled({ kind: 'ended', status: 'failed', error: null, startedAt, steps }, stored)
  return ending.error === null ? { ...ending, error: cannotStore(error) } : ending
}
