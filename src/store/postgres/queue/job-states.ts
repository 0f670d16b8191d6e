import {
  isBacklog as isBacklogState,
  mayFollow,
  placesBefore,
  QUEUE_STATES,
  type QueueOperation,
  type QueueState,
  type RunPlace
} from '../../queue-state.ts'
import { NEVER } from '../../waits.ts'
import { isUnderClaim } from './job-rows.ts'

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
const unclaimed: Readonly<Record<Exclude<QueueState, 'claimed'>, (job: string) => string>> = {
  queued: (job) => `NOT ${job}.blocked AND ${job}.data IS NULL`,
  parked: (job) => `${job}.data IS NOT NULL AND ${job}.data ? 'due_at'`,
  paused: (job) => `${job}.blocked AND ${job}.data IS NULL`,
  'in line': (job) => `${job}.data IS NOT NULL AND ${job}.data ? 'turn'`
}
const UNCLAIMED = Object.keys(unclaimed) as (keyof typeof unclaimed)[]

/** True for a job in one of these states, in as few words as that can be said: the database looks at each of them. */
function isIn(job: string, states: readonly RunPlace[]): string {
  const named = UNCLAIMED.filter((state) => states.includes(state))
  const others = UNCLAIMED.filter((state) => !states.includes(state))
  const isOneOf = (which: typeof named) => which.map((state) => unclaimed[state](job)).join(' OR ')
  const which = others.length === 1 ? ` AND NOT (${isOneOf(others)})` : ` AND (${isOneOf(named)})`
  const isUnclaimed = `${job}.state < 'active'${others.length === 0 ? '' : which}`
  if (!states.includes('claimed')) return isUnclaimed
  if (others.length === 0) return 'true'
  const isClaimed = `${job}.state = 'active'`
  return named.length === 0 ? isClaimed : `(${isClaimed} OR (${isUnclaimed}))`
}

/** True for the job of a run to which this may be done, where it is. */
export const mayBe = (operation: QueueOperation, job: string) => isIn(job, placesBefore(operation))

/** The same, for whoever writes: they hold the claim on it, or need none. */
export function mayWrite(operation: QueueOperation, job: string, claim: string): string {
  const isFree = `${claim} IS NULL AND ${mayBe(operation, job)}`
  return mayFollow(operation, 'claimed').length === 0 ? isFree : `(${isFree} OR ${isUnderClaim(job, claim)})`
}

/** The state of a run by its job, by name. */
export const sqlStateOf = (job: string) =>
  `CASE ${QUEUE_STATES.map((state) => `WHEN ${isIn(job, [state])} THEN '${state}'`).join(' ')} END`

export const isClaimed = (job: string) => isIn(job, ['claimed'])
export const isParked = (job: string) => isIn(job, ['parked'])
export const isPaused = (job: string) => isIn(job, ['paused'])
export const isInLine = (job: string) => isIn(job, ['in line'])
export const isBacklog = (job: string) => isIn(job, QUEUE_STATES.filter(isBacklogState))

/**
 * Whoever looks for work may take it up: it is queued, or parked and due. That is where `claim` finds runs, said as pg-boss's index has
 * it; the contract of places holds it to the table.
 */
export const isClaimable = (job: string) => `${isAhead(job)} AND ${job}.start_after <= now()`
/** The same, or parked until a time that is to come. */
export const isAhead = (job: string) => `${job}.state < 'active' AND NOT ${job}.blocked`

/** When the job of a parked run is due. */
export const sqlDueAt = (job: string) => `(${job}.data ->> 'due_at')::bigint`

/**
 * For an UPDATE: the run is parked until then. `isWaiting`: a step of it waits. Where what it waited for has ended, that mark alone tells.
 */
export const sqlPark = (dueAt: string, isWaiting: string) => `
  data = jsonb_build_object('due_at', ${dueAt}) || CASE WHEN ${isWaiting} THEN jsonb_build_object('woken', true) ELSE '{}' END,
  start_after = to_timestamp(${dueAt} / 1000.0),
  blocked = ${dueAt} >= ${NEVER}`

/** For an UPDATE: the same where `waits` holds; else it is due, since what it would wait for has ended. */
export const sqlParkUnlessDue = ({
  waits,
  dueAt,
  endedAt
}: Record<'waits' | 'dueAt' | 'endedAt', string>) => `
  start_after = CASE WHEN ${waits} THEN to_timestamp(${dueAt} / 1000.0) ELSE now() END,
  blocked = ${waits} AND ${dueAt} = ${NEVER},
  data = CASE WHEN ${waits} THEN jsonb_build_object('due_at', ${dueAt})
    ELSE jsonb_build_object('due_at', coalesce(${endedAt}, 0), 'woken', true) END`

/** For an UPDATE: the run is parked and due, whatever the clock of the database says. */
export const sqlMakeDue = (at: string) => `
  data = jsonb_build_object('due_at', ${at}, 'woken', true), start_after = now(), blocked = false`

/** For an UPDATE: its parking is over. */
export const sqlUnpark = 'data = NULL, start_after = now(), blocked = false'

/** For an UPDATE: its turn has come; it is due then, or paused. */
export const sqlGiveTurn = (at: string, isPaused: string) => `
  start_after = now(), blocked = ${isPaused}, data = CASE WHEN NOT ${isPaused} THEN jsonb_build_object('due_at', ${at}) END`

/** What was ended that it waits for, and nobody has taken it up since. */
export const isWoken = (job: string) => `${job}.data ? 'woken'`

/** No time wakes it. */
export const isUntimed = (job: string) => `${job}.blocked AND ${isParked(job)}`

/** It is claimable, and has been for so long. */
export const hasWaited = (job: string, seconds: number) =>
  `${isAhead(job)} AND ${job}.start_after <= now() - ${seconds} * interval '1s'`

/**
 * For an UPDATE: nobody has it any more. Without a time at which it was taken, pg-boss does not count it as an attempt: only the dead
 * are counted.
 */
export const sqlGiveBack = "state = 'retry', heartbeat_on = NULL, started_on = NULL"

/** For an UPDATE: a queued run is paused, and a paused one is queued. */
export const sqlPause = 'blocked = true'
export const sqlResume = 'blocked = false'
