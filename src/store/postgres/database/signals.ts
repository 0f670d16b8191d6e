import { Client as DriversClient } from 'pg'
import type { Signal, Signals } from '../../shared-store.ts'
import { ASK_SERVER_AFTER_MS, sessionOptions } from './session-settings.ts'
import { GatheredSignals, readSignal } from './signal-codec.ts'
import { SYSTEM_TIMING, type Timing } from './timing.ts'

interface SignalsOptions {
  readonly url: string
  /** Tells this process's own signals from those of others. */
  readonly processId: string
  readonly onError: (error: unknown, doing: string) => void
  readonly Client?: typeof DriversClient | undefined
  readonly timing?: Timing | undefined
}

const CHANNEL = 'millrace'
/** Under load so many signals are one: at most 50 per second and process. */
const GATHER_MS = 20
/** Text is dropped, and not kept, for a database that does not keep up: it is whole in the result of its step. */
const MOST_UNSENT = 64
const RECONNECT_MS = { first: 200, longest: 5_000 } as const
/** A connection that broke without a word is noticed by this. */
const CHECK_MS = 10_000
const ANSWER_MS = 5_000

/**
 * LISTEN and NOTIFY on one connection of its own. It does not wait for the disk: a signal that a crash of the
 * database loses is found out by looking. Sent after the transaction that it tells of and not with it, because a
 * NOTIFY in a transaction makes all others that have one wait until it is committed.
 */
export class PostgresSignals implements Signals {
  readonly #options: SignalsOptions
  readonly #timing: Timing
  readonly #listeners = new Set<(signal: Signal) => void>()
  #client: DriversClient | undefined
  #isClosed = false
  #timer: { stop(): void } | undefined
  #check: { stop(): void } | undefined
  #waitMs: number = RECONNECT_MS.first
  readonly #gathered = new GatheredSignals()
  #lastSent = 0
  #sending: Promise<void> = Promise.resolve()
  /** Payloads that the database has not taken yet. */
  #unsent = 0
  #sendTimer: { stop(): void } | undefined

  constructor(options: SignalsOptions) {
    this.#options = options
    this.#timing = options.timing ?? SYSTEM_TIMING
  }

  async start(): Promise<void> {
    await this.#connect()
  }

  tell(signal: Signal): void {
    this.#gathered.add(signal)
    if (this.#sendTimer !== undefined || this.#isClosed) return
    const rest = Math.max(0, this.#lastSent + GATHER_MS - this.#timing.stopwatch())
    this.#sendTimer = this.#timing.startTimer(rest, () => void this.flush())
  }

  /** To all processes, and to this one at once: for what the store itself has found out. */
  announce(signal: Signal): void {
    this.tell(signal)
    this.#deliver(signal)
  }

  flush(): Promise<void> {
    this.#sendTimer?.stop()
    this.#sendTimer = undefined
    if (this.#unsent > MOST_UNSENT) this.#gathered.dropText()
    const payloads = this.#gathered.take(this.#options.processId)
    this.#unsent += payloads.length
    this.#lastSent = this.#timing.stopwatch()
    if (payloads.length > 0) this.#sending = this.#sending.then(() => this.#send(payloads))
    return this.#sending
  }

  listen(listener: (signal: Signal) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.flush()
    this.#isClosed = true
    for (const timer of [this.#timer, this.#check, this.#sendTimer]) timer?.stop()
    await this.#client?.end().catch(() => {})
  }

  /** Never rejects: what cannot be told is found out by looking, but for waits that have ended, and answers: those are told later. */
  async #send(payloads: readonly string[]): Promise<void> {
    const client = this.#client
    const telling = async (payload: string) => client!.query('SELECT pg_notify($1, $2)', [CHANNEL, payload])
    for (const payload of payloads) {
      await telling(payload).catch(() => {
        const { woken = [], answered = [] } = readSignal(payload) ?? {}
        this.#gathered.add({ woken, answered })
      })
      this.#unsent--
    }
  }

  async #connect(): Promise<void> {
    const { Client = DriversClient } = this.#options
    const client = new Client({
      connectionString: this.#options.url,
      application_name: 'millrace signals',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: ASK_SERVER_AFTER_MS,
      options: sessionOptions(['synchronous_commit=off'])
    })
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      // The next attempt opens another one: this one would stay open for good.
      client.end().catch(() => {})
      throw error
    }
    if (this.#isClosed) return client.end()
    this.#client = client
    this.#waitMs = RECONNECT_MS.first
    this.#checkSoon(client)
  }

  #lost(client: DriversClient): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#check?.stop()
    client.end().catch(() => {})
    this.#reconnectSoon()
  }

  #reconnectSoon(): void {
    if (this.#isClosed) return
    this.#timer = this.#timing.startTimer(this.#waitMs, () => {
      this.#connect().then(
        () => {
          void this.flush()
          this.#deliver({ missed: true })
        },
        (error) => {
          if (this.#waitMs === RECONNECT_MS.longest)
            this.#options.onError(error, 'listening to other processes')
          this.#waitMs = Math.min(this.#waitMs * 2, RECONNECT_MS.longest)
          this.#reconnectSoon()
        }
      )
    })
  }

  #checkSoon(client: DriversClient): void {
    this.#check = this.#timing.startTimer(CHECK_MS, () => {
      client.query('SELECT 1').then(
        () => this.#checkSoon(client),
        () => this.#lost(client)
      )
    })
  }

  #receive(payload: string): void {
    const signal = readSignal(payload)
    if (signal !== undefined && signal.from !== this.#options.processId) this.#deliver(signal)
  }

  #deliver(signal: Signal): void {
    for (const listener of this.#listeners) listener(signal)
  }
}
