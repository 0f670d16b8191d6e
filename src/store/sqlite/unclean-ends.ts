import type { DatabaseSync } from 'node:sqlite'

const NAME = 'unclean_ends'

/**
 * How many processes in a row, right before this one, ended without closing the store. Each counts itself when it
 * opens it, and who closes it in order begins anew.
 */
export function countUncleanEnds(db: DatabaseSync): number {
  const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(NAME) as { value: number } | undefined
  const before = row?.value ?? 0
  keep(db, before + 1)
  return before
}

export function endClean(db: DatabaseSync): void {
  keep(db, 0)
}

/** On a full disk the count stays as it was: it helps to find a deadly step, and is nothing that a start could need. */
function keep(db: DatabaseSync, count: number): void {
  try {
    db.prepare(
      'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'
    ).run(NAME, count)
  } catch {}
}
