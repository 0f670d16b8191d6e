import { MillraceError } from '../errors.ts'
import type { StoredRun } from '../store/store.ts'

/** A rough figure for Retry-After; what the backlog takes to drain is not known. */
const BACKLOG_RETRY_SECONDS = 5

export function stopping(): MillraceError {
  return new MillraceError('stopping', 'Millrace is stopping. Send the request again in a moment.', {
    headers: { 'retry-after': '1' }
  })
}

export function backlogFull(count: number): MillraceError {
  return new MillraceError(
    'backlog_full',
    `${count} runs wait or go on, and no more are taken. Send the request again later, or raise MILLRACE_BACKLOG_LIMIT.`,
    { headers: { 'retry-after': String(BACKLOG_RETRY_SECONDS) } }
  )
}

/** Nobody knows when the flow is resumed; senders that try again do so for hours. */
const PAUSE_RETRY_SECONDS = 60

/** It names nothing: whoever is told of it has called the flow, by whatever address. */
export function flowPaused(): MillraceError {
  return new MillraceError(
    'flow_paused',
    'The flow is paused and takes nothing now. Send the request again later, or resume the flow first.',
    { headers: { 'retry-after': String(PAUSE_RETRY_SECONDS) } }
  )
}

export function runNotFound(): MillraceError {
  return new MillraceError(
    'run_not_found',
    'There is no such run, or this key may not see it. Old runs are deleted by the retention settings.'
  )
}

export function alreadyEnded(id: string): MillraceError {
  return new MillraceError('run_already_ended', `Run ${id} has ended already. There is nothing to cancel.`)
}

export function stillStopping({ id }: Pick<StoredRun, 'id'>): MillraceError {
  return new MillraceError(
    'run_not_retryable',
    `Runs that run ${id} had started have not stopped yet. Retry it in a moment, or cancel them first.`
  )
}

/** What another run waits for goes on with that one: by itself it would end for nobody. */
export function belongsToParent(
  { id, parent }: Pick<StoredRun, 'id' | 'parent'>,
  what: string
): MillraceError {
  return new MillraceError(
    'run_has_parent',
    `Run ${id} is a part of run ${parent!.runId} (node "${parent!.node}"). ${what} that one.`
  )
}

export function notOver({ id }: Pick<StoredRun, 'id'>): MillraceError {
  return new MillraceError(
    'run_goes_on',
    `Run ${id} has not ended. Wait for its end, or cancel it first: then it can be gone on from.`
  )
}

export function notRetryable(run: StoredRun): MillraceError {
  const state = run.outcome === null ? 'has not ended' : `has ${run.outcome.status}`
  return new MillraceError(
    'run_not_retryable',
    `Run ${run.id} ${state}; only a failed or cancelled run can be retried, and one with items that failed. To run its input again, replay it.`
  )
}

export function unknownItems({ id }: Pick<StoredRun, 'id'>): MillraceError {
  return new MillraceError(
    'run_not_retryable',
    `Run ${id} has no For each in which all of these items failed. Its output "errors" tells which did.`
  )
}

export function itemsOfFailed({ id }: Pick<StoredRun, 'id'>): MillraceError {
  return new MillraceError(
    'run_not_retryable',
    `Run ${id} has not succeeded, so it goes on as a whole: retry it without "node" and "items".`
  )
}

/** What it started stands for what it did: with other results, other runs would have to take their place. */
export function startsRunsAfter({ id }: Pick<StoredRun, 'id'>, node: string): MillraceError {
  return new MillraceError(
    'run_not_retryable',
    `Run ${id} cannot retry its items: "${node}", which follows them, has started runs of its own with their results. Replay the run.`
  )
}

export function retriedMeanwhile({ id }: Pick<StoredRun, 'id'>): MillraceError {
  return new MillraceError(
    'run_not_retryable',
    `Run ${id} was retried or deleted while this request was under way. Look at the run again before you retry it.`
  )
}

/** What it ran is gone: to open it again would only have it fail with that. */
export function nothingToRetry({ id }: Pick<StoredRun, 'id'>, context?: string): MillraceError {
  const gone =
    context === undefined
      ? 'was deleted for good, with the version that the run began with. To run its input again, send it to another flow.'
      : `was in the context "${context}" then, which is not there any more. To run its input on the flow as it is now, replay it.`
  return new MillraceError('run_not_retryable', `Run ${id} cannot be retried: its flow ${gone}`)
}
