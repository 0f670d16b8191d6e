import type { DatabaseSync } from 'node:sqlite'

const NAME = 'unclean_ends'

/**
 * How many processes in a row, right before this one, ended without closing the store. Each counts itself when it
 * opens it, and who closes it in order begins anew.
 */
export function countUncleanEnds(db: DatabaseSync): number {
  const before = readUncleanEnds(db)
  keep(db, before + 1)
  return before
}

/** The same without counting this process; none in a database that is still empty. */
export function readUncleanEnds(db: DatabaseSync): number {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() === undefined) return 0
  const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(NAME) as { value: number } | undefined
  return row?.value ?? 0
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
