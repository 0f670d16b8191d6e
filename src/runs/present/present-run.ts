import { type AttemptRecord, attemptHistory } from '../../engine/attempt-history.ts'
import { type JournalEntry, recall } from '../../engine/journal.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { type InputStart, inputStartOf } from '../../store/input-start.ts'
import type { FoundRun, RunSummary, StoredRun } from '../../store/store.ts'
import { isInside, itemResult } from '../children/run-result.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import { runUsage, stepCost } from '../record/run-usage.ts'
import { shownStart } from '../record/shown-start.ts'
import { stepsInTurns } from '../record/step-codec.ts'
import type {
  PresentedAnswer,
  PresentedAttempt,
  PresentedMark,
  PresentedMessage,
  PresentedRun,
  PresentedStep,
  PresentedSummary
} from './run-shape.ts'
import type { RunStatus } from './run-status.ts'
import { presentWaits } from './run-waits.ts'
import { summaryOf } from './summary-of.ts'
import { timeText } from './time-text.ts'

/** In turns, since a run may hold megabytes, and who asks may ask for many. */
export function* presentRun(run: StoredRun, isActive: boolean, isFlowPaused = false): Turns<PresentedRun> {
  const start = yield* shownStart(run)
  const journal: JournalEntry[] = []
  for (const entry of run.journal) {
    journal.push(decodeEntry(entry, start))
    yield
  }
  const recalled = recall(journal)
  const startedAt = run.outcome?.startedAt ?? recalled.startedAt
  const steps = run.outcome === null ? recalledSteps(recalled) : yield* stepsInTurns(run.outcome.steps, start)
  return {
    ...presentFacts(run, isActive || recalled.startedAt !== null, isFlowPaused),
    started_at: timeText(startedAt),
    summary: summaryLine(inputStartOf(run.input)),
    input: start.input,
    steps: steps.map(presentStep),
    request: start.request,
    attempts: attemptHistory(journal, run.outcome === null ? [] : steps).map(presentAttempt),
    messages: steps.flatMap(presentMessages),
    waiting: run.outcome === null ? presentWaits(recalled) : [],
    output: outputOf(steps, run),
    answer: answerOf(steps),
    usage: runUsage(steps),
    cost: stepCost(steps)
  }
}

function outputOf(steps: readonly StepRecord[], { trigger, parent }: StoredRun): unknown {
  if (isInside({ trigger }) && parent !== undefined) return itemResult(steps, parent.node) ?? null
  return steps.find(({ type, status }) => type === 'return' && status === 'succeeded')?.outputs?.data ?? null
}

function answerOf(steps: readonly StepRecord[]): PresentedAnswer | null {
  const step = steps.find(({ answer }) => answer !== undefined)
  if (step?.answer === undefined) return null
  const { status, headers, body, file = null, at } = step.answer
  return { node: step.node, status, headers, body, file, at: timeText(at) }
}

function presentAttempt(attempt: AttemptRecord): PresentedAttempt {
  return {
    node: attempt.node,
    attempt: attempt.attempt,
    started_at: timeText(attempt.startedAt),
    ended_at: timeText(attempt.endedAt),
    retry_at: timeText(attempt.retryAt),
    error: attempt.error
  }
}

function presentMessages({ node, messages = [] }: StepRecord): PresentedMessage[] {
  return messages.map(({ id, session, sender, text, createdAt }) => {
    return { id, node, session, sender, text, created_at: timeText(createdAt) }
  })
}

export function presentMark(run: RunSummary, isActive: boolean): PresentedMark {
  const { id, status, created_at } = presentFacts(run, isActive || beganAt(run) !== null, false)
  const { startedAt = null, finishedAt = 0 } = run.outcome ?? {}
  return { id, status, created_at, duration_ms: startedAt === null ? null : finishedAt - startedAt }
}

export function presentSummary(run: FoundRun, isActive: boolean, isFlowPaused = false): PresentedSummary {
  const startedAt = beganAt(run)
  const facts = presentFacts(run, isActive || startedAt !== null, isFlowPaused)
  return {
    ...facts,
    started_at: facts.started_at ?? timeText(startedAt),
    summary: summaryLine(run.inputStart)
  }
}

/** Of a run that is open, as far as its journal tells. */
function beganAt({ firstEntry }: RunSummary): number | null {
  // Outputs, which the start would be needed for, are not asked for here.
  return firstEntry === null ? null : (decodeEntry(firstEntry, undefined).startedAt ?? null)
}

function summaryLine({ text, isCut }: InputStart): string {
  return summaryOf(text, isCut)
}

export function presentStep(step: StepRecord): PresentedStep {
  return {
    node: step.node,
    type: step.type,
    status: step.status,
    attempts: step.attempts,
    started_at: timeText(step.startedAt),
    duration_ms: step.durationMs,
    outputs: step.outputs,
    error: step.error,
    ...(step.logs && { logs: step.logs }),
    ...(step.pinned && { pinned: true })
  }
}

function presentFacts(
  run: Omit<RunSummary, 'firstEntry'>,
  hasStarted: boolean,
  isFlowPaused: boolean
): Omit<PresentedSummary, 'summary'> {
  const { outcome } = run
  const status = outcome?.status ?? openStatus(run, hasStarted)
  return {
    id: run.id,
    flow_id: run.flowId,
    flow_version: run.flowVersion,
    trigger: run.trigger,
    session: run.session,
    status,
    ...(status === 'queued' && isFlowPaused && { held: true }),
    created_at: timeText(run.createdAt),
    started_at: timeText(outcome?.startedAt ?? null),
    finished_at: timeText(outcome?.finishedAt ?? null),
    replay_of: run.replayOf,
    ...(run.context !== null && { context: run.context }),
    parent: presentParent(run.parent),
    test: run.isTest === true,
    error: outcome?.error == null ? null : JSON.parse(outcome.error)
  }
}

export function presentParent(parent: RunSummary['parent']): PresentedSummary['parent'] {
  return parent === undefined ? null : { run_id: parent.runId, node: parent.node, index: parent.index }
}

function openStatus(
  { isWaiting, isInLine }: Pick<RunSummary, 'isWaiting' | 'isInLine'>,
  hasStarted: boolean
): RunStatus {
  if (isWaiting === true) return 'waiting'
  // An item that was opened again has begun before, and waits for its turn like those that have not.
  if (isInLine === true) return 'queued'
  return hasStarted ? 'in progress' : 'queued'
}

/** The steps of an open run, as far as its checkpoints tell. */
function recalledSteps(recalled: ReturnType<typeof recall>): StepRecord[] {
  const open = { startedAt: null, durationMs: null, outputs: null } as const
  return [
    ...recalled.settled.values(),
    ...[...recalled.begun.values()].map(({ node, type, attempt }): StepRecord => {
      return { ...open, node, type, status: 'in progress', attempts: attempt, error: null }
    }),
    ...[...recalled.waiting.values()].map(({ node, type, attempts, error }): StepRecord => {
      return { ...open, node, type, status: 'waiting', attempts, error }
    })
  ]
}
