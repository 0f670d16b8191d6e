import type { DatabaseSync } from 'node:sqlite'
import type { LongPiece } from '../../long-piece.ts'
import type { RunRef } from '../../store.ts'
import type { OpenRuns } from './open-runs.ts'

/** Long values of runs, piece by piece. */
export function prepareLongValues(db: DatabaseSync, open: OpenRuns) {
  const put = db.prepare(
    'INSERT OR REPLACE INTO long_values (run_seq, name, piece, bytes) VALUES (?, ?, ?, ?)'
  )
  const get = db.prepare('SELECT bytes FROM long_values WHERE run_seq = ? AND name = ? AND piece = ?')
  return {
    keep(run: RunRef, { name, piece, bytes }: LongPiece): boolean {
      if (!open.has(run)) return false
      put.run(run.seq, name, piece, bytes)
      return true
    },

    read(seq: number, name: string, piece: number): Uint8Array | undefined {
      return (get.get(seq, name, piece) as { bytes: Uint8Array } | undefined)?.bytes
    }
  }
}
