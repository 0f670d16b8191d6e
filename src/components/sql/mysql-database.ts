import type { FieldPacket } from 'mysql2'
import { type OpenConnection, StepError } from '../../plugin-api.ts'
import { type BoundStatement, bindStatement } from './bind-statement.ts'
import { RowCollector, type RowLimits } from './collect-rows.ts'
import type { Database, Query, QueryResult } from './database.ts'
import { MYSQL } from './dialect.ts'
import { addressOf } from './mysql-client.ts'
import { isAnswer, mySqlError } from './mysql-errors.ts'
import { MySqlSession, type OnRow } from './mysql-session.ts'
import { readColumn } from './mysql-values.ts'
import { ServerTransactions } from './server-transactions.ts'
import { commitUnknown, sqlError } from './sql-errors.ts'

/** What the server is given beyond its own time to say so itself. */
const GRACE_MS = 1_000

/** MySQL or MariaDB through a connection. */
export class MySqlDatabase implements Database {
  readonly dialect = MYSQL
  readonly #transactions: ServerTransactions<MySqlSession>

  constructor(connection: OpenConnection) {
    this.#transactions = new ServerTransactions(connection, {
      address: addressOf,
      open: MySqlSession.open,
      isAnswer,
      toStepError: mySqlError
    })
  }

  async run(query: Query): Promise<QueryResult> {
    const bound = bindStatement(query.statement, query.valueFor, MYSQL)
    try {
      return await this.#inTransaction(query, bound)
    } catch (error) {
      query.signal.throwIfAborted()
      throw mySqlError(error, this.#transactions.server)
    }
  }

  async close(): Promise<void> {
    this.#transactions.close()
  }

  #inTransaction(query: Query, bound: BoundStatement): Promise<QueryResult> {
    const { timeoutMs, limits } = query
    return this.#transactions.run(query, (session) =>
      inTime(session, timeoutMs, () => maybeCommitting(query, () => readRows(session, limits, bound)))
    )
  }
}

/** MySQL commits by itself what changes more than rows, such as CREATE TABLE, and whatever a procedure says. */
const WAITS_FOR_COMMIT: readonly string[] = [
  ...['select', 'insert', 'update', 'delete', 'replace', 'with', 'values', 'table'],
  ...['show', 'describe', 'desc', 'explain', 'do']
]

async function maybeCommitting<R>({ statement, onCommit }: Query, work: () => Promise<R>): Promise<R> {
  if (WAITS_FOR_COMMIT.includes(statement.verb)) return work()
  onCommit()
  try {
    return await work()
  } catch (error) {
    if (isAnswer(error) || error instanceof StepError) throw error
    throw commitUnknown(`The connection was lost during a statement that commits by itself`, error)
  }
}

async function readRows(
  session: MySqlSession,
  limits: RowLimits,
  bound: BoundStatement
): Promise<QueryResult> {
  const collector = new RowCollector(limits)
  let read: ReturnType<typeof readColumn>[] | undefined
  const describe = (fields: readonly FieldPacket[]) => {
    collector.columns = fields.map(({ name }) => name)
    return fields.map(readColumn)
  }
  const onRow: OnRow = (row, fields) => {
    read ??= describe(fields)
    const readers = read
    collector.add(row.map((value, index) => readers[index]!(value)))
  }
  const header = await session.ask(bound, onRow, limits.output)
  const { rows } = collector
  if (header === undefined || rows.length > 0) return { rows, count: rows.length }
  const { affectedRows, insertId } = header
  return { rows, count: affectedRows, ...(insertId ? { lastId: insertId } : {}) }
}

/** MySQL ends only what reads by itself; the rest is ended from here. */
async function inTime<R>(session: MySqlSession, timeoutMs: number, work: () => Promise<R>): Promise<R> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    session.interrupt()
  }, timeoutMs + GRACE_MS)
  try {
    return await work()
  } catch (error) {
    throw isLate ? sqlError('sql_timeout', `The query took longer than ${timeoutMs} ms`, error) : error
  } finally {
    clearTimeout(timer)
  }
}
