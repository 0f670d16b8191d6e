import type { OpenConnection } from '../../plugin-api.ts'
import type { Row } from './collect-rows.ts'
import type { Dialect } from './dialect.ts'
import { databaseResource } from './open-database.ts'
import { readStatement } from './read-statement.ts'

interface OwnQuestion {
  readonly texts: Readonly<Record<Dialect['name'], string>>
  readonly maxRows: number
}

/** Far more than any question of ours takes. */
const BYTES = 16 * 1024 ** 2
const WITHIN_MS = 10_000

/** A question of ours, the same for every kind of database, through the guard and in a transaction like any other. */
export function askDatabase(
  connection: OpenConnection,
  { texts, maxRows }: OwnQuestion,
  signal: AbortSignal
): Promise<readonly Row[]> {
  return connection.withResource(databaseResource, async (database) => {
    const source = texts[database.dialect.name]
    const { rows } = await database.run({
      source,
      statement: readStatement(source, database.dialect),
      valueFor: () => null,
      limits: { maxRows, output: { bytes: BYTES, of: 'step', most: BYTES } },
      timeoutMs: WITHIN_MS,
      signal,
      onCommit: () => {}
    })
    return rows
  })
}
