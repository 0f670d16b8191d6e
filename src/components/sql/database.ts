import type { BoundStatement, SqlValue } from './bind-statement.ts'
import type { Row, RowLimits } from './collect-rows.ts'
import type { Dialect } from './dialect.ts'
import type { SqlStatement } from './read-statement.ts'

/** One statement with all that it takes to run it. */
export interface Query {
  /** As somebody wrote it, for places in messages. */
  readonly source: string
  readonly statement: SqlStatement
  readonly valueFor: (name: string) => SqlValue
  readonly limits: RowLimits
  /** In milliseconds; the server ends what takes longer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called before anything is sent after which only the database could say whether the change was made. */
  readonly onCommit: () => void
}

export interface QueryResult {
  readonly rows: readonly Row[]
  /** Rows that were given, or else those that were changed. */
  readonly count: number
  /** The number that the database gave to the row that was inserted, where it has no other way to tell. */
  readonly lastId?: number | string
}

/** A database as steps use it: many at the same time. */
export interface Database {
  readonly dialect: Dialect
  /** In a transaction of its own. Throws a StepError; what was aborted throws the reason of the signal. */
  run(query: Query): Promise<QueryResult>
  close(): Promise<void>
}

export type { BoundStatement, Row, SqlValue }
