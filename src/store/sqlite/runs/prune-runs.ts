import type { DatabaseSync } from 'node:sqlite'
import type { RetentionRule } from '../../store.ts'
import type { StoredCounter } from '../file/stored-counter.ts'
import { BLOCK_LENGTH, type BlockTimes } from './block-times.ts'
import { prepareDelete } from './delete-run.ts'

/** So many numbers are looked at in one commit: children of a run that stays may be all that is there. */
const LOOKED_AT = 4 * BLOCK_LENGTH

/** How far one slice has got. It is a value, since a write may be done twice. */
export interface Pruning {
  readonly by: 'number' | 'age' | 'done'
  /** Up to here all has been looked at. */
  readonly after: number
  readonly gone: number
}

export const BEGINNING: Pruning = { by: 'number', after: 0, gone: 0 }
const END = Number.MAX_SAFE_INTEGER

/**
 * Deletes ended runs, the oldest first, each with its children. Both searches start at the oldest outcome, so an open run is
 * never seen; they stop at the slice, and the one by age at the last stretch that can hold a run so old: a slice
 * with nothing to do reads at most the rows of one stretch.
 *
 * A child goes before its parent in the same slice or an earlier one, or after it where it was open then, and never by itself.
 */
export function preparePrune(db: DatabaseSync, ended: StoredCounter, blockTimes: BlockTimes) {
  const next = db.prepare('SELECT min(seq) AS seq FROM outcomes WHERE seq > ? AND seq < ?')
  const old = db.prepare(
    `SELECT o.seq FROM outcomes o CROSS JOIN runs r ON r.seq = o.seq
     WHERE o.seq >= ?1 AND o.seq < ?2 AND r.created_at < ?3
       AND (o.is_child IS NULL OR NOT EXISTS (
         SELECT 1 FROM children c CROSS JOIN runs p ON p.seq = c.parent_seq WHERE c.seq = o.seq))
     ORDER BY o.seq LIMIT ?4 + 0`
  )
  const firstRun = db.prepare('SELECT min(seq) AS seq FROM runs')
  const deleteRuns = prepareDelete(db, ended)

  /** Deletes at most so many runs, of the first that are to go, with their children. */
  function step(state: Pruning, most: number, room: number, below: number, acceptedBefore: number): Pruning {
    const { seq: from } = next.get(state.after, below) as { seq: number | null }
    if (from === null || most <= 0) return { ...state, by: after(state.by), after: 0 }
    const until = Math.min(below, from + LOOKED_AT)
    const seqs = (old.all(from, until, acceptedBefore, most) as { seq: number }[]).map(({ seq }) => seq)
    const { gone, isAll } = deleteRuns(seqs, room)
    // Where some are left the next step finds them again, in the same place.
    const isThrough = isAll && seqs.length < most
    return { ...state, after: isThrough ? until - 1 : state.after, gone: state.gone + gone }
  }

  function stepOf({ keep, acceptedBefore, slice }: RetentionRule, state: Pruning): Pruning {
    const room = slice - state.gone
    if (room <= 0) return { ...state, by: 'done' }
    if (state.by === 'number') {
      const most = keep === undefined ? 0 : Math.min(room, ended.value - keep)
      return step(state, most, room, END, END)
    }
    const range = acceptedBefore === undefined ? null : blockTimes.within(undefined, acceptedBefore)
    return range === null ? { ...state, by: 'done' } : step(state, room, room, range.below, acceptedBefore!)
  }

  /** To be called inside a batch, again and again until it is done. */
  return (rule: RetentionRule, state: Pruning): Pruning => {
    const reached = stepOf(rule, state)
    if (reached.gone > state.gone) {
      const { seq } = firstRun.get() as { seq: number | null }
      blockTimes.forgetBelow(seq ?? END)
    }
    return reached
  }
}

function after(by: Pruning['by']): Pruning['by'] {
  return by === 'number' ? 'age' : 'done'
}
