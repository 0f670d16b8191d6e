import type { DatabaseSync } from 'node:sqlite'
import type { GroupCommit } from './group-commit.ts'

/** So many become due in one commit: 2 ms. A parent may have 100,000. */
const SLICE = 500

/**
 * Makes children due that are parked or held, because nobody waits for them any more: whoever takes one up finds it orphaned. The
 * first come with the write that says so. What is left is written down in the same transaction and follows slice by slice, after
 * a crash with the next start; so none stays behind.
 */
export function prepareReleases(db: DatabaseSync, commit: Pick<GroupCommit, 'write'>) {
  const { slice, goOn } = prepareSlices(db)
  const note = db.prepare('INSERT OR REPLACE INTO releases (siblings, at) VALUES (?, ?)')

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
    begin(siblings: number, at: number): Promise<void> | undefined {
      const areAll = slice(siblings, at)
      if (!areAll) note.run(siblings, at)
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
  const parked = db.prepare(`SELECT seq, turn FROM queue WHERE siblings = ? AND due_at > ? LIMIT ${SLICE}`)
  const held = db.prepare(
    `SELECT seq, turn FROM queue WHERE siblings = ? AND due_at IS NULL AND held = 1 LIMIT ${SLICE}`
  )
  const release = db.prepare('UPDATE queue SET due_at = ?, held = 0, turn = NULL WHERE seq = ?')
  const countTurns = db.prepare('UPDATE waits SET children_queued = children_queued - ? WHERE no = ?')
  const next = db.prepare('SELECT siblings, at FROM releases LIMIT 1')
  const done = db.prepare('DELETE FROM releases WHERE siblings = ?')

  /** Returns whether these were all. */
  function slice(siblings: number, at: number): boolean {
    const rows = [...parked.all(siblings, at), ...held.all(siblings)]
    for (const { seq } of rows) release.run(at, seq!)
    const turns = rows.filter(({ turn }) => turn !== null).length
    if (turns > 0) countTurns.run(turns, siblings)
    return rows.length < SLICE
  }

  function goOn(): boolean {
    const left = next.get() as { siblings: number; at: number } | undefined
    if (left === undefined) return false
    if (slice(left.siblings, left.at)) done.run(left.siblings)
    return true
  }

  return { slice, goOn }
}
