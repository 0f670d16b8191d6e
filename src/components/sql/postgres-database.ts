import type { OpenConnection } from '../../plugin-api.ts'
import { type BoundStatement, bindStatement } from './bind-statement.ts'
import { RowCollector, type RowLimits } from './collect-rows.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { Database, Query, QueryResult } from './database.ts'
import { POSTGRES } from './dialect.ts'
import { isAnswer, isTypeMismatch, postgresError } from './postgres-errors.ts'
import { addressOf, type PgField, PostgresSession } from './postgres-session.ts'
import { readerOf, withType, writeValue } from './postgres-values.ts'
import { runInTransaction } from './run-in-transaction.ts'

/** Of one process, for one connection. */
const MOST_SESSIONS = 10

/** PostgreSQL through a connection. */
export class PostgresDatabase implements Database {
  readonly dialect = POSTGRES
  readonly #pool: ConnectionPool<PostgresSession>
  readonly #server: string
  readonly #isReadOnly: boolean

  constructor(connection: OpenConnection) {
    const { host, port } = addressOf(connection)
    this.#server = `${host}:${port}`
    this.#isReadOnly = connection.settings.read_only === true
    this.#pool = new ConnectionPool({
      most: MOST_SESSIONS,
      now: () => performance.now(),
      open: (signal) =>
        PostgresSession.open(connection, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          throw postgresError(error, { server: this.#server })
        })
    })
  }

  async run(query: Query): Promise<QueryResult> {
    const { statement, valueFor, signal } = query
    const typed = bindStatement(statement, valueFor, POSTGRES, withType)
    try {
      return await this.#inTransaction(query, typed)
    } catch (error) {
      signal.throwIfAborted()
      if (!isTypeMismatch(error)) throw this.#told(error, query, typed)
    }
    // A number may be meant for a place of another type, a text or JSON: then that place says what it becomes.
    const untyped = bindStatement(statement, valueFor, POSTGRES)
    try {
      return await this.#inTransaction(query, untyped)
    } catch (error) {
      signal.throwIfAborted()
      throw this.#told(error, query, untyped)
    }
  }

  async close(): Promise<void> {
    this.#pool.close()
  }

  #told(error: unknown, { source }: Query, { placeInQuery }: BoundStatement): Error {
    return postgresError(error, { server: this.#server, query: { source, placeInQuery } })
  }

  #inTransaction({ timeoutMs, signal, limits }: Query, bound: BoundStatement): Promise<QueryResult> {
    const parts = {
      pool: this.#pool,
      options: { isReadOnly: this.#isReadOnly, timeoutMs },
      signal,
      server: this.#server,
      isAnswer
    }
    return runInTransaction(parts, (session) => readRows(session, limits, bound))
  }
}

async function readRows(
  session: PostgresSession,
  limits: RowLimits,
  { text, values }: BoundStatement
): Promise<QueryResult> {
  const collector = new RowCollector(limits)
  let read: ReturnType<typeof readerOf>[] | undefined
  const describe = (fields: readonly PgField[]) => {
    collector.columns = fields.map(({ name }) => name)
    return fields.map(({ dataTypeID }) => readerOf(dataTypeID))
  }
  const { rowCount } = await session.ask({ text, values: values.map(writeValue) }, (row, fields) => {
    read ??= describe(fields)
    const readers = read
    collector.add(row.map((value, index) => (value === null ? null : readers[index]!(value))))
  })
  return { rows: collector.rows, count: rowCount ?? collector.rows.length }
}
