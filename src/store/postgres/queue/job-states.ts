import type { QueueState } from '../../queue-state.ts'
import { NEVER } from '../../waits.ts'

/**
 * The states of open runs (queue-state.ts) in the columns of their jobs: what pg-boss has made them for, and `data`.
 *
 *            state        blocked                     data
 *   queued   < 'active'   no                          null
 *   claimed  'active'     no                          null
 *   parked   < 'active'   where no time wakes it      due_at; woken, where it was
 *   paused   < 'active'   yes                         null
 *   in line  < 'active'   yes                         turn, begins: also while its flow is paused
 *
 * A job that is blocked pg-boss does not give out, and nobody passes over it who looks for work. It made that for jobs that wait for
 * others, and lets go of none by itself that waits for nobody.
 */
const inState: Readonly<Record<QueueState, (job: string) => string>> = {
  queued: (job) => `${job}.state < 'active' AND NOT ${job}.blocked AND ${job}.data IS NULL`,
  claimed: (job) => `${job}.state = 'active'`,
  parked: (job) => `${job}.state < 'active' AND ${job}.data IS NOT NULL AND ${job}.data ? 'due_at'`,
  paused: (job) => `${job}.state < 'active' AND ${job}.blocked AND ${job}.data IS NULL`,
  'in line': (job) => `${job}.state < 'active' AND ${job}.data IS NOT NULL AND ${job}.data ? 'turn'`
}

/** The state of a run by its job, by name. */
export const sqlStateOf = (job: string) =>
  `CASE ${Object.entries(inState)
    .map(([state, is]) => `WHEN ${is(job)} THEN '${state}'`)
    .join(' ')} END`

export const isQueued = inState.queued
export const isClaimed = inState.claimed
export const isParked = inState.parked
export const isPaused = inState.paused
export const isInLine = inState['in line']

/** Nobody has it, and it is not queued. */
export const isSetAside = (job: string) =>
  `${job}.state < 'active' AND (${job}.data IS NOT NULL OR ${job}.blocked)`

/** Whoever looks for work may take it up: it is queued, or parked and due. */
export const isClaimable = (job: string) => `${isAhead(job)} AND ${job}.start_after <= now()`
/** The same, or parked until a time that is to come. */
export const isAhead = (job: string) => `${job}.state < 'active' AND NOT ${job}.blocked`

/** Queued or claimed. */
export const isBacklog = (job: string) =>
  `NOT (${job}.state < 'active' AND ${job}.data IS NOT NULL) AND NOT ${job}.blocked`

/** When the job of a parked run is due. */
export const sqlDueAt = (job: string) => `(${job}.data ->> 'due_at')::bigint`

/** For an UPDATE: the run is parked until then. */
export const sqlPark = (dueAt: string, marks = "'{}'::jsonb") => `
  data = jsonb_build_object('due_at', ${dueAt}) || ${marks}, start_after = to_timestamp(${dueAt} / 1000.0),
  blocked = ${dueAt} >= ${NEVER}`

/** For an UPDATE: the run is parked and due, whatever the clock of the database says. */
export const sqlMakeDue = (at: string) => `
  data = jsonb_build_object('due_at', ${at}, 'woken', true), start_after = now(), blocked = false`

/** For an UPDATE: its parking is over. */
export const sqlUnpark = 'data = NULL, start_after = now(), blocked = false'

/** What the job of a run says that is in line. */
export const inLineData = (begins: string) => `jsonb_build_object('turn', true, 'begins', ${begins})`
export const sqlBeginsPaused = (job: string) => `(${job}.data ->> 'begins')::boolean`
