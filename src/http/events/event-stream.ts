import type { ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import { eventsOf } from '../../runs/run-events.ts'
import type { Change, RunStore } from '../../store/store.ts'

/** The event after which a stream goes on: the number of its change and the number within that. */
export interface Place {
  readonly no: number
  readonly index: number
}

/** What a listener may hear of. Asked again and again: flows come, go and move while a stream is open. */
export interface Audience {
  /** The flows to read the changes of; null is all. */
  flowIds(): readonly string[] | null
  sees(flowId: string): boolean
  /** Whether the key that the listener came with is still good. */
  isWelcome(): boolean
  /** When that key expires. */
  readonly until: number | null
  /** Each returns what ends the subscription. */
  onChange(listener: (change: Change) => void): () => void
  onNews(listener: (news: News) => void): () => void
  onUnwelcome(listener: () => void): () => void
}

/** Something that has no number, and so is not told again to who comes back. */
export interface News {
  readonly flowId: string
  readonly event: string
  readonly data: object
}

export interface EventStreamDeps {
  readonly out: ServerResponse
  readonly audience: Audience
  readonly store: Pick<RunStore, 'changes'>
  readonly clock: Clock
}

const HEARTBEAT_MS = 15_000

/** How soon a store that could not be read is asked again. */
const AGAIN_MS = 500

/** Changes read at once; each may hold the outputs of a whole run. */
const PAGE = 50

/**
 * One connection. It is either catching up from the store or live. A listener that reads more slowly than events
 * come goes back to catching up, so nothing is kept in memory for it and nothing is left out.
 */
export class EventStream {
  readonly #deps: EventStreamDeps
  #place: Place
  #isLive = false
  #isOver = false
  /** How many changes were told while the stream was catching up. */
  #told = 0
  /** The newest news of each flow, while the listener is slow. */
  readonly #held = new Map<string, string>()
  #heartbeat: { stop(): void } | undefined
  #leave: (() => void)[] = []

  constructor(deps: EventStreamDeps, place: Place) {
    this.#deps = deps
    this.#place = place
  }

  start(): void {
    const { out, audience } = this.#deps
    out.write('retry: 1000\n: connected\n\n')
    this.#beat()
    this.#leave = [
      audience.onChange((change) => this.#hear(change)),
      audience.onNews((news) => this.#tell(news)),
      audience.onUnwelcome(() => this.end())
    ]
    this.#goOn()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#heartbeat?.stop()
    for (const leave of this.#leave) leave()
    this.#deps.out.end()
  }

  #tell({ flowId, event, data }: News): void {
    const { out } = this.#deps
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    if (!out.writableNeedDrain) {
      out.write(text)
      return
    }
    if (this.#held.size === 0) out.once('drain', () => this.#release())
    this.#held.set(flowId, text)
  }

  #release(): void {
    if (this.#isOver) return
    for (const text of this.#held.values()) this.#deps.out.write(text)
    this.#held.clear()
  }

  #hear(change: Change): void {
    if (change.no <= this.#place.no || !this.#deps.audience.sees(change.flowId)) return
    if (!this.#isLive) {
      this.#told++
      return
    }
    if (this.#send(change)) return
    this.#isLive = false
    this.#deps.out.once('drain', () => this.#goOn())
  }

  #goOn(): void {
    // A change that cannot be told ends this stream and nobody else's.
    this.#catchUp().catch(() => this.end())
  }

  /** Reads on until the store has nothing more. What is committed between two reads is in the next one. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const told = this.#told
      const news = await this.#read()
      if (this.#isOver) return
      // What is told is durable: had nothing been told since the read began, it has read everything.
      if (news.length === 0 && this.#told === told) break
      for (const change of news) {
        if (!this.#send(change)) await new Promise((resolve) => this.#deps.out.once('drain', resolve))
        if (this.#isOver) return
      }
    }
    this.#isLive = true
  }

  /**
   * Waits for a store that is away. To end the stream instead would lose listeners: a browser that comes back while
   * the store is still away is answered 503, and an EventSource gives up at any answer but 200.
   */
  async #read(): Promise<Change[]> {
    const { store, audience, clock } = this.#deps
    while (!this.#isOver) {
      try {
        // A change that was sent in part is read again; what was sent of it is passed over.
        const changes = await store.changes(audience.flowIds(), this.#place.no - 1, PAGE)
        return changes.filter((change) => change.no > this.#place.no || this.#isPartial(change))
      } catch {
        await clock.after(AGAIN_MS)
      }
    }
    return []
  }

  #isPartial(change: Change): boolean {
    return change.no === this.#place.no && this.#place.index < Number.MAX_SAFE_INTEGER
  }

  /** False when the listener is slower than what is written. */
  #send(change: Change): boolean {
    let text = ''
    eventsOf(change).forEach((event, index) => {
      if (change.no === this.#place.no && index <= this.#place.index) return
      text += `id: ${event.id}\nevent: ${event.event}\ndata: ${event.data}\n\n`
    })
    this.#place = endOf(change.no)
    return text === '' || this.#deps.out.write(text)
  }

  /** Also looks whether the key has expired, which nobody tells. */
  #beat(): void {
    const { out, audience, clock } = this.#deps
    const rest = audience.until === null ? HEARTBEAT_MS : audience.until - clock.now()
    this.#heartbeat = clock.startTimer(Math.max(0, Math.min(HEARTBEAT_MS, rest)), () => {
      if (!audience.isWelcome()) return this.end()
      out.write(': still here\n\n')
      this.#beat()
    })
  }
}

/** After all events of a change. */
export function endOf(no: number): Place {
  return { no, index: Number.MAX_SAFE_INTEGER }
}

/** Without an id, or with one that this store has never given, the stream begins now. */
export function readPlace(id: string | string[] | undefined, lastChange: number): Place {
  const match = /^(\d{1,15})\.(\d{1,9})$/.exec(String(id ?? ''))
  if (match === null || Number(match[1]) > lastChange) return endOf(lastChange)
  return { no: Number(match[1]), index: Number(match[2]) }
}
