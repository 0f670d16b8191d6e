import type { Processes, ProcessFacts, Pulse } from '../shared-store.ts'
import type { Database } from './database/database.ts'
import type { Timing } from './database/timing.ts'
import { whileLocked } from './database/while-locked.ts'
import { readRevisions } from './library/library-writes.ts'
import { backlogJobs } from './queue/job-rows.ts'
import { settledNumber } from './runs/change-numbers.ts'

/**
 * A leader that says nothing for so long is leader no longer. It says so once a second. Until another one leads,
 * nobody counts the backlog: what others end meanwhile is missing in what each process takes for it.
 */
const LEADING_SECONDS = 3
/** Who has said nothing for so long executes nothing, as far as others know. Each says so once a second. */
const LIVING_SECONDS = 5
/** A process that has been silent for so long is not shown any more. */
const FORGET_AFTER = '1 hour'
const TURN_LOCK = 5_570_193_308_531_130_002n

const sqlNow = 'extract(epoch FROM clock_timestamp())::double precision * 1000'

const pulseText = `
  WITH seen AS (
    INSERT INTO millrace.processes (id, role, host, pid, version)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET seen_at = now()
  ),
  kept AS (
    UPDATE millrace.keeping SET keeper = $1, until = now() + ${LEADING_SECONDS} * interval '1s'
    WHERE keeper = $1 OR until < now()
    RETURNING only_row
  )
  SELECT EXISTS (SELECT 1 FROM kept) AS "isLeader", ${sqlNow} AS at, backlog,
    (SELECT count(*) FROM millrace.processes p
     WHERE p.role <> 'web' AND p.seen_at > now() - ${LIVING_SECONDS} * interval '1s') AS workers,
    (SELECT count(*) FROM millrace.processes p
     WHERE p.seen_at <= now() - ${LIVING_SECONDS} * interval '1s') AS silent,
    extract(epoch FROM clock_timestamp() - counted_at)::double precision * 1000 AS "backlogAgeMs"
  FROM millrace.keeping`

export function createProcesses(db: Database, timing: Timing): Processes {
  return {
    async now() {
      const [row] = await db.query<{ at: number }>(`SELECT ${sqlNow} AS at`)
      return row!.at
    },
    async pulse({ id, role, host, pid, version }: ProcessFacts): Promise<Pulse> {
      // By itself, and first: it writes, and whoever takes leave has to know that it is over.
      const [row] = await db.query<Omit<Pulse, 'revisions' | 'lastChange'>>(
        { name: 'pulse', text: pulseText },
        [id, role, host, pid, version]
      )
      const [revisions, lastChange] = await Promise.all([readRevisions(db.query), settledNumber(db.query)])
      return { ...row!, revisions, lastChange }
    },
    async runMaintenance() {
      await db.query(
        `UPDATE millrace.keeping SET counted_at = now(),
           backlog = (SELECT count(*) FROM ${backlogJobs} j)`
      )
      await db.query(`DELETE FROM millrace.processes WHERE seen_at < now() - interval '${FORGET_AFTER}'`)
      await db.query(`DELETE FROM millrace.holders WHERE beat_at < now() - interval '${FORGET_AFTER}'`)
    },
    async leave(id) {
      await db.query('DELETE FROM millrace.processes WHERE id = $1', [id])
      await db.query('DELETE FROM millrace.holders WHERE process_id = $1', [id])
      await db.query("UPDATE millrace.keeping SET keeper = NULL, until = '-infinity' WHERE keeper = $1", [id])
    },
    inTurn: (task) =>
      db.transaction(async (query) => {
        await query('SELECT pg_advisory_xact_lock($1)', [TURN_LOCK])
        return whileLocked(query, task, timing)
      })
  }
}
