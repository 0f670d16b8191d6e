import { Client as DriversClient } from 'pg'
import type { LibraryPart, Signal, Signals, TextPiece } from '../../shared-store.ts'
import { ASK_SERVER_AFTER_MS, sessionOptions } from './session-settings.ts'
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
/** PostgreSQL takes no more than 8,000 bytes. */
const MOST_BYTES = 7_500
/** Under load so many signals are one: at most 50 per second and process. */
const GATHER_MS = 20
/** A control character takes six bytes in JSON: so much fits into one signal, whatever it is. */
const MOST_TEXT = 1_000
/** Text is dropped, and not kept, for a database that does not keep up: it is whole in the result of its step. */
const MOST_UNSENT = 64
const RECONNECT_MS = { first: 200, longest: 5_000 } as const
/** A connection that broke without a word is noticed by this. */
const CHECK_MS = 10_000
const ANSWER_MS = 5_000

/** On the wire, short: `p` is who sends, the rest is as in Signal. */
interface Wire {
  readonly p: string
  readonly w?: string[]
  readonly c?: [flowId: string, no: number][]
  readonly s?: [part: LibraryPart, revision: number][]
  readonly b?: [part: LibraryPart, revision: number][]
  readonly x?: string[]
  readonly k?: string[]
  readonly e?: string[]
  readonly l?: (string | null)[]
  readonly q?: [1]
  readonly d?: [flowId: string, runId: string, node: string, at: number, text: string][]
}

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
  #gathered = new Gathered()
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

  /** Never rejects: what cannot be told is found out by looking. */
  async #send(payloads: readonly string[]): Promise<void> {
    const client = this.#client
    for (const payload of payloads) {
      await client?.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {})
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
        () => this.#deliver({ missed: true }),
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
    const wire = readWire(payload)
    if (wire === undefined || wire.p === this.#options.processId) return
    const { p, w, c, s, b, x, k, e, l, q, d } = wire
    this.#deliver({
      ...(p && { from: p }),
      ...(w && { work: w }),
      ...(c && { changed: Object.fromEntries(c) }),
      ...(s && { saved: Object.fromEntries(s) }),
      ...(b && { broughtIn: Object.fromEntries(b) }),
      ...(x && { cancel: x }),
      ...(k && { woken: k }),
      ...(e && { drafts: e }),
      ...(l && { listening: l }),
      ...(q && { still: true }),
      ...(d && { text: d.map(([flowId, runId, node, at, text]) => ({ flowId, runId, node, at, text })) })
    })
  }

  #deliver(signal: Signal): void {
    for (const listener of this.#listeners) listener(signal)
  }
}

/** Other versions of Millrace, and other programs, may use the channel. */
function readWire(payload: string): Wire | undefined {
  try {
    const wire = JSON.parse(payload) as Wire
    return typeof wire === 'object' && wire !== null ? wire : undefined
  } catch {
    return undefined
  }
}

class Gathered {
  #work = new Set<string>()
  #changed = new Map<string, number>()
  #saved = new Map<LibraryPart, number>()
  #broughtIn = new Map<LibraryPart, number>()
  #cancel = new Set<string>()
  #woken = new Set<string>()
  #drafts = new Set<string>()
  #text: TextPiece[] = []
  #listening: Signal['listening']
  #isStill = false

  add(signal: Signal): void {
    const { work, changed, saved, broughtIn, cancel, woken, drafts, text, listening, still } = signal
    if (still) this.#isStill = true
    for (const flowId of work ?? []) this.#work.add(flowId)
    for (const runId of cancel ?? []) this.#cancel.add(runId)
    for (const runId of woken ?? []) this.#woken.add(runId)
    for (const flowId of drafts ?? []) this.#drafts.add(flowId)
    raise(this.#changed, changed)
    raise(this.#saved, saved)
    raise(this.#broughtIn, broughtIn)
    if (text !== undefined) this.#text.push(...text)
    if (listening !== undefined) this.#listening = listening
  }

  dropText(): void {
    this.#text = []
  }

  /** As many payloads as it takes, and nothing is left. */
  take(p: string): string[] {
    const parts: Omit<Wire, 'p'>[] = [
      // Before the changes of its run: what it has come to is told last.
      ...this.#text.flatMap(shortPieces).map((piece) => ({ d: [piece] })),
      ...(this.#listening === undefined ? [] : [{ l: [...this.#listening] }]),
      ...(this.#isStill ? [{ q: [1] as [1] }] : []),
      ...[...this.#saved].map((part) => ({ s: [part] })),
      ...[...this.#broughtIn].map((part) => ({ b: [part] })),
      ...[...this.#cancel].map((runId) => ({ x: [runId] })),
      ...[...this.#woken].map((runId) => ({ k: [runId] })),
      ...[...this.#drafts].map((flowId) => ({ e: [flowId] })),
      ...[...this.#work].map((flowId) => ({ w: [flowId] })),
      ...[...this.#changed].map((change) => ({ c: [change] }))
    ]
    this.#work = new Set()
    this.#changed = new Map()
    this.#saved = new Map()
    this.#broughtIn = new Map()
    this.#cancel = new Set()
    this.#woken = new Set()
    this.#drafts = new Set()
    this.#text = []
    this.#listening = undefined
    this.#isStill = false
    return packed(parts, p)
  }
}

function shortPieces({ flowId, runId, node, at, text }: TextPiece): NonNullable<Wire['d']> {
  const pieces: NonNullable<Wire['d']> = []
  for (let from = 0; from < text.length; from += MOST_TEXT)
    pieces.push([flowId, runId, node, at + from, text.slice(from, from + MOST_TEXT)])
  return pieces
}

/** Only the highest number of each counts. */
function raise<Key extends string>(
  known: Map<Key, number>,
  told: Readonly<Partial<Record<Key, number>>> | undefined
): void {
  for (const key in told) known.set(key, Math.max(known.get(key) ?? 0, told[key]!))
}

function packed(parts: readonly Omit<Wire, 'p'>[], p: string): string[] {
  const payloads: string[] = []
  let wire: { -readonly [K in keyof Wire]: Wire[K] } = { p }
  let bytes = 0
  for (const part of parts) {
    const size = Buffer.byteLength(JSON.stringify(part))
    if (bytes > 0 && bytes + size > MOST_BYTES) {
      payloads.push(JSON.stringify(wire))
      wire = { p }
      bytes = 0
    }
    for (const name of ['w', 'c', 's', 'b', 'x', 'k', 'e', 'l', 'q', 'd'] as const) {
      const more = part[name]
      if (more !== undefined) wire = { ...wire, [name]: [...(wire[name] ?? []), ...more] }
    }
    bytes += size
  }
  if (bytes > 0) payloads.push(JSON.stringify(wire))
  return payloads
}
