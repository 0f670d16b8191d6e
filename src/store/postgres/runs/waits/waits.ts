import type { RunRef } from '../../../store.ts'
import type { StoredWait, WaitFilter, WaitStanding, WaitState } from '../../../waits.ts'
import type { Database, Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { fromJobOf, sqlMayWrite } from '../../queue/job-rows.ts'
import { sqlHasEnded, storedWait, type WaitRow, waitColumns, waitsAndRuns } from './wait-rows.ts'

/** Of children it only looks. The row is locked, so what it says of a wait that is woken meanwhile is one or the other. */
const closeText = `
  WITH claim AS MATERIALIZED (
    SELECT $5::text IS NULL OR EXISTS (
      SELECT 1 FROM ${fromJobOf('$1::bigint', '$4::text')} AND ${sqlMayWrite('j', '$5::text')}
    ) AS is_ours
  ),
  closed AS (
    UPDATE millrace.waits w SET
      state = CASE WHEN w.state = 'open' AND w.kind <> 'children' THEN 'over' ELSE w.state END,
      ended_at = CASE WHEN w.state = 'open' AND w.kind <> 'children' THEN $3 ELSE w.ended_at END
    WHERE w.run_seq = $1 AND w.node = $2 AND (SELECT is_ours FROM claim)
    RETURNING CASE WHEN w.kind = 'children' AND ${sqlHasEnded('w')} THEN 'over' ELSE w.state END AS state, w.entry_no, w.entry
  )
  SELECT claim.is_ours AS "isOurs", closed.* FROM claim LEFT JOIN closed ON true`

interface Closed {
  readonly isOurs: boolean
  readonly state: WaitState | null
  readonly entry_no: number | null
  readonly entry: string | null
}

export async function closeWait(
  db: Pick<Database, 'query' | 'writeTold'>,
  run: RunRef,
  node: string,
  at: number
): Promise<WaitStanding> {
  const [wait] = await db.writeTold<Closed>({ name: 'close-wait', text: closeText }, [
    run.seq,
    storableText(node),
    at,
    run.flowId,
    run.claim ?? null
  ])
  const { isOurs, state } = wait!
  if (!isOurs) return { state: 'lost' }
  if (state === 'open') return { state }
  if (state !== 'woken') return { state: 'over' }
  const entry = wait!.entry ?? (await readEntry(db.query, wait!.entry_no))
  return entry === undefined ? { state: 'over' } : { state: 'woken', entry }
}

async function readEntry(query: Query, no: number | null): Promise<string | undefined> {
  const [row] = await query<{ entry: string }>('SELECT entry FROM millrace.journal WHERE no = $1', [no])
  return row?.entry
}

export async function waitById(query: Query, id: string): Promise<StoredWait | undefined> {
  const [row] = await query<WaitRow>(`SELECT ${waitColumns} FROM ${waitsAndRuns} WHERE w.id = $1`, [
    storableText(id)
  ])
  return row && storedWait(row)
}

const ALL_STATES: readonly WaitState[] = ['open', 'woken', 'over']

/** State by state, each in the order of the index, which finds a few open ones among very many. */
export async function listWaits(query: Query, filter: WaitFilter): Promise<StoredWait[]> {
  const { kind, state, flowIds, runSeq, before, limit } = filter
  const values: unknown[] = [kind, state === undefined ? ALL_STATES : [state], limit]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = ['w.kind = $1', 'w.state = s.state', 'w.id IS NOT NULL']
  if (flowIds !== undefined) conditions.push(`w.flow_id = ANY (${bind(flowIds)}::text[])`)
  if (runSeq !== undefined) conditions.push(`w.run_seq = ${bind(runSeq)}`)
  if (before !== undefined) {
    conditions.push(`(w.created_at, w.id) < (${bind(before.createdAt)}::bigint, ${bind(before.id)}::text)`)
  }
  const newest = 'ORDER BY w.created_at DESC, w.id DESC LIMIT $3'
  const rows = await query<WaitRow>(
    `SELECT ${waitColumns} FROM unnest($2::text[]) AS s (state)
     CROSS JOIN LATERAL (SELECT * FROM millrace.waits w WHERE ${conditions.join(' AND ')} ${newest}) w
     JOIN millrace.runs r ON r.seq = w.run_seq
     ${newest}`,
    values
  )
  return rows.map(storedWait)
}
