import type { Outcome, RunRef, RunToEnd } from '../../store.ts'
import { removeJobs } from '../queue/job-rows.ts'
import { mayWrite } from '../queue/job-states.ts'
import { guard, nextNumber } from './change-numbers.ts'
import { keepUsage } from './model-usage.ts'
import { messageRows, printed } from './print-messages.ts'

export interface End {
  readonly run: RunRef
  readonly outcome: Outcome
  /** Without a claim: it ends only as it was read. */
  readonly asRead?: Pick<RunToEnd, 'lastEntry' | 'claimedUnder'>
}

interface EndParts {
  /** Gives the rows of `given` that come to their end now. */
  readonly closed: string
  readonly hasUsage: boolean
  /** 1 or null for rows of `closed`. */
  readonly isChild?: string
  /** Told with the number of each. */
  readonly told?: string
}

/** Which runs come to their end, by the jobs that are removed; `told` of the job is kept with each. */
export const closeJobs = (which: string, told = '') =>
  removeJobs('given', `${mayWrite('end', 'j', 'g.claim')} ${which}`, `g.*${told}`)

/**
 * Hot: once per batch of runs. Removing the job is the comparison: the one who takes it out ends the run, and with
 * a claim only while it holds. In the order of the jobs' keys, in which heartbeats go too: two statements that lock
 * the same jobs in different orders would stop each other.
 */
export const endText = ({ closed, hasUsage, isChild, told }: EndParts) => `
  WITH ${guard},
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (
      place integer, seq bigint, flow_id text, claim text, status text, started_at bigint, finished_at bigint,
      nodes text, error text, steps text, messages json${hasUsage ? ', usage json' : ''}
    ) ORDER BY flow_id, seq
  ),
  closed AS (${closed}),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, c.* FROM guard, (SELECT * FROM closed ORDER BY place) c
  ),
  kept AS (
    INSERT INTO millrace.outcomes
      (seq, no, flow_id, status, started_at, finished_at, claim, nodes, error, steps${isChild ? ', is_child' : ''})
    SELECT seq, no, flow_id, status, started_at, finished_at, claim, nodes, error, steps${isChild ? `, ${isChild}` : ''}
    FROM numbered
  ),
  ${printed.trim()}${hasUsage ? keepUsage : ''}
  SELECT place, no${told ?? ''} FROM numbered`

export interface Numbered {
  readonly place: number
  readonly no: number
}

/** One of the rows that the statement is given. */
export type EndRow = ReturnType<typeof endRow>

export function endRow({ run, outcome, asRead }: End, place: number) {
  return {
    place,
    seq: run.seq,
    flow_id: run.flowId,
    claim: run.claim ?? null,
    status: outcome.status,
    started_at: outcome.startedAt,
    finished_at: outcome.finishedAt,
    nodes: JSON.stringify(outcome.nodesWithOutput),
    error: outcome.error,
    steps: outcome.steps,
    messages: messageRows(outcome.messages),
    ...(outcome.usage.length > 0 && { usage: outcome.usage }),
    ...(asRead && { last_entry: asRead.lastEntry, claimed_under: asRead.claimedUnder ?? null })
  }
}
