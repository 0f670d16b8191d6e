import type { Socket } from 'node:net'
import type { Client, ClientConfig, Query as PgQuery, QueryArrayConfig } from 'pg'
import type { OpenConnection } from '../../plugin-api.ts'
import { orAborted } from './or-aborted.ts'
import type { ServerSession, TransactionOptions } from './run-in-transaction.ts'
import type { DatabaseSettings } from './server-settings.ts'

type Pg = Pick<typeof import('pg'), 'Client' | 'Query'>

/** A connection that does not come about in this time will not. */
const CONNECT_WITHIN_MS = 10_000

/** A session with PostgreSQL, through the guard. */
export class PostgresSession implements ServerSession {
  readonly isPipelined = true
  readonly #client: Client
  readonly #pg: Pg
  readonly #connection: OpenConnection
  #isUsable = true
  /** Dates are read in this form; most servers write no other. */
  #writesIso = false

  private constructor(pg: Pg, client: Client, connection: OpenConnection) {
    this.#pg = pg
    this.#client = client
    this.#connection = connection
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

  static async open(connection: OpenConnection, signal: AbortSignal): Promise<PostgresSession> {
    const { default: pg } = await import('pg')
    const client = new pg.Client(configOf(connection))
    const session = new PostgresSession(pg, client, connection)
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

  async begin({ isReadOnly, timeoutMs }: TransactionOptions): Promise<void> {
    // What is set so ends with the transaction, also behind a pooler that shares sessions.
    const texts = [
      isReadOnly ? 'begin read only' : 'begin',
      `set local statement_timeout = ${timeoutMs}`,
      ...(this.#writesIso ? [] : ["set local datestyle = 'ISO'"])
    ]
    this.#sendTogether()
    await this.#client.query(texts.join('; '))
  }

  /** What is sent until the end of this tick is one packet: a write takes longer than all else that the driver does. */
  #sendTogether(): void {
    const { stream } = innerOf(this.#client).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  async commit(): Promise<void> {
    await this.#client.query('commit')
  }

  async rollback(): Promise<void> {
    await this.#client.query('rollback')
  }

  /** One statement by the extended protocol, which takes no second one; rows are handed over as they come. */
  ask(
    { text, values }: { readonly text: string; readonly values: readonly (string | null)[] },
    onRow: (row: readonly (string | null)[], fields: readonly PgField[]) => void
  ): Promise<{ readonly fields: readonly PgField[]; readonly rowCount: number | null }> {
    const config: QueryArrayConfig & { readonly queryMode: 'extended' } = {
      text,
      values: [...values],
      rowMode: 'array',
      queryMode: 'extended',
      types: { getTypeParser: () => (value: string) => value } as never
    }
    return new Promise((resolve, reject) => {
      const query: PgQuery = this.#client.query(new this.#pg.Query(config))
      query.on('row', (row, result) => {
        try {
          onRow(row as unknown as (string | null)[], result?.fields ?? [])
        } catch (error) {
          reject(error)
          this.interrupt()
        }
      })
      query.on('end', ({ fields, rowCount }) => resolve({ fields, rowCount }))
      query.on('error', reject)
    })
  }

  interrupt(): void {
    if (!this.#isUsable) return
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
    socket.resume()
  }

  destroy(): void {
    this.#isUsable = false
    innerOf(this.#client).connection.stream.destroy()
  }
}

/** What the driver has and its types do not tell. */
interface InnerClient {
  readonly processID: number
  readonly secretKey: number
  readonly connection: {
    readonly stream: Pick<Socket, 'destroy' | 'cork' | 'uncork'>
    on(
      event: 'parameterStatus',
      listener: (status: { readonly parameterName: string; readonly parameterValue: string }) => void
    ): void
  }
}

function innerOf(client: Client): InnerClient {
  return client as unknown as InnerClient
}

export interface PgField {
  readonly name: string
  readonly dataTypeID: number
}

export function addressOf({ settings }: OpenConnection): { readonly host: string; readonly port: number } {
  const { host, port = 5432 } = settings as { host: string; port?: number }
  return { host, port }
}

function configOf(connection: OpenConnection): ClientConfig & { readonly pipeline: true } {
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
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS
  }
}
