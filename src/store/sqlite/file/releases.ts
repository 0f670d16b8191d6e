import type { DatabaseSync } from 'node:sqlite'
import { IS_STORED_ALONE, mayBe, type Siblings } from '../runs/queue-rows.ts'
import type { GroupCommit } from './group-commit.ts'

/** So many become due in one commit: 2 ms. A parent may have 100,000. */
const SLICE = 500

/**
 * Makes children due that are not queued, because nobody waits for them any more: whoever takes one up finds it orphaned. The
 * first come with the write that says so. What is left is written down in the same transaction and follows slice by slice, after
 * a crash with the next start; so none stays behind.
 */
export function prepareReleases(db: DatabaseSync, commit: Pick<GroupCommit, 'write'>) {
  const { slice, goOn } = prepareSlices(db)
  const note = db.prepare('INSERT OR REPLACE INTO releases (awaited_by, detached_from, at) VALUES (?, ?, ?)')

  /** The store could not be written: something is left of releases that had begun. */
  let isLeft = false

  async function finish(): Promise<void> {
    isLeft = false
    try {
      while (await commit.write(goOn));
    } catch {
      // Others tell of it. The rest follows with the next release, or the next start.
      isLeft = true
    }
  }

  return {
    /** To be called inside a batch. Undefined where all are due with it, which is almost always. */
    begin(siblings: Siblings, at: number): Promise<void> | undefined {
      const areAll = slice(siblings, at)
      if (!areAll) note.run(siblings.awaitedBy, siblings.detachedFrom, at)
      return areAll && !isLeft ? undefined : finish()
    }
  }
}

export type Releases = ReturnType<typeof prepareReleases>

/** What a crash has left, before anything else is done. */
export function finishReleases(db: DatabaseSync): void {
  const { goOn } = prepareSlices(db)
  db.exec('BEGIN IMMEDIATE')
  while (goOn());
  db.exec('COMMIT')
}

function prepareSlices(db: DatabaseSync) {
  const awaited = prepareNotDue(db, 'awaited_by')
  const detached = prepareNotDue(db, 'detached_from')
  const release = db.prepare(
    `UPDATE queue SET state = 'parked', due_at = ?, begins_paused = NULL WHERE seq = ? AND ${mayBe('release')}`
  )
  const countTurns = db.prepare('UPDATE waits SET children_in_line = children_in_line - ? WHERE no = ?')
  const next = db.prepare(
    'SELECT rowid, awaited_by AS awaitedBy, detached_from AS detachedFrom, at FROM releases LIMIT 1'
  )
  const done = db.prepare('DELETE FROM releases WHERE rowid = ?')

  /** Returns whether these were all. */
  function slice(siblings: Siblings, at: number): boolean {
    const isAwaited = siblings.awaitedBy !== null
    const rows = isAwaited ? awaited(siblings.awaitedBy, at) : detached(siblings.detachedFrom, at)
    for (const { seq } of rows) release.run(at, seq)
    const turns = rows.filter(({ state }) => state === 'in line').length
    if (turns > 0) countTurns.run(turns, siblings.awaitedBy)
    return rows.length < SLICE
  }

  function goOn(): boolean {
    const left = next.get() as (Siblings & { rowid: number; at: number }) | undefined
    if (left === undefined) return false
    if (slice(left, left.at)) done.run(left.rowid)
    return true
  }

  return { slice, goOn }
}

/** Those that are not due by then, some of each state: each is a stretch of the index. */
function prepareNotDue(db: DatabaseSync, column: 'awaited_by' | 'detached_from') {
  const ofState = (condition: string) =>
    db.prepare(
      `SELECT seq, state FROM queue WHERE ${column} = ?1 AND ${IS_STORED_ALONE} AND ${condition} LIMIT ${SLICE}`
    )
  const parked = ofState("state = 'parked' AND due_at > ?2")
  const others = ofState("state IN ('paused', 'in line') AND ?2 IS NOT NULL")
  return (number: number, at: number) =>
    [...parked.all(number, at), ...others.all(number, at)] as { seq: number; state: string }[]
}
