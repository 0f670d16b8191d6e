import { recall } from '../engine/journal.ts'
import type { StepRecord } from '../engine/step-record.ts'
import type { JsonValue } from '../flows/exact-json.ts'
import type { RunSummary, StoredRun } from '../store/store.ts'
import { decodeEntry } from './journal-codec.ts'
import { givensOf } from './run-givens.ts'
import { decodeSteps } from './step-codec.ts'

export type RunStatus = 'queued' | 'in progress' | 'succeeded' | 'failed' | 'cancelled'

/** A run as the API shows it. */
export interface PresentedRun {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly trigger: string
  readonly session: string
  readonly status: RunStatus
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly replay_of: string | null
  readonly error: unknown
  readonly input?: JsonValue
  readonly steps?: readonly PresentedStep[]
}

export interface PresentedStep {
  readonly node: string
  readonly type: string
  readonly status: string
  readonly attempts: number
  readonly started_at: string | null
  readonly duration_ms: number | null
  readonly outputs: Readonly<Record<string, unknown>> | null
  readonly error: unknown
}

/** A time as ISO 8601 text. */
export function timeText(ms: number): string
export function timeText(ms: number | null): string | null
export function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export function presentRun(run: StoredRun, isActive: boolean): PresentedRun {
  const givens = givensOf(run)
  const recalled = recall(run.journal.map((entry) => decodeEntry(entry, givens)))
  const startedAt = run.outcome?.startedAt ?? recalled.startedAt
  const steps = run.outcome === null ? recalledSteps(recalled) : decodeSteps(run.outcome.steps, givens)
  return {
    ...presentFacts(run, isActive || recalled.startedAt !== null),
    started_at: timeText(startedAt),
    input: givens.input,
    steps: steps.map(presentStep)
  }
}

export function presentSummary(run: RunSummary, isActive: boolean): PresentedRun {
  return presentFacts(run, isActive || run.hasJournal)
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
    error: step.error
  }
}

function presentFacts(run: Omit<RunSummary, 'hasJournal'>, hasStarted: boolean): PresentedRun {
  const { outcome } = run
  return {
    id: run.id,
    flow_id: run.flowId,
    flow_version: run.flowVersion,
    trigger: run.trigger,
    session: run.session,
    status: outcome?.status ?? (hasStarted ? 'in progress' : 'queued'),
    created_at: timeText(run.createdAt),
    started_at: timeText(outcome?.startedAt ?? null),
    finished_at: timeText(outcome?.finishedAt ?? null),
    replay_of: run.replayOf,
    error: outcome?.error == null ? null : JSON.parse(outcome.error)
  }
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
