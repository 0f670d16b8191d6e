import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OpenConnection, outputTooLarge } from '../../plugin-api.ts'
import { bindStatement } from './bind-statement.ts'
import { RowCollector, tooManyRows } from './collect-rows.ts'
import { ConnectionPool, type Session } from './connection-pool.ts'
import type { Database, Query, QueryResult } from './database.ts'
import { SQLITE } from './dialect.ts'
import { orAborted } from './or-aborted.ts'
import type { SqlStatement } from './read-statement.ts'
import { commitUnknown, sqlError } from './sql-errors.ts'
import { sqliteError } from './sqlite-errors.ts'
import {
  MORE,
  type SqliteAnswer,
  type SqliteRequest,
  type SqliteRows,
  type SqliteStart
} from './sqlite-messages.ts'
import { readValue, writeValue } from './sqlite-values.ts'

const PROGRAM = fileURLToPath(new URL(`./sqlite-process${extname(import.meta.url)}`, import.meta.url))

/** SQLite lets one write at a time, so the steps of one connection go one after the other. */
const ONE = 1

/** Statements that change nothing. */
const READS: readonly string[] = ['select', 'values', 'explain']

/** A database in a file, held by a process of its own; see there. */
export class SqliteDatabase implements Database {
  readonly dialect = SQLITE
  readonly #file: string
  readonly #isReadOnly: boolean
  readonly #pool: ConnectionPool<SqliteSession>

  constructor({ settings }: OpenConnection) {
    this.#file = resolve(String(settings.file))
    this.#isReadOnly = settings.read_only === true
    this.#pool = new ConnectionPool({
      most: ONE,
      now: () => performance.now(),
      open: async () =>
        new SqliteSession({ file: this.#file, isReadOnly: this.#isReadOnly, parent: process.pid })
    })
  }

  run(query: Query): Promise<QueryResult> {
    return this.#pool.withSession(query.signal, (session) => this.#runIn(session, query))
  }

  async close(): Promise<void> {
    this.#pool.close()
  }

  async #runIn(session: SqliteSession, query: Query): Promise<QueryResult> {
    const { statement, valueFor, limits, timeoutMs, signal, onCommit } = query
    const mayWrite = !this.#isReadOnly && !isRead(statement)
    const { text, values } = bindStatement(statement, valueFor, SQLITE)
    const request: SqliteRequest = {
      text,
      values: values.map(writeValue),
      maxRows: limits.maxRows,
      maxBytes: limits.output.bytes,
      mayWrite
    }
    // The process commits as soon as the statement is done.
    if (mayWrite) onCommit()
    const collector = new RowCollector(limits)
    const answer = await orAborted(
      signal,
      () => session.destroy(),
      () => session.ask(request, timeoutMs, collector)
    )
    if (answer.kind === 'error') throw sqliteError(answer, this.#file)
    if (answer.kind === 'too-much')
      throw answer.of === 'rows'
        ? tooManyRows(limits.maxRows)
        : outputTooLarge(limits.output, { advice: 'Select fewer rows or columns (LIMIT, WHERE)' })
    return { rows: collector.rows, count: answer.count }
  }
}

/** `with` begins a select, or what changes rows. */
function isRead({ verb, hasChangeWord }: SqlStatement): boolean {
  return READS.includes(verb) || (verb === 'with' && !hasChangeWord)
}

class SqliteSession implements Session {
  readonly #process: ChildProcess
  #isUsable = true

  constructor(start: SqliteStart) {
    this.#process = fork(PROGRAM, [JSON.stringify(start)], {
      // Nothing that the service knows is its business.
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced'
    })
    const end = () => {
      this.#isUsable = false
    }
    this.#process.on('error', end)
    this.#process.on('exit', end)
    // A process that waits for work does not keep the service from its end.
    this.#process.unref()
    this.#process.channel?.unref()
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  /** Rows are given to the collector as they come. */
  async ask(request: SqliteRequest, timeoutMs: number, collector: RowCollector): Promise<SqliteAnswer> {
    const answer = await this.#askFirst(request, timeoutMs)
    if (answer.kind !== 'result') return answer
    collector.columns = answer.columns
    let piece = answer.first
    for (;;) {
      for (const row of piece.rows) collector.add(row.map(readValue))
      if (piece.isLast) return answer
      piece = await this.#askMore(request)
    }
  }

  async #askFirst(request: SqliteRequest, timeoutMs: number): Promise<SqliteAnswer> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.destroy()
    }, timeoutMs)
    try {
      const answer = await this.#exchange<SqliteAnswer>(request)
      if (answer !== undefined) return answer
      throw isLate
        ? sqlError('sql_timeout', `The query took longer than ${timeoutMs} ms`)
        : endedInBetween(request.mayWrite)
    } finally {
      clearTimeout(timer)
    }
  }

  async #askMore({ mayWrite }: SqliteRequest): Promise<SqliteRows> {
    const rows = await this.#exchange<SqliteRows>(MORE)
    if (rows === undefined) throw endedInBetween(mayWrite)
    return rows
  }

  /** Undefined where the process has ended. */
  async #exchange<Answer>(message: SqliteRequest | typeof MORE): Promise<Answer | undefined> {
    if (!this.#process.connected) return undefined
    const over = new AbortController()
    this.#process.ref()
    this.#process.channel?.ref()
    try {
      const answered = once(this.#process, 'message', over).then(([answer]) => answer as Answer)
      const ended = once(this.#process, 'exit', over).then(() => undefined)
      this.#process.send(message)
      return await Promise.race([answered, ended])
    } finally {
      over.abort()
      this.#process.unref()
      this.#process.channel?.unref()
    }
  }

  destroy(): void {
    this.#isUsable = false
    this.#process.kill('SIGKILL')
  }
}

function endedInBetween(mayWrite: boolean): Error {
  const words = 'The process that holds the SQLite database ended before it answered'
  return mayWrite
    ? commitUnknown(`${words}: the change may have been made or not`)
    : sqlError('sql_connection_lost', words)
}
