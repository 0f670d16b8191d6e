import type { FieldPacket } from 'mysql2'
import type { OpenConnection } from '../../plugin-api.ts'
import { type BoundStatement, bindStatement } from './bind-statement.ts'
import { RowCollector, type RowLimits } from './collect-rows.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { Database, Query, QueryResult } from './database.ts'
import { MYSQL } from './dialect.ts'
import { isAnswer, mySqlError } from './mysql-errors.ts'
import { addressOf, MySqlSession } from './mysql-session.ts'
import { readColumn } from './mysql-values.ts'
import { runInTransaction } from './run-in-transaction.ts'
import { sqlError } from './sql-errors.ts'

/** Of one process, for one connection. */
const MOST_SESSIONS = 10

/** What the server is given beyond its own time to say so itself. */
const GRACE_MS = 1_000

/** MySQL or MariaDB through a connection. */
export class MySqlDatabase implements Database {
  readonly dialect = MYSQL
  readonly #pool: ConnectionPool<MySqlSession>
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
        MySqlSession.open(connection, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          throw mySqlError(error, this.#server)
        })
    })
  }

  async run(query: Query): Promise<QueryResult> {
    const bound = bindStatement(query.statement, query.valueFor, MYSQL)
    try {
      return await this.#inTransaction(query, bound)
    } catch (error) {
      query.signal.throwIfAborted()
      throw mySqlError(error, this.#server)
    }
  }

  async close(): Promise<void> {
    this.#pool.close()
  }

  #inTransaction({ timeoutMs, signal, limits }: Query, bound: BoundStatement): Promise<QueryResult> {
    const parts = {
      pool: this.#pool,
      options: { isReadOnly: this.#isReadOnly, timeoutMs },
      signal,
      server: this.#server,
      isAnswer
    }
    return runInTransaction(parts, (session) =>
      inTime(session, timeoutMs, () => readRows(session, limits, bound))
    )
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
  const header = await session.ask(bound, (row, fields) => {
    read ??= describe(fields)
    const readers = read
    collector.add(row.map((value, index) => readers[index]!(value)))
  })
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
