import type { OpenConnection } from '../../plugin-api.ts'
import { type BoundStatement, bindStatement } from './bind-statement.ts'
import { RowCollector, type RowLimits } from './collect-rows.ts'
import type { Database, Query, QueryResult } from './database.ts'
import { POSTGRES } from './dialect.ts'
import { isAnswer, isTypeMismatch, postgresError } from './postgres-errors.ts'
import type { OnRow, PgField } from './postgres-exchange.ts'
import { addressOf, PostgresSession } from './postgres-session.ts'
import { readerOf, withType, writeValue } from './postgres-values.ts'
import { ServerTransactions } from './server-transactions.ts'

/** PostgreSQL through a connection. */
export class PostgresDatabase implements Database {
  readonly dialect = POSTGRES
  readonly #transactions: ServerTransactions<PostgresSession>

  constructor(connection: OpenConnection) {
    this.#transactions = new ServerTransactions(connection, {
      address: addressOf,
      open: PostgresSession.open,
      isAnswer,
      toStepError: (error, server) => postgresError(error, { server })
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
    this.#transactions.close()
  }

  #told(error: unknown, { source }: Query, { placeInQuery }: BoundStatement): Error {
    return postgresError(error, { server: this.#transactions.server, query: { source, placeInQuery } })
  }

  #inTransaction(query: Query, bound: BoundStatement): Promise<QueryResult> {
    return this.#transactions.run(query, (session) => readRows(session, query.limits, bound))
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
  const onRow: OnRow = (row, fields) => {
    read ??= describe(fields)
    const readers = read
    const values = row.map((value, index) => (value === null ? null : readers[index]!(value)))
    collector.add(values, row)
  }
  const { rowCount } = await session.ask({ text, values: values.map(writeValue) }, onRow, limits.output)
  return { rows: collector.rows, count: rowCount ?? collector.rows.length }
}
