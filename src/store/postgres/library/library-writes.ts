import { InTurn } from '../../in-turn.ts'
import type { Revisions } from '../../library/library-database.ts'
import type { LibraryPart } from '../../shared-store.ts'
import type { Database, Query } from '../database/database.ts'

/** Whoever changes contexts takes the others after them, in the order of their names: nobody waits for each other. */
const LOCKED_IN_ORDER: readonly LibraryPart[] = ['contexts', 'connections', 'flows', 'keys']

/**
 * Writes to what all processes hold in memory. The count of a part is raised in the transaction of the write, and
 * first: the row is a lock too, so the writes of one part become visible in the order of their numbers, and who
 * reads on from a number misses none.
 */
export class LibraryWrites {
  readonly db: Database
  /** They are small and made seldom. Of two that exclude each other, the first one wins, as in a batch. */
  readonly #inTurn = new InTurn()
  readonly #tell: (part: LibraryPart, revision: number) => void

  constructor(db: Database, tell: (part: LibraryPart, revision: number) => void) {
    this.db = db
    this.#tell = tell
  }

  write<T>(part: LibraryPart, body: (query: Query, revision: number) => Promise<T>): Promise<T> {
    return this.writeParts([part], (query, revisions) => body(query, revisions[part]!))
  }

  async writeParts<T>(
    parts: readonly LibraryPart[],
    body: (query: Query, revisions: Revisions) => Promise<T>
  ): Promise<T> {
    const { result, revisions } = await this.inTurn(() =>
      this.db.transaction(async (query) => {
        const revisions: Partial<Record<LibraryPart, number>> = {}
        for (const part of LOCKED_IN_ORDER) {
          if (!parts.includes(part)) continue
          const [row] = await query<{ value: number }>(
            'UPDATE millrace.revisions SET value = value + 1 WHERE name = $1 RETURNING value',
            [part]
          )
          revisions[part] = row!.value
        }
        return { result: await body(query, revisions), revisions }
      })
    )
    for (const part of parts) this.#tell(part, revisions[part]!)
    return result
  }

  /** For what nobody holds in memory. */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    return this.#inTurn.do(write)
  }

  settled(): Promise<void> {
    return this.#inTurn.settled()
  }
}

export async function readRevisions(query: Query): Promise<Record<LibraryPart, number>> {
  const rows = await query<{ name: LibraryPart; value: number }>('SELECT name, value FROM millrace.revisions')
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Record<LibraryPart, number>
}
