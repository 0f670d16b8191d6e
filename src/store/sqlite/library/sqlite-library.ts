import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type LibraryDatabase,
  type LibrarySteps,
  noStatements,
  type SqlDialect
} from '../../library/library-database.ts'
import type { GroupCommit } from '../file/group-commit.ts'

/** One process has the file to itself, and its writes are made one after the other: nothing needs a lock or a revision. */
export const sqliteDialect: SqlDialect = {
  forShare: '',
  forKeyShare: '',
  forUpdate: '',
  forUpdateOfFree: '',
  byBytes: '',
  isListed: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  jsonList: (column) => `json_group_array(${column})`,
  // As text, ten megabytes that are not in English take Node 70 ms; as bytes they take twelve.
  longText: (column) => `CAST(${column} AS BLOB) AS document`
}

const NO_REVISION = 0

export function createSqliteLibrary(db: DatabaseSync, commit: GroupCommit): LibraryDatabase {
  const run = runSteps(db)
  return {
    dialect: sqliteDialect,
    read: async (steps) => run(steps()),
    write: (_part, steps, bytes) => commit.write(() => run(steps(NO_REVISION)), bytes),
    writeParts: (_parts, steps, bytes) => commit.write(() => run(steps({})), bytes),
    writeUnheld: (steps, bytes) => commit.write(() => run(steps()), bytes),
    keepOthersOut: noStatements
  }
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString()
}

/** Runs a piece of logic to its end, in one turn. What a statement throws, the piece may not catch: the commit judges it. */
export function runSteps(db: DatabaseSync): <Result>(steps: LibrarySteps<Result>) => Result {
  const prepared = new Map<string, StatementSync>()
  const statementOf = (text: string): StatementSync => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const statement = db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return (steps) => {
    let step = steps.next()
    while (step.done !== true) {
      const { text, values } = step.value
      const rows = statementOf(text).all(...values)
      for (const row of rows) if (row.document instanceof Uint8Array) row.document = textOf(row.document)
      step = steps.next(rows)
    }
    return step.value
  }
}
