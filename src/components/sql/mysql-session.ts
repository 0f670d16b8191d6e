import type { Connection, FieldPacket, ResultSetHeader } from 'mysql2'
import type { OpenConnection, OutputLimit } from '../../plugin-api.ts'
import type { SqlValue } from './bind-statement.ts'
import type { GuardedSocket } from './guarded-socket.ts'
import type { MessageBounds } from './message-bounds.ts'
import { COLLATION, CONNECT_WITHIN_MS, type MySql, openClient } from './mysql-client.ts'
import { writeValue } from './mysql-values.ts'
import { orAborted } from './or-aborted.ts'
import type { ServerSession, TransactionOptions } from './run-in-transaction.ts'

const AS_SIGNED_IN = `sql_mode = concat(@@sql_mode, ',IGNORE_SPACE'), names utf8mb4 collate ${COLLATION.toLowerCase()}`

export type OnRow = (row: readonly unknown[], fields: readonly FieldPacket[]) => void

/** What the server says in its first words. */
interface Handshake {
  readonly serverVersion?: string
}

/** A session with MySQL or MariaDB, through the guard. */
export class MySqlSession implements ServerSession {
  readonly isPipelined = false
  readonly #mysql: MySql
  readonly #client: Connection
  readonly #socket: GuardedSocket
  readonly #bounds: MessageBounds
  readonly #connection: OpenConnection
  /** The driver forgets what is under way when it is told to hang up. */
  readonly #hungUp = Promise.withResolvers<never>()
  #isUsable = true
  #isMariaDb = false
  #isAnswered = true

  private constructor(mysql: MySql, connection: OpenConnection) {
    this.#mysql = mysql
    this.#connection = connection
    const { client, socket, bounds } = openClient(mysql, connection)
    this.#client = client
    this.#socket = socket
    this.#bounds = bounds
    this.#hungUp.promise.catch(() => {})
    const end = () => {
      this.#isUsable = false
    }
    // Also what happens to a session that nobody uses: without a listener it would end the process.
    this.#client.on('error', end)
    this.#client.on('end', end)
  }

  static async open(connection: OpenConnection, signal: AbortSignal): Promise<MySqlSession> {
    const { default: mysql } = await import('mysql2')
    signal.throwIfAborted()
    const session = new MySqlSession(mysql, connection)
    try {
      await orAborted(
        signal,
        () => session.destroy(),
        () => session.#connected()
      )
      return session
    } catch (error) {
      session.destroy()
      throw error
    }
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  async begin({ isReadOnly, timeoutMs }: TransactionOptions): Promise<void> {
    this.#isAnswered = false
    await this.#set(timeoutMs)
    await this.#say(isReadOnly ? 'start transaction read only' : 'start transaction')
    this.#isAnswered = true
  }

  commit(): Promise<void> {
    const committed = this.#say('commit')
    this.#reset()
    return committed
  }

  rollback(): Promise<void> {
    const undone = this.#say('rollback')
    this.#reset()
    return undone
  }

  /** Goes behind whatever ends the transaction, and before whatever comes next. A session that cannot be reset is ended. */
  #reset(): void {
    this.#client.reset((error) => {
      if (error) this.destroy()
    })
  }

  /** One statement, prepared by the server; rows are handed over as they come. Resolves to what it says of a change. */
  ask(
    { text, values }: { readonly text: string; readonly values: readonly SqlValue[] },
    onRow: OnRow,
    output: OutputLimit
  ): Promise<ResultSetHeader | undefined> {
    this.#bounds.allow(output)
    const types = this.#mysql.TypedParameter
    const written = values.map((value) => writeValue(value, types))
    return this.#untilHungUp((resolve, reject) => {
      let columns: readonly FieldPacket[] | undefined
      let header: ResultSetHeader | undefined
      let results = 0
      let isOver = false
      const stop = (error: unknown) => {
        isOver = true
        reject(error)
      }
      const command = this.#client.execute({ sql: text, values: written })
      command.on('fields', (fields: FieldPacket[] | undefined) => {
        columns = fields
        if (fields !== undefined) results += 1
      })
      command.on('result', (row: unknown) => {
        if (columns === undefined) header = row as ResultSetHeader
        // A procedure may give several tables, and a step has one.
        else if (results === 1 && !isOver) this.#handOver(() => onRow(row as unknown[], columns!), stop)
      })
      command.on('error', reject)
      command.on('end', () => resolve(header))
    })
  }

  interrupt(): void {
    if (!this.#isUsable) return
    const { threadId } = this.#client
    this.destroy()
    const { client: killer, socket } = openClient(this.#mysql, this.#connection)
    const hangUp = () => {
      clearTimeout(timer)
      killer.destroy()
      socket.destroy()
    }
    const timer = setTimeout(hangUp, CONNECT_WITHIN_MS).unref()
    // Nobody hears whether it came too late.
    killer.on('error', hangUp)
    killer.query(`kill ${Number(threadId)}`, hangUp)
  }

  destroy(): void {
    this.#isUsable = false
    this.#client.destroy()
    this.#socket.destroy()
    this.#hungUp.reject(new Error('The session was ended.'))
  }

  #connected(): Promise<void> {
    return this.#untilHungUp((resolve, reject) => {
      this.#client.once('connect', (handshake: Handshake) => {
        this.#isMariaDb = /mariadb/i.test(handshake.serverVersion ?? '')
        resolve()
      })
      this.#client.once('error', (error) => reject(this.#withTlsCode(error)))
    })
  }

  /** The driver puts a code of its own in the place of what is wrong with a certificate. */
  #withTlsCode(error: Error): Error {
    const { stream } = this.#client as unknown as {
      readonly stream?: { readonly authorizationError?: unknown }
    }
    const code = stream?.authorizationError
    return typeof code === 'string' ? Object.assign(error, { code }) : error
  }

  #untilHungUp<R>(
    work: (resolve: (result: R) => void, reject: (error: unknown) => void) => void
  ): Promise<R> {
    return Promise.race([new Promise<R>(work), this.#hungUp.promise])
  }

  #say(text: string): Promise<void> {
    return this.#untilHungUp((resolve, reject) => {
      this.#client.query(text, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  /** The server ends what takes longer; MySQL only where it reads. The rest is as signing in sets it, which a reset undoes. */
  #set(timeoutMs: number): Promise<void> {
    const time = this.#isMariaDb
      ? `max_statement_time = ${timeoutMs / 1000}`
      : `max_execution_time = ${timeoutMs}`
    return this.#say(`set session ${time}, ${AS_SIGNED_IN}`)
  }

  #handOver(take: () => void, fail: (error: unknown) => void): void {
    try {
      take()
    } catch (error) {
      fail(error)
      this.interrupt()
    }
  }
}
