import type { Socket } from 'node:net'
import type { Client, ClientConfig } from 'pg'
import type { OpenConnection, OutputLimit } from '../../plugin-api.ts'
import { type ExchangeClient, ExchangeLine } from './exchange-line.ts'
import type { GuardedSocket } from './guarded-socket.ts'
import { MessageBounds, POSTGRES_FRAMING } from './message-bounds.ts'
import { orAborted } from './or-aborted.ts'
import { type OnRow, type PgAnswer, PostgresExchange } from './postgres-exchange.ts'
import {
  NO_MESSAGES,
  type Statement,
  silentStatements,
  simpleQuery,
  statementMessages
} from './postgres-messages.ts'
import type { ServerSession, TransactionOptions } from './run-in-transaction.ts'
import type { DatabaseSettings } from './server-settings.ts'

/** A connection that does not come about in this time will not. */
const CONNECT_WITHIN_MS = 10_000

const COMMIT = simpleQuery('commit')
const ROLLBACK = simpleQuery('rollback')
/** Temporary tables, settings, locks, plans, cursors and what is listened to: all that a session has besides its database. */
const RESET = simpleQuery('discard all')

/** A session with PostgreSQL, through the guard. */
export class PostgresSession implements ServerSession {
  readonly isPipelined = true
  readonly #client: Client
  readonly #line: ExchangeLine
  readonly #connection: OpenConnection
  readonly #bounds = new MessageBounds(POSTGRES_FRAMING)
  #isUsable = true
  /** Dates are read in this form; most servers write no other. */
  #writesIso = false
  /** Most transactions begin as the one before: to write that anew took longer than the statement itself. */
  #lastBegun: Begun | undefined
  /** What goes with the next statement. */
  #begin = NO_MESSAGES
  /** The last statement of this transaction. */
  #asked: PostgresExchange | undefined
  #isCommitting = false
  #isToBeCutOff = false

