import type { OpenConnection, StepError } from '../../plugin-api.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { Query } from './database.ts'
import { runInTransaction, type ServerSession } from './run-in-transaction.ts'

/** Of one process, for one connection. */
const MOST_SESSIONS = 10

interface ServerDriver<S extends ServerSession> {
  address(connection: OpenConnection): { readonly host: string; readonly port: number }
  open(connection: OpenConnection, signal: AbortSignal): Promise<S>
  /** Whether the server said so itself, on a session that goes on. */
  isAnswer(error: unknown): boolean
  toStepError(error: unknown, server: string): StepError
}

/** The transactions of one database server, over a pool of sessions. */
export class ServerTransactions<S extends ServerSession> {
  /** Host and port, for messages. */
  readonly server: string
  readonly #isReadOnly: boolean
  readonly #isAnswer: (error: unknown) => boolean
  readonly #pool: ConnectionPool<S>

  constructor(connection: OpenConnection, driver: ServerDriver<S>) {
    const { host, port } = driver.address(connection)
    this.server = `${host}:${port}`
    this.#isReadOnly = connection.settings.read_only === true
    this.#isAnswer = (error) => driver.isAnswer(error)
    this.#pool = new ConnectionPool({
      most: MOST_SESSIONS,
      now: () => performance.now(),
      open: (signal) =>
        driver.open(connection, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          throw driver.toStepError(error, this.server)
        })
    })
  }

  run<R>({ timeoutMs, signal, onCommit }: Query, work: (session: S) => Promise<R>): Promise<R> {
    const parts = {
      pool: this.#pool,
      options: { isReadOnly: this.#isReadOnly, timeoutMs },
      signal,
      server: this.server,
      isAnswer: this.#isAnswer,
      onCommit
    }
    return runInTransaction(parts, work)
  }

  close(): void {
    this.#pool.close()
  }
}
