import type { RetentionRule } from '../../store.ts'
import type { Database, Query } from '../database/database.ts'

type Queries = Pick<Database, 'query'>

/**
 * Whoever takes the outcome away has the run: one that is being opened again is left alone. So is one that was opened again since it
 * was found, and has ended another time. That it has children which are to go too is written down with it.
 */
const pruneText = `
  WITH given AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS g (seq, no, ended_before)),
  gone AS (
    DELETE FROM millrace.outcomes o USING given g WHERE o.seq = g.seq AND o.no = g.no RETURNING o.seq
  ),
  unlogged AS (DELETE FROM millrace.journal WHERE run_seq IN (SELECT seq FROM gone)),
  unsaid AS (DELETE FROM millrace.messages WHERE run_seq IN (SELECT seq FROM gone)),
  unused AS (DELETE FROM millrace.model_usage WHERE run_seq IN (SELECT seq FROM gone)),
  unpaid AS (DELETE FROM millrace.run_costs WHERE run_seq IN (SELECT seq FROM gone)),
  unblamed AS (DELETE FROM millrace.hung_steps WHERE run_seq IN (SELECT seq FROM gone)),
  unawaited AS (DELETE FROM millrace.waits WHERE run_seq IN (SELECT seq FROM gone)),
  unkept AS (DELETE FROM millrace.kept_changes WHERE run_seq IN (SELECT seq FROM gone)),
  unnamed AS (DELETE FROM millrace.file_uses WHERE run_seq IN (SELECT seq FROM gone) RETURNING file_id),
  unsent AS (DELETE FROM millrace.sent_files WHERE run_seq IN (SELECT seq FROM gone)),
  loosened AS (UPDATE millrace.files SET loose_since = created_at WHERE id IN (SELECT file_id FROM unnamed)),
  untested AS (DELETE FROM millrace.test_documents WHERE run_seq IN (SELECT seq FROM gone)),
  shortened AS (DELETE FROM millrace.long_values WHERE run_seq IN (SELECT seq FROM gone)),
  unrelated AS (DELETE FROM millrace.children WHERE seq IN (SELECT seq FROM gone)),
  noted AS (
    INSERT INTO millrace.deletions (seq, ended_before)
    SELECT g.seq, g.ended_before FROM given g JOIN gone USING (seq)
    WHERE EXISTS (SELECT 1 FROM millrace.children c WHERE c.parent_seq = g.seq)
    ON CONFLICT DO NOTHING
  ),
  forgotten AS (DELETE FROM millrace.runs WHERE seq IN (SELECT seq FROM gone))
  SELECT count(*) AS runs FROM gone`

/**
 * Deletes ended runs, each before its children, of which it may have more than a slice takes: were it there with half of them, a
 * retry would do again what had been done. By number those go that ended first. A child never goes by itself, unless it outlived its parent. To find where the newest `keep` end, all of them have to be passed over in
 * the index (about 0.1 s per 1,000,000), so that place is remembered for as long as slices come back full.
 */
export function createPrune(db: Queries): (rule: RetentionRule) => Promise<number> {
  let known: { keep: number; upTo: number } | undefined

  async function pruneByNumber(keep: number, slice: number): Promise<number> {
    const upTo = known?.keep === keep ? known.upTo : await lastToGo(db.query, keep)
    const gone =
      upTo === null
        ? 0
        : await removeTrees(db, await db.query<EndedRun>(oldestText, [upTo, slice]), slice, null)
    known = upTo !== null && gone === slice ? { keep, upTo } : undefined
    return gone
  }

  return async ({ keep, endedBefore, slice }) => {
    let gone = await goOn(db, slice)
    if (keep !== undefined && gone < slice) gone += await pruneByNumber(keep, slice - gone)
    if (endedBefore !== undefined && gone < slice) {
      const room = slice - gone
      const aged = await db.query<EndedRun>(agedText, [endedBefore, room])
      gone += await removeTrees(db, aged, room, endedBefore)
    }
    return gone
  }
}

const leftOver = `
  SELECT o.seq, o.no FROM millrace.children c JOIN millrace.outcomes o ON o.seq = c.seq JOIN millrace.runs r ON r.seq = c.seq
  WHERE c.parent_gone = 1`

