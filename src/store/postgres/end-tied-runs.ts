import type { EndStatus } from '../store.ts'
import type { Database, Prepared, Query } from './database.ts'

/** What the statement that ends runs is given of one of them, as far as it matters here. */
interface EndRow {
  readonly place: number
  readonly seq: number
  readonly status: EndStatus
  readonly finished_at: number
}

interface Numbered {
  readonly place: number
  readonly no: number
}

/** Waits are locked before jobs, by everybody, and in the order of their keys. */
const lockText = `
  SELECT 1 FROM millrace.waits w WHERE w.run_seq = ANY ($1::bigint[]) ORDER BY w.run_seq, w.node FOR UPDATE`

const closeText = `
  UPDATE millrace.waits w SET state = 'over', ended_at = e.finished_at
  FROM unnest($1::bigint[], $2::bigint[]) AS e (seq, finished_at)
  WHERE w.run_seq = e.seq AND w.state = 'open'`

/** Ends runs that have waits. `end` is the statement that ends plain ones. */
export function endTiedRuns(
  db: Pick<Database, 'writeTransaction'>,
  end: Prepared,
  rows: readonly EndRow[]
): Promise<Numbered[]> {
  return db.writeTransaction(async (query) => {
    await query({ name: 'end-lock', text: lockText }, [rows.map(({ seq }) => seq)])
    const numbered = await query<Numbered>(end, [JSON.stringify(rows)])
    const places = new Set(numbered.map(({ place }) => place))
    await closeWaits(
      query,
      rows.filter(({ place }) => places.has(place))
    )
    return numbered
  })
}

async function closeWaits(query: Query, ended: readonly EndRow[]): Promise<void> {
  if (ended.length === 0) return
  await query({ name: 'end-waits', text: closeText }, [
    ended.map(({ seq }) => seq),
    ended.map(({ finished_at }) => finished_at)
  ])
}
