import type { DatabaseSync } from 'node:sqlite'
import type { RetentionRule } from '../../store.ts'
import type { StoredCounter } from '../file/stored-counter.ts'
import { BLOCK_LENGTH, type BlockTimes } from './block-times.ts'
import { prepareDelete } from './delete-run.ts'

/** So many numbers are looked at in one commit: children of a run that stays may be all that is there. */
const LOOKED_AT = 4 * BLOCK_LENGTH

/** How far one slice has got. It is a value, since a write may be done twice. */
interface Pruning {
  readonly by: 'number' | 'age' | 'done'
  /** Up to here all has been looked at: by number a block of ends, by age a run. */
  readonly after: number
  readonly gone: number
}

export const BEGINNING: Pruning = { by: 'number', after: -1, gone: 0 }
const END = Number.MAX_SAFE_INTEGER

/**
 * Deletes ended runs, each with its children. By number those go first that ended first: ends are found by their own numbers, a
 * block of them at a time. By age the search goes through those that were accepted before the moment, up to the last block
 * that can hold one, since none ended before it was accepted. There is no index of the times of ends, which every run would pay
 * for: what is passed over was under way at that moment, which is little, and read at two million rows a second.
 *
 * A child goes after its parent, in the same slice or one that follows, or by its own end where that came later; never before it.
 */
export function preparePrune(db: DatabaseSync, ended: StoredCounter, blockTimes: BlockTimes) {
  const isOwn = `(o.is_child IS NULL OR NOT EXISTS (
         SELECT 1 FROM children c CROSS JOIN runs p ON p.seq = c.parent_seq WHERE c.seq = o.seq))`
  const nextEnds = db.prepare('SELECT min(block) AS block FROM outcomes WHERE block > ?')
  const endedFirst = db.prepare(
    `SELECT o.seq FROM outcomes o WHERE o.block = ?1 AND ${isOwn} ORDER BY o.no LIMIT ?2 + 0`
  )
  const next = db.prepare('SELECT min(seq) AS seq FROM outcomes WHERE seq > ? AND seq < ?')
  const old = db.prepare(
    `SELECT o.seq FROM outcomes o WHERE o.seq >= ?1 AND o.seq < ?2 AND o.finished_at < ?3 AND ${isOwn}
     ORDER BY o.seq LIMIT ?4 + 0`
  )
  const firstRun = db.prepare('SELECT min(seq) AS seq FROM runs')
  const hasEnded = db.prepare('SELECT 1 FROM outcomes WHERE seq = ?')
  const runs = prepareDelete(db, ended)

  /** Deletes these with their children, and says whether all that is up to `until` has been looked at. */
  function deleteFound(state: Pruning, found: Found, room: number, endedBefore: number): Pruning {
    const seqs = found.rows.map(({ seq }) => seq)
    const { gone, isAll } = runs.begin(seqs, room, endedBefore)
    // Where some are left the next step finds them again, in the same place.
    const isThrough = isAll && seqs.length < found.most
    return { ...state, after: isThrough ? found.until : state.after, gone: state.gone + gone }
  }

  function byNumber(state: Pruning, most: number, room: number): Pruning {
    const { block } = nextEnds.get(state.after) as { block: number | null }
    if (block === null || most <= 0) return thenByAge(state)
    const rows = endedFirst.all(block, most) as { seq: number }[]
    return deleteFound(state, { rows, most, until: block }, room, END)
  }

  function byAge(state: Pruning, room: number, endedBefore: number): Pruning {
    const range = blockTimes.within(undefined, endedBefore)
    const below = range?.below ?? 0
    const { seq: from } = next.get(state.after, below) as { seq: number | null }
    if (from === null) return done(state)
    const until = Math.min(below, from + LOOKED_AT)
    const rows = old.all(from, until, endedBefore, room) as { seq: number }[]
    return deleteFound(state, { rows, most: room, until: until - 1 }, room, endedBefore)
  }

  function stepOf({ keep, endedBefore, slice }: RetentionRule, state: Pruning): Pruning {
    const room = slice - state.gone
    if (room <= 0) return done(state)
    if (runs.isLeft()) return { ...state, gone: state.gone + runs.goOn(room) }
    if (state.by === 'number') {
      return byNumber(state, keep === undefined ? 0 : Math.min(room, ended.value - keep), room)
    }
    return endedBefore === undefined ? done(state) : byAge(state, room, endedBefore)
  }

  const forgetTimes = (): void => {
    const { seq } = firstRun.get() as { seq: number | null }
    blockTimes.forgetBelow(seq ?? END)
  }

  /** Both are to be called inside a batch, again and again until they are done. */
  return {
    slice(rule: RetentionRule, state: Pruning): Pruning {
      const reached = stepOf(rule, state)
      if (reached.gone > state.gone) forgetTimes()
      return reached
    },

    /** With the runs below it; true when all of them are gone, or it is open. */
    deleteOne(seq: number): boolean {
      if (runs.isLeft()) {
        runs.goOn(ONE_COMMIT)
        return false
      }
      if (hasEnded.get(seq) === undefined) return true
      runs.begin([seq], ONE_COMMIT, END)
      forgetTimes()
      return false
    }
  }
}

/** So many runs go in one commit at the most. */
const ONE_COMMIT = 200

interface Found {
  readonly rows: readonly { readonly seq: number }[]
  /** So many were asked for. */
  readonly most: number
  readonly until: number
}

const thenByAge = (state: Pruning): Pruning => ({ ...state, by: 'age', after: 0 })
const done = (state: Pruning): Pruning => ({ ...state, by: 'done', after: 0 })