  private constructor(client: Client, connection: OpenConnection) {
    this.#client = client
    this.#line = new ExchangeLine(innerOf(client))
    this.#connection = connection
    this.#guard()
    // Also what the server says to a session that nobody uses: without a listener it would end the process.
    client.on('error', () => {
      this.#isUsable = false
    })
    client.on('end', () => {
      this.#isUsable = false
    })
    innerOf(client).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'DateStyle') this.#writesIso = parameterValue.startsWith('ISO')
    })
  }

  /** Where it is to be encrypted, the driver reads its messages from another stream than the socket. */
  #guard(): void {
    const { connection } = innerOf(this.#client)
    const socket = connection.stream as GuardedSocket
    const { look } = this.#bounds
    if (this.#connection.settings.ssl)
      connection.on('sslconnect', () => socket.guard(connection.stream, look))
    else socket.guard(socket, look)
  }

  static async open(connection: OpenConnection, signal: AbortSignal): Promise<PostgresSession> {
    const { default: pg } = await import('pg')
    const client = new pg.Client(configOf(connection))
    const session = new PostgresSession(client, connection)
    try {
      await orAborted(
        signal,
        () => session.destroy(),
        () => client.connect()
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
    return this.#asked?.isAnswered ?? false
  }

  /** It goes with the first statement. */
  async begin(options: TransactionOptions): Promise<void> {
    this.#begin = this.#beginning(options)
    this.#asked = undefined
  }

  #beginning({ isReadOnly, timeoutMs }: TransactionOptions): Buffer {
    const writesIso = this.#writesIso
    const last = this.#lastBegun
    if (last?.isReadOnly === isReadOnly && last.timeoutMs === timeoutMs && last.writesIso === writesIso)
      return last.messages
    // What is set so ends with the transaction, also behind a pooler that shares sessions.
    const messages = silentStatements([
      isReadOnly ? 'begin read only' : 'begin',
      `set local statement_timeout = ${timeoutMs}`,
      ...(writesIso ? [] : ["set local datestyle = 'ISO'"])
    ])
    this.#lastBegun = { isReadOnly, timeoutMs, writesIso, messages }
    return messages
  }

  /** One statement by the extended protocol, which takes no second one; rows are handed over as they come. */
  ask(statement: Statement, onRow: OnRow, output: OutputLimit): Promise<PgAnswer> {
    this.#bounds.allow(output)
    let isOver = false
    const exchange: PostgresExchange = new PostgresExchange((row, fields) => {
      // The driver hands over what has come with the row that was too much.
      if (isOver) return
      try {
        onRow(row, fields)
      } catch (error) {
        isOver = true
        exchange.fail(error)
        this.interrupt()
      }
    })
    this.#asked = exchange
    const begin = this.#begin
    this.#begin = NO_MESSAGES
    return this.#line.send(statementMessages(statement, begin), exchange)
  }

  async commit(): Promise<void> {
    this.#isCommitting = true
    this.#line.sendTogether()
    const committed = this.#line.send(COMMIT, new PostgresExchange())
    this.#reset()
    try {
      await committed
    } finally {
      this.#isCommitting = false
      if (this.#isToBeCutOff) this.#cutOff()
    }
  }

  async rollback(): Promise<void> {
    this.#line.sendTogether()
    const undone = this.#line.send(ROLLBACK, new PostgresExchange())
    this.#reset()
    await undone
  }

  /**
   * Goes behind whatever ends the transaction, and before whatever comes next: nobody waits for it. A session that cannot be
   * reset is ended, with the next transaction, which is then begun on another one.
   */
  #reset(): void {
    const reset = new PostgresExchange()
    // At once: the answers to the next transaction may have come with the refusal, and they are those of a session that was not reset.
    reset.whenFailed(() => {
      this.#line.cut(new Error('The session could not be reset.'))
      this.destroy()
    })
    this.#line.send(RESET, reset).catch(() => {})
  }

  interrupt(): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    // It is of the step before, and nobody could say what came of it: what follows it is cut off when it is answered.
    this.#isToBeCutOff = this.#isCommitting
    if (!this.#isCommitting) this.#cutOff()
  }

  #cutOff(): void {
    const { processID, secretKey } = innerOf(this.#client)
    this.destroy()
    const { host, port } = addressOf(this.#connection)
    const socket = this.#connection.socket() as Socket
    const request = Buffer.alloc(16)
    // CancelRequest: its length, its code, and whose statement it is.
    for (const [index, part] of [16, 80_877_102, processID, secretKey].entries())
      request.writeInt32BE(part | 0, 4 * index)
    // The server closes it. Nobody hears whether it came too late.
    socket.on('error', () => socket.destroy())
    socket.setTimeout(CONNECT_WITHIN_MS, () => socket.destroy())
    socket.connect(port, host)
    socket.end(request)
    // It has nothing to say.
    socket.on('data', () => socket.destroy())
  }

  destroy(): void {
    this.#isUsable = false
    this.#isToBeCutOff = false
    innerOf(this.#client).connection.stream.destroy()
  }
}

interface Begun extends TransactionOptions {
  readonly writesIso: boolean
  readonly messages: Buffer
}

/** What the driver has and its types do not tell. */
interface InnerClient extends ExchangeClient {
  readonly processID: number
  readonly secretKey: number
  readonly connection: ExchangeClient['connection'] & {
    readonly stream: Socket
    on(event: 'sslconnect', listener: () => void): void
    on(
      event: 'parameterStatus',
      listener: (status: { readonly parameterName: string; readonly parameterValue: string }) => void
    ): void
  }
}

function innerOf(client: Client): InnerClient {
  return client as unknown as InnerClient
}

export function addressOf({ settings }: OpenConnection): { readonly host: string; readonly port: number } {
  const { host, port = 5432 } = settings as { host: string; port?: number }
  return { host, port }
}

function configOf(connection: OpenConnection): ClientConfig {
  const { settings, secrets } = connection
  const { database, user, ssl, ca } = settings as unknown as DatabaseSettings
  return {
    ...addressOf(connection),
    database,
    user,
    // A function, since the driver reads the variables and files of its own environment in place of an empty text.
    password: () => secrets.password ?? '',
    ssl: ssl ? { rejectUnauthorized: ssl !== 'no-verify', ...(ca === undefined ? {} : { ca }) } : false,
    stream: () => connection.socket() as Socket,
    application_name: 'millrace',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS
  }
}
