import type { Attempt, Run, Step } from '../../../api/shapes.ts'

/** A stretch of time in the waterfall, in milliseconds since the run was accepted. */
export interface Bar {
  readonly kind: 'queue' | 'run' | 'attempt' | 'wait'
  readonly from: number
  readonly to: number
  /** How the attempt ended; of a run, its own state. */
  readonly state: string
  readonly attempt?: number
}

/** The times of a run as numbers. An open run goes on until now. */
export interface RunTimes {
  readonly accepted: number
  readonly started: number | null
  readonly end: number
  readonly isOpen: boolean
}

export function timesOf(run: Run, now: number): RunTimes {
  const accepted = Date.parse(run.created_at)
  const isOpen = run.finished_at === null
  const end = isOpen ? Math.max(now, accepted) : Date.parse(run.finished_at!)
  const started = firstStart(run)
  return { accepted, started: started === null ? null : started - accepted, end: end - accepted, isOpen }
}

/** When the run was first begun. That of one that was retried has moved: it tells how long the run has worked. */
export function firstStart({ started_at, steps }: Pick<Run, 'started_at' | 'steps'>): number | null {
  if (started_at === null) return null
  const times = steps.flatMap((step) => (step.started_at === null ? [] : [Date.parse(step.started_at)]))
  return Math.min(Date.parse(started_at), ...times)
}

export function barsOfRun(run: Run, times: RunTimes): Bar[] {
  const { started, end } = times
  const queue: Bar = { kind: 'queue', from: 0, to: started ?? end, state: 'queued' }
  if (started === null) return [queue]
  return [queue, { kind: 'run', from: started, to: Math.max(end, started), state: run.status }]
}

/**
 * Every attempt of a step and the waits between them. The service keeps the attempts of steps that reach outside; any
 * other step has the one that it tells of itself, which begins at `start`.
 */
export function barsOfStep(
  step: Step,
  attempts: readonly Attempt[],
  { times, start }: { readonly times: RunTimes; readonly start: number | null }
): Bar[] {
  const timed = attempts.filter(({ started_at }) => started_at !== null)
  if (timed.length === 0) {
    if (start === null) return []
    return [
      { kind: 'attempt', from: start, to: start + (step.duration_ms ?? 0), state: step.status, attempt: 1 }
    ]
  }
  return timed.flatMap((attempt, index) => {
    const next = timed[index + 1]
    const bar = barOfAttempt(attempt, { step, next, times })
    const wait = waitAfter(attempt, { bar, next, times })
    return wait === undefined ? [bar] : [bar, wait]
  })
}

interface AttemptPlace {
  readonly step: Step
  readonly next: Attempt | undefined
  readonly times: RunTimes
}

function barOfAttempt(attempt: Attempt, { step, next, times }: AttemptPlace): Bar {
  const from = Date.parse(attempt.started_at!) - times.accepted
  const isLast = next === undefined
  const measured = isLast && attempt.ended_at !== null ? step.duration_ms : null
  const cutOff = isLast ? times.end : Date.parse(next.started_at!) - times.accepted
  const to = measured === null ? timeOr(attempt.ended_at, times, cutOff) : from + measured
  return {
    kind: 'attempt',
    from,
    to: Math.max(from, to),
    state: stateOf(attempt, isLast, times),
    attempt: attempt.attempt
  }
}

function stateOf(attempt: Attempt, isLast: boolean, { isOpen }: RunTimes): string {
  if (attempt.error !== null) return 'failed'
  if (attempt.ended_at !== null) return 'succeeded'
  // Without an end: it goes on, or it was cut off by a cancellation or a death of the process.
  return isLast && isOpen ? 'in progress' : 'cancelled'
}

function waitAfter(
  attempt: Attempt,
  { bar, next, times }: Omit<AttemptPlace, 'step'> & { readonly bar: Bar }
): Bar | undefined {
  if (attempt.retry_at === null) return undefined
  const to = next === undefined ? times.end : Date.parse(next.started_at!) - times.accepted
  return to > bar.to
    ? { kind: 'wait', from: bar.to, to, state: 'waiting', attempt: attempt.attempt }
    : undefined
}

function timeOr(text: string | null, { accepted }: RunTimes, otherwise: number): number {
  return text === null ? otherwise : Date.parse(text) - accepted
}