const oldestText = `
  SELECT seq, no FROM (
    (SELECT seq, no FROM millrace.outcomes WHERE no <= $1 AND is_child IS NULL ORDER BY no LIMIT $2)
    UNION ALL (${leftOver} AND o.no <= $1 ORDER BY o.no LIMIT $2)
  ) AS oldest ORDER BY no LIMIT $2`

/**
 * Open runs, however old, have no outcome and stay. None ended before it was accepted, so those that were accepted before the
 * moment are looked at; there is no index of ends, which every run would pay for. What is passed over was under way at that moment.
 */
const agedText = `
  SELECT seq, no FROM (
    (SELECT r.seq, o.no, r.created_at FROM millrace.runs r JOIN millrace.outcomes o ON o.seq = r.seq
     WHERE r.created_at < $1 AND r.is_child IS NULL AND o.finished_at < $1
     ORDER BY r.created_at, r.seq LIMIT $2)
    UNION ALL (${leftOver.replace('o.no', 'o.no, r.created_at')} AND o.finished_at < $1 LIMIT $2)
  ) AS aged ORDER BY created_at, seq LIMIT $2`

/** The number of the last end of those that have to go when only so many may stay. */
async function lastToGo(query: Query, keep: number): Promise<number | null> {
  const [row] = await query<{ no: number }>(
    'SELECT no FROM millrace.outcomes WHERE is_child IS NULL ORDER BY no DESC OFFSET $1 LIMIT 1',
    [keep]
  )
  return row?.no ?? null
}

/** As it had ended when it was found. */
interface EndedRun {
  readonly seq: number
  readonly no: number
}

/** With the moment before which its children must have ended to go with it; null where all that have ended go. */
interface ToGo extends EndedRun {
  readonly ended_before: number | null
}

const left = `
  FROM millrace.deletions d
  JOIN millrace.children c ON c.parent_seq = d.seq JOIN millrace.outcomes o ON o.seq = c.seq
  WHERE d.ended_before IS NULL OR o.finished_at < d.ended_before`

const leftText = `SELECT c.seq, o.no, d.ended_before ${left} LIMIT $1`

/** Children that ended later outlive their parent, as those do that are open. */
const closeText = `
  WITH over AS (DELETE FROM millrace.deletions WHERE seq NOT IN (SELECT d.seq ${left}) RETURNING seq)
  UPDATE millrace.children SET parent_gone = 1 WHERE parent_seq IN (SELECT seq FROM over)`

/** At most so many, those furthest above first; resolves to how many went. */
async function removeTrees(
  db: Queries,
  found: readonly EndedRun[],
  room: number,
  endedBefore: number | null
): Promise<number> {
  if (found.length === 0) return 0
  const gone = await remove(
    db,
    found.slice(0, room).map((run) => ({ ...run, ended_before: endedBefore }))
  )
  return gone + (await goOn(db, room - gone))
}

/** So many go with one statement. */
const ONE_STATEMENT = 200

export async function deleteEnded(db: Queries, seqs: readonly number[]): Promise<void> {
  const found = await db.query<EndedRun>(
    'SELECT seq, no FROM millrace.outcomes WHERE seq = ANY ($1::bigint[]) ORDER BY seq',
    [seqs]
  )
  for (let at = 0; at < found.length; at += ONE_STATEMENT) {
    const runs = found.slice(at, at + ONE_STATEMENT)
    await remove(
      db,
      runs.map((run) => ({ ...run, ended_before: null }))
    )
    while ((await goOn(db, ONE_STATEMENT)) === ONE_STATEMENT);
  }
}

/** Deletes what is left of runs that are gone, at most so many. */
async function goOn(db: Queries, room: number): Promise<number> {
  let gone = 0
  while (gone < room) {
    const went = await remove(db, await db.query<ToGo>(leftText, [room - gone]))
    gone += went
    if (went > 0) continue
    await db.query({ name: 'prune-close', text: closeText })
    break
  }
  return gone
}

async function remove(db: Queries, runs: readonly ToGo[]): Promise<number> {
  if (runs.length === 0) return 0
  const values = [
    runs.map(({ seq }) => seq),
    runs.map(({ no }) => no),
    runs.map(({ ended_before }) => ended_before)
  ]
  const [row] = await db.query<{ runs: number }>({ name: 'prune', text: pruneText }, values)
  return row!.runs
}
