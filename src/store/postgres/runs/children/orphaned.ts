import type { OpenRun } from '../../../children.ts'
import type { Query } from '../../database/database.ts'
import { isCounted, jobOf } from '../../queue/job-rows.ts'
import { readOpen, selectOpen } from './read-children.ts'

// What `ChildStore.isOrphaned` says, for each who asks: of one run, of those below one, and of those that a process has claimed.

/** `c.on_its_own` in `above` is where being cancelled stops to concern those below. */
const sqlAbove = (first: string) => `above (seq) AS (
        ${first}
        UNION ALL
        SELECT c.parent_seq FROM above JOIN millrace.children c ON c.seq = above.seq AND c.on_its_own IS NULL
      )`

const cancelledInAbove =
  "SELECT 1 FROM above JOIN millrace.outcomes o ON o.seq = above.seq WHERE o.status = 'cancelled'"

/** Whether one above a run was cancelled, and neither the run nor one between was opened again by itself since. */
export const sqlIsCancelledAbove = (seq: string) => `EXISTS (
      WITH RECURSIVE ${sqlAbove(`SELECT parent_seq FROM millrace.children WHERE seq = ${seq} AND on_its_own IS NULL`)}
      ${cancelledInAbove}
    )`

/** Whether this run, or one above it that concerns its children, was cancelled. */
const sqlIsCancelledFrom = (seq: string) => `EXISTS (
      WITH RECURSIVE ${sqlAbove(`SELECT ${seq}`)}
      ${cancelledInAbove}
    )`

/** Whether nobody waits any more for the children that this node of a run has counted: their wait is over, or gone with the run. */
const sqlIsWaitOver = (runSeq: string, node: string) => `NOT EXISTS (
      SELECT 1 FROM millrace.waits w WHERE w.run_seq = ${runSeq} AND w.node = ${node} AND w.state = 'open'
    )`

/** The same, and that row is locked: what ends the wait now is either seen, or finds what follows. */
const sqlLockIsWaitOver = (runSeq: string, node: string) => `(
      SELECT l.state FROM (
        SELECT w.state FROM millrace.waits w WHERE w.run_seq = ${runSeq} AND w.node = ${node} FOR SHARE
      ) l
    ) IS DISTINCT FROM 'open'`

const sqlIsOrphaned = (seq: string, flowId: string, isWaitOver: typeof sqlIsWaitOver) => `coalesce((
      SELECT coalesce(${isCounted('j')} AND ${isWaitOver('c.parent_seq', 'c.node')}, false) OR ${sqlIsCancelledAbove('c.seq')}
      FROM millrace.children c LEFT JOIN ${jobOf('c.seq', flowId)}
      WHERE c.seq = ${seq}
    ), false)`

/** To be asked before the job is locked: waits are locked before jobs, by everybody. */
export const sqlLockIsOrphaned = (seq: string, flowId: string) =>
  sqlIsOrphaned(seq, flowId, sqlLockIsWaitOver)

const ofRun = {
  name: 'is-orphaned',
  text: `SELECT ${sqlIsOrphaned('r.seq', 'r.flow_id', sqlIsWaitOver)} AS "isOrphaned" FROM millrace.runs r WHERE r.seq = $1`
}

export async function isOrphaned(query: Query, seq: number): Promise<boolean> {
  const [row] = await query<{ isOrphaned: boolean }>(ofRun, [seq])
  return row?.isOrphaned === true
}

/** What one above means is handed down: 100,000 may be below. */
const below = {
  name: 'orphaned-below',
  text: `
  WITH RECURSIVE below (seq, depth, parent_seq, node, is_cancelled) AS (
    SELECT c.seq, c.depth, c.parent_seq, c.node, c.on_its_own IS NULL AND ${sqlIsCancelledFrom('$1::bigint')}
    FROM millrace.children c WHERE c.parent_seq = $1
    UNION ALL
    SELECT c.seq, c.depth, c.parent_seq, c.node, c.on_its_own IS NULL AND (below.is_cancelled OR EXISTS (
      SELECT 1 FROM millrace.outcomes o WHERE o.seq = below.seq AND o.status = 'cancelled'
    ))
    FROM below JOIN millrace.children c ON c.parent_seq = below.seq
  )
  ${selectOpen('below')}
  WHERE below.is_cancelled OR (${isCounted('j')} AND ${sqlIsWaitOver('below.parent_seq', 'below.node')})
  ORDER BY below.depth, below.seq LIMIT $2`
}

/** Also below one that has ended. */
export function orphanedBelow(query: Query, seq: number, limit: number): Promise<OpenRun[]> {
  return readOpen(query, below, [seq, limit])
}

/**
 * Of rows of (family, seq, node), nodes of runs whose children a process has claimed, those whose children are orphaned, as
 * `orphaning`. Each is looked at once: 10,000 items of one For each cost what one does.
 */
export const orphaningNodes = (parents: string) => `orphaning AS MATERIALIZED (
  SELECT * FROM (
    SELECT p.family, ${sqlIsCancelledFrom('p.seq')} AS is_cancelled, ${sqlIsWaitOver('p.seq', 'p.node')} AS is_over
    FROM ${parents}
  ) AS parents WHERE is_cancelled OR is_over
)`

/** Whether a claimed run, with the number of its family, is orphaned by one of `orphaning`. */
export const sqlIsOrphanedBy = (claimed: string) => `EXISTS (
      SELECT 1 FROM orphaning o WHERE o.family = ${claimed}.family AND (
        (o.is_over AND ${isCounted(claimed)}) OR (o.is_cancelled AND NOT EXISTS (
          SELECT 1 FROM millrace.children c WHERE c.seq = ${claimed}.seq AND c.on_its_own IS NOT NULL
        ))
      )
    )`
