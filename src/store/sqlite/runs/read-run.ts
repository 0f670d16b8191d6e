import type { DatabaseSync } from 'node:sqlite'
import type { StoredRun } from '../../store.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

export interface RunReader {
  byId(id: string): StoredRun | undefined
  bySeq(seq: number): StoredRun | undefined
}

/** Single runs with everything that belongs to them. */
export function prepareRead(db: DatabaseSync): RunReader {
  const from = `SELECT ${fullColumns} FROM runs r LEFT JOIN outcomes o ON o.seq = r.seq`
  const byId = db.prepare(`${from} WHERE r.id = ?`)
  const bySeq = db.prepare(`${from} WHERE r.seq = ?`)
  const journal = db.prepare('SELECT entry FROM journal WHERE run_seq = ? ORDER BY no')

  function complete(row: FullRow | undefined): StoredRun | undefined {
    if (row === undefined) return undefined
    const entries = journal.all(row.seq) as unknown as { entry: string }[]
    return storedRun(
      row,
      entries.map((each) => each.entry)
    )
  }

  return {
    byId: (id) => complete(byId.get(id) as unknown as FullRow | undefined),
    bySeq: (seq) => complete(bySeq.get(seq) as unknown as FullRow | undefined)
  }
}
