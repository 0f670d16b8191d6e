import {
  type LibraryDatabase,
  type LibrarySteps,
  rows,
  type SqlDialect,
  type SqlValue
} from '../../library/library-database.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import type { LibraryWrites } from './library-writes.ts'

export const postgresDialect: SqlDialect = {
  forShare: ' FOR SHARE',
  forKeyShare: ' FOR KEY SHARE',
  forUpdate: ' FOR NO KEY UPDATE',
  forUpdateOfFree: ' FOR UPDATE SKIP LOCKED',
  byBytes: ' COLLATE "C"',
  isListed: (column) => `${column} IN (SELECT json_array_elements_text(?::json))`,
  jsonList: (column) => `coalesce(json_agg(${column}), '[]')::text`,
  longText: (column) => column
}

export function createPostgresLibrary(writes: LibraryWrites): LibraryDatabase {
  const { db } = writes
  return {
    dialect: postgresDialect,
    read: (steps) => runSteps(db.query, steps()),
    write: (part, steps) => writes.write(part, (query, revision) => runSteps(query, steps(revision))),
    writeParts: (parts, steps) =>
      writes.writeParts(parts, (query, revisions) => runSteps(query, steps(revisions))),
    writeUnheld: (steps) => writes.inTurn(() => db.transaction((query) => runSteps(query, steps()))),
    /** Whoever writes a part holds its row until the end. */
    *keepOthersOut() {
      yield* rows(
        "SELECT 1 FROM revisions WHERE name IN ('flows', 'keys', 'connections') ORDER BY name FOR UPDATE"
      )
    }
  }
}

/** Runs a piece of logic to its end, awaiting each answer. A statement that fails ends it, and with it the transaction. */
export async function runSteps<Result>(query: Query, steps: LibrarySteps<Result>): Promise<Result> {
  let step = steps.next()
  while (step.done !== true) {
    const { text, values } = step.value
    step = steps.next(await query(numbered(text), values.map(storable)))
  }
  return step.value
}

/** PostgreSQL numbers its values. No text of the library has a question mark that is none. */
export function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

function storable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? storableText(value) : value
}
