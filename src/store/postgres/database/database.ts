import { type Client, Pool, type PoolClient, type QueryResult, types } from 'pg'
import { ASK_SERVER_AFTER_MS, sessionOptions } from './session-settings.ts'
import { storableValues } from './storable-text.ts'
import { asStoreError, storeClosed } from './unavailable.ts'

interface DatabaseOptions {
  readonly url: string
  /** All connections of this process together, without the one that listens. */
  readonly connections: number
  /** How long a transaction may stand still between two statements, where it is another time than others have. */
  readonly idleInTransactionMs?: number
  /** What talks to the server in place of the driver's own. */
  readonly Client?: typeof Client | undefined
  readonly poolTimes?: PoolTimes | undefined
}

/** By the machine's own clock; 0 is for ever. */
export interface PoolTimes {
  /** Who waits longer than this for a connection is told that the database is away. */
  readonly connectMs: number
  /** A connection that nobody used for so long is closed. */
  readonly idleMs: number
}

/** A statement that is prepared once per connection. The name has to be different for every text. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

export type Query = <Row>(text: string | Prepared, values?: readonly unknown[]) => Promise<Row[]>

const POOL_TIMES: PoolTimes = { connectMs: 5_000, idleMs: 60_000 }
/** A database that does not answer, as behind a broken network, must not hold a request for ever. */
const WRITE_MS = 15_000
const READ_MS = 60_000

/**
 * The writers' statements look up rows by their keys, a batch at a time, or take the next ones in the order of an
 * index, and nothing else. They must keep plans that do so, also when the tables were empty or full while they were
 * made: left alone, PostgreSQL thinks that hardly any job waits, and gathers and sorts all 30,000 of them to take up
 * 90 (250 instead of 70 µs for each). Not `enable_sort=off`: to do without sorting a batch it reads whole tables.
 */
const WRITER_SETTINGS = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off'
]

const READER_SETTINGS = ['jit=off']

/** Two pools, so that a long search never makes a webhook wait for a connection. */
export class Database {
  /** Where it is, without the password, for messages. */
  readonly place: string
  readonly #readers: Pool
  readonly #writers: Pool
  #closed: Promise<void> | undefined

  constructor({ url, connections, idleInTransactionMs, Client, poolTimes }: DatabaseOptions) {
    this.place = withoutPassword(url)
    const writers = Math.max(2, Math.ceil(connections / 3))
    const options = (settings: readonly string[]) => sessionOptions(settings, idleInTransactionMs)
    this.#readers = openPool({
      url,
      max: Math.max(2, connections - writers),
      timeout: READ_MS,
      options: options(READER_SETTINGS),
      Client,
      poolTimes
    })
    this.#writers = openPool({
      url,
      max: writers,
      timeout: WRITE_MS,
      options: options(WRITER_SETTINGS),
      Client,
      poolTimes
    })
  }

  /** For reads, and for writes that are rare. */
  readonly query: Query = async <Row>(text: string | Prepared, values: readonly unknown[] = []) => {
    try {
      return await run<Row>(this.#readers, text, storableValues(values))
    } catch (error) {
      throw this.#told(error)
    }
  }

  /** For batches. Rejects with the error as it is, for whoever gathers them to judge. */
  readonly write: Query = <Row>(text: string | Prepared, values: readonly unknown[] = []) =>
    run<Row>(this.#writers, text, values)

  /** For one of the writers' statements that is not part of a batch. */
  readonly writeTold: Query = async <Row>(text: string | Prepared, values: readonly unknown[] = []) => {
    try {
      return await this.write<Row>(text, values)
    } catch (error) {
      throw this.#told(error)
    }
  }

  /** For pg-boss, which reads the driver's own results: one per statement where the text has several. */
  async execute(text: string, values: readonly unknown[]): Promise<QueryResult> {
    return this.#readers.query(text, values as unknown[])
  }

  /** All that is queried inside becomes visible at once, or nothing of it. */
  async transaction<T>(
    body: (query: Query) => Promise<T>,
    on: 'readers' | 'writers' = 'readers'
  ): Promise<T> {
    try {
      return await transactionOn(on === 'readers' ? this.#readers : this.#writers, body)
    } catch (error) {
      throw this.#told(error)
    }
  }

  /** The same for batches: as `write`, it rejects with the error as it is. */
  writeTransaction<T>(body: (query: Query) => Promise<T>): Promise<T> {
    return transactionOn(this.#writers, body)
  }

  /** For work of several parts that is no batch: faults of the database are told as the rooms above know them. */
  async told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#told(error)
    }
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all([this.#readers.end(), this.#writers.end()]).then(() => undefined)
    return this.#closed
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  #told(error: unknown): unknown {
    return this.isClosed ? storeClosed(this.place) : asStoreError(this.place, error)
  }
}

async function transactionOn<T>(pool: Pool, body: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    return await inTransaction(client, body)
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // What is left of a transaction that could not be ended must not reach whoever gets the connection next.
    client.release(failure)
  }
}

async function inTransaction<T>(client: PoolClient, body: (query: Query) => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await body((text, values = []) => run(client, text, values))
    await client.query('COMMIT')
    return result
  } catch (error) {
    // When rolling back fails too, the connection goes; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function run<Row>(
  on: Pool | PoolClient,
  text: string | Prepared,
  values: readonly unknown[]
): Promise<Row[]> {
  const statement = typeof text === 'string' ? { text } : text
  return (await on.query({ ...statement, values: values as unknown[] })).rows as Row[]
}

interface PoolOptions extends Pick<DatabaseOptions, 'url' | 'Client' | 'poolTimes'> {
  readonly max: number
  readonly timeout: number
  readonly options: string
}

function openPool({ url, max, timeout, options, Client, poolTimes = POOL_TIMES }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: 'millrace',
    connectionTimeoutMillis: poolTimes.connectMs,
    idleTimeoutMillis: poolTimes.idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: ASK_SERVER_AFTER_MS,
    statement_timeout: timeout,
    // Longer than what the server is told: it is for a server that says nothing at all any more.
    query_timeout: timeout + 5_000,
    options,
    types: { getTypeParser },
    ...(Client !== undefined && { Client })
  })
  // A connection that breaks while nobody uses it is replaced by the next query, which tells if it cannot be.
  pool.on('error', () => {})
  // One that breaks between two statements of a transaction tells only itself: without this the process would end.
  // The next statement on it fails, and whoever sent that is told.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const BIGINT = 20

/** Numbers and times stay below 2^53 for longer than anybody runs anything. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === BIGINT ? Number : types.getTypeParser(oid, format as 'text')
}

export function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url)
    parsed.password = ''
    parsed.search = ''
    return parsed.href
  } catch {
    return 'DATABASE_URL'
  }
}
