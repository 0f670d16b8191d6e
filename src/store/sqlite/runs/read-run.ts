import type { DatabaseSync } from 'node:sqlite'
import type { RunToEnd, StoredRun } from '../../store.ts'
import type { OpenRuns } from './open-runs.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

interface RunReader {
  byId(id: string): StoredRun | undefined
  bySeq(seq: number): StoredRun | undefined
  toEnd(id: string): RunToEnd | undefined
  lastEntry(seq: number): number
  /** As many of the first as take so many bytes together, and one at least. */
  first(seqs: readonly number[], bytes: number): StoredRun[]
}

/** Single runs with everything that belongs to them. */
export function prepareRead(db: DatabaseSync, open: Pick<OpenRuns, 'stateOf'>): RunReader {
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

  const last = db.prepare('SELECT coalesce(max(no), 0) AS no FROM journal WHERE run_seq = ?')
  const lastEntry = (seq: number) => (last.get(seq) as { no: number }).no
  const readById = (id: string) => complete(byId.get(id) as unknown as FullRow | undefined)
  const readBySeq = (seq: number) => complete(bySeq.get(seq) as unknown as FullRow | undefined)

  return {
    byId: readById,
    bySeq: readBySeq,
    toEnd(id) {
      const run = readById(id)
      return run && { ...run, state: open.stateOf(run) ?? null, lastEntry: lastEntry(run.seq) }
    },
    lastEntry,
    first(seqs, bytes) {
      const runs: StoredRun[] = []
      let size = 0
      for (const seq of seqs) {
        const run = readBySeq(seq)
        if (run === undefined) continue
        size += sizeOf(run)
        if (size > bytes && runs.length > 0) break
        runs.push(run)
      }
      return runs
    }
  }
}

function sizeOf({ input, outcome, journal }: StoredRun): number {
  return journal.reduce((sum, entry) => sum + entry.length, input.byteLength + (outcome?.steps.length ?? 0))
}
