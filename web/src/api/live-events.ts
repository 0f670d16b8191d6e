import { parseJson } from '../../../src/flows/json/exact-json.ts'
import { LIVE_EVENT_NAMES, type LiveEvent, type LiveEventData, type LiveEventName } from './live-event.ts'

import { LiveTexts, type TextDelta } from './live-texts.ts'

export type { LiveEvent, LiveEventData, LiveEventName } from './live-event.ts'

export type Connection = 'connecting' | 'online' | 'offline'

/**
 * The stream as it was opened last, or told to begin anew. What was read before that may lack what happened until then.
 */
export interface Opening {
  /** How often it was opened, or began anew because too much had been missed; 0 is not yet. */
  readonly count: number
  /** It goes on after an event that came before: of runs, nothing is missing. Of flows, something may be. */
  readonly isResumed: boolean
}

interface LiveEventsOptions {
  readonly addressAfter: (lastEventId: string | undefined) => string
  /** Asks the service something small, so that an ended session shows as such and not as a lost connection. */
  readonly probe: () => Promise<unknown>
}

/** Events come in bursts of thousands when a flow is busy; a page that draws each one of them stands still. */
const BATCH_MS = 100
/** A browser has six connections to a host: a window that nobody looks at must not hold one for ever. */
const HIDDEN_MS = 30_000
const LONGEST_WAIT_MS = 8_000

/**
 * One connection for the whole page. It comes back by itself, goes on after the last event that it got, so nothing is
 * missed, and tells whether the service can be reached.
 */
export class LiveEvents {
  /** Text that steps put out while they work. It is not an event like the others: nothing has changed by it. */
  readonly texts = new LiveTexts()
  readonly #options: LiveEventsOptions
  readonly #listeners = new Set<(events: readonly LiveEvent[]) => void>()
  readonly #watchers = new Set<() => void>()
  #connection: Connection = 'connecting'
  #opening: Opening = { count: 0, isResumed: false }
  #source: EventSource | undefined
  #lastEventId: string | undefined
  #batch: LiveEvent[] = []
  #deltas: TextDelta[] = []
  #batchTimer: number | undefined
  #retryTimer: number | undefined
  #hiddenTimer: number | undefined
  #waitMs = 500

  constructor(options: LiveEventsOptions) {
    this.#options = options
  }

  /** Connects, and returns what ends it. */
  start(): () => void {
    const onVisible = () => this.#followVisibility()
    const onOnline = () => this.retryNow()
    document.addEventListener('visibilitychange', onVisible)
    window.addEventListener('online', onOnline)
    this.#connect()
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', onOnline)
      this.#disconnect()
      window.clearTimeout(this.#batchTimer)
      window.clearTimeout(this.#hiddenTimer)
    }
  }

  /** Called with what came since the last call, a few times a second at most. */
  readonly listen = (listener: (events: readonly LiveEvent[]) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Of the connection and of the opening. */
  readonly watchConnection = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  readonly connection = (): Connection => this.#connection

  readonly opening = (): Opening => this.#opening

  readonly retryNow = (): void => {
    if (this.#connection === 'online') return
    this.#waitMs = 500
    this.#connect()
  }

  #connect(): void {
    this.#disconnect()
    const isResumed = this.#lastEventId !== undefined
    const source = new EventSource(this.#options.addressAfter(this.#lastEventId))
    this.#source = source
    source.onopen = () => {
      this.#waitMs = 500
      this.#connection = 'online'
      this.#opened(isResumed)
    }
    source.onerror = () => this.#comeBack()
    source.addEventListener('reset', (event) => this.#beginAnew(event as MessageEvent<string>))
    source.addEventListener('message.delta', (event) => this.#onText(event as MessageEvent<string>))
    for (const name of LIVE_EVENT_NAMES) {
      source.addEventListener(name, (event) => this.#onEvent(name, event as MessageEvent<string>))
    }
  }

  #disconnect(): void {
    this.#source?.close()
    this.#source = undefined
    window.clearTimeout(this.#retryTimer)
  }

  /** Not left to the browser: it gives up for good when the answer is no stream, as a restarting proxy's is. */
  #comeBack(): void {
    this.#disconnect()
    this.#become('offline')
    this.#options.probe().catch(() => undefined)
    this.#retryTimer = window.setTimeout(() => this.#connect(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS)
  }

  #followVisibility(): void {
    window.clearTimeout(this.#hiddenTimer)
    if (document.visibilityState === 'hidden') {
      this.#hiddenTimer = window.setTimeout(() => this.#disconnect(), HIDDEN_MS)
    } else if (this.#source === undefined) this.#connect()
  }

  /** The service does not tell what was missed, because it is too much: what is shown has to be read again. */
  #beginAnew({ lastEventId }: MessageEvent<string>): void {
    if (lastEventId !== '') this.#lastEventId = lastEventId
    this.#opened(false)
  }

  #opened(isResumed: boolean): void {
    this.#opening = { count: this.#opening.count + 1, isResumed }
    this.#tellWatchers()
  }

  #onEvent(name: LiveEventName, { data, lastEventId }: MessageEvent<string>): void {
    if (lastEventId !== '') this.#lastEventId = lastEventId
    this.#batch.push({ name, data: parseJson(data) as unknown as LiveEventData })
    this.#batchTimer ??= window.setTimeout(() => this.#deliver(), BATCH_MS)
  }

  #onText({ data }: MessageEvent<string>): void {
    this.#deltas.push(JSON.parse(data) as TextDelta)
    this.#batchTimer ??= window.setTimeout(() => this.#deliver(), BATCH_MS)
  }

  #deliver(): void {
    const [events, deltas] = [this.#batch, this.#deltas]
    this.#batch = []
    this.#deltas = []
    this.#batchTimer = undefined
    if (deltas.length > 0) this.texts.append(deltas)
    if (events.length === 0) return
    for (const listener of [...this.#listeners]) listener(events)
    this.texts.follow(events)
  }

  #become(connection: Connection): void {
    if (this.#connection === connection) return
    this.#connection = connection
    this.#tellWatchers()
  }

  #tellWatchers(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}
