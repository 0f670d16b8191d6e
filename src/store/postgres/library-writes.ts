import type { Database, Query } from './database.ts'

/** What all processes hold in memory. Each of them counts its changes. */
export type Shelf = 'flows' | 'contexts' | 'keys'

/**
 * A write to what all processes hold in memory. The count of its shelf is raised in the same transaction, and
 * first: the row is a lock too, so the writes of one shelf become visible in the order of their numbers, and who
 * reads on from a number misses none.
 */
export function writeShelf<T>(
  db: Database,
  shelf: Shelf,
  body: (query: Query, revision: number) => Promise<T>
): Promise<T> {
  return db.transaction(async (query) => {
    const [row] = await query<{ value: number }>(
      'UPDATE millrace.revisions SET value = value + 1 WHERE name = $1 RETURNING value',
      [shelf]
    )
    return body(query, row!.value)
  })
}

export async function readRevisions(query: Query): Promise<Record<Shelf, number>> {
  const rows = await query<{ name: Shelf; value: number }>('SELECT name, value FROM millrace.revisions')
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Record<Shelf, number>
}
