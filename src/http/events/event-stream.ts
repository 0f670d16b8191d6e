import type { ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import type { MillraceError } from '../../errors.ts'
import type { StepNews } from '../../runs/live-text/text-news.ts'
import type { Change, RunStore } from '../../store/store.ts'
import {
  type EventPage,
  type EventPages,
  NO_EVENTS,
  type ReadFlows,
  type WrittenChange
} from './event-pages.ts'
import type { TextEvents } from './text-events.ts'

/** The event after which a stream goes on: the number of its change and the number within that. */
interface Place {
  readonly no: number
  readonly index: number
}

/** What a listener may hear of. Asked again and again: flows come, go and move while a stream is open. */
export interface Audience {
  /** The flows to read the changes of. They may be more than the listener sees. */
  flows(): ReadFlows
  sees(flowId: string): boolean
  /** Whether the key that the listener came with is still good. */
  isWelcome(): boolean
  /** When that key expires. */
  readonly until: number | null
  /** Each returns what ends the subscription. */
  onChange(listener: (change: Change) => void): () => void
  /** Of one flow at a time. */
  onText(listener: (news: readonly StepNews[]) => void): () => void
  onNews(listener: (news: News) => void): () => void
  onUnwelcome(listener: () => void): () => void
}

/** Something that has no number, and so is not told again to who comes back. */
export interface News {
  /** What it tells of, by its address: to a slow listener only the newest of it is told. */
  readonly about: string
  readonly event: string
  readonly data: object
}

interface EventStreamDeps {
  readonly out: ServerResponse
  readonly audience: Audience
  readonly pages: Pick<EventPages, 'read' | 'write'>
  readonly textEvents: Pick<TextEvents, 'write'>
  readonly store: Pick<RunStore, 'countChanges' | 'lastChange'>
  readonly clock: Clock
}

const HEARTBEAT_MS = 15_000

/** Who takes nothing for so many heartbeats is not there: what is kept for them would be kept for ever. They may come back, and miss nothing. */
const MOST_UNREAD_BEATS = 4

/** How soon a store that could not be read is asked again. */
const AGAIN_MS = 500

/**
 * Who has missed more changes than this is told to read the lists instead, which is less work for both sides: a page
 * that comes back after a night would otherwise be sent all runs of that night, one by one.
 */
export const MOST_MISSED = 10_000

/** So much text is kept for a listener that is slower than it comes; what is more is left out, and told whole at the end. */
const MOST_BUFFERED_TEXT = 256 * 1024

/** No change has as many events. */
const LAST_INDEX = 999_999_999

/**
 * One connection. It is either catching up from the store or live. A listener that reads more slowly than events
 * come goes back to catching up, so nothing is kept in memory for it and nothing is left out.
 */
export class EventStream {
  readonly #deps: EventStreamDeps
  #place: Place
  #isLive = false
  #hasEnded = false
  /** How many changes were told while the stream was catching up. */
  #told = 0
  /** The newest news of each flow and draft, while the listener is slow. */
  readonly #buffered = new Map<string, string>()
  #bufferedText: Uint8Array[] = []
  #heartbeat: { stop(): void } | undefined
  #unreadBeats = 0
  #leave: (() => void)[] = []

  constructor(deps: EventStreamDeps, place: Place) {
    this.#deps = deps
    this.#place = place
  }

  start(): void {
    const { out, audience } = this.#deps
    // Whoever loses it before the first event comes back to the place where it began, and misses nothing.
    const { no, index } = this.#place
    out.write(`retry: 1000\nid: ${no}.${index}\n: connected\n\n`)
    this.#beat()
    this.#leave = [
      audience.onChange((change) => this.#hear(change)),
      audience.onText((news) => this.#tellText(news)),
      audience.onNews((news) => this.#tell(news)),
      audience.onUnwelcome(() => this.end())
    ]
    this.#goOn()
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#heartbeat?.stop()
    for (const leave of this.#leave) leave()
    this.#deps.out.end()
  }

  /** The last event says why. */
  endFor({ code, message }: MillraceError): void {
    const { out } = this.#deps
    // An end in order would wait behind what they do not take.
    if (out.writableNeedDrain) return void out.destroy()
    if (!this.#hasEnded) out.write(`event: ${code}\ndata: ${JSON.stringify({ code, message })}\n\n`)
    this.end()
  }

  #tell({ about, event, data }: News): void {
    const { out } = this.#deps
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    if (!out.writableNeedDrain) {
      out.write(text)
      return
    }
    this.#releaseLater()
    this.#buffered.set(about, text)
  }

  #tellText(news: readonly StepNews[]): void {
    const { out, audience, textEvents } = this.#deps
    if (!audience.sees(news[0]!.flowId)) return
    const bytes = textEvents.write(news)
    if (!out.writableNeedDrain) {
      out.write(bytes)
      return
    }
    this.#releaseLater()
    const size = this.#bufferedText.reduce((sum, { length }) => sum + length, bytes.length)
    if (size <= MOST_BUFFERED_TEXT) this.#bufferedText.push(bytes)
  }

  #releaseLater(): void {
    if (this.#buffered.size === 0 && this.#bufferedText.length === 0)
      this.#deps.out.once('drain', () => this.#release())
  }

  #release(): void {
    if (this.#hasEnded) return
    for (const bytes of this.#bufferedText.splice(0)) this.#deps.out.write(bytes)
    for (const text of this.#buffered.values()) this.#deps.out.write(text)
    this.#buffered.clear()
  }

  #hear(change: Change): void {
    if (change.no <= this.#place.no || !this.#deps.audience.sees(change.flowId)) return
    if (!this.#isLive) {
      this.#told++
      return
    }
    if (this.#send(this.#deps.pages.write(change))) return
    this.#isLive = false
    this.#deps.out.once('drain', () => this.#goOn())
  }

  #goOn(): void {
    this.#catchUp().catch(() => this.end())
  }

  /** Reads on until the store has nothing more. What is committed between two reads is in the next one. */
  async #catchUp(): Promise<void> {
    for (let allowed = 0; !this.#hasEnded; ) {
      if (allowed <= 0) {
        await this.#skipIfFarBehind()
        allowed = MOST_MISSED
      }
      const told = this.#told
      const page = await this.#readOn()
      // What is told is durable: had nothing been told since the read began, it has read everything.
      if (page.changes.length === 0 && this.#told === told) break
      allowed -= page.changes.length
      if (!this.#sendPage(page)) await new Promise((resolve) => this.#deps.out.once('drain', resolve))
    }
    this.#isLive = true
  }

  /** In one piece: a write of its own for each change costs more than all the rest. */
  #sendPage({ changes, bytes }: EventPage): boolean {
    if (this.#hasEnded || changes.length === 0) return true
    const unsent = changes.map((change) => this.#unsentOf(change))
    this.#place = endOf(changes.at(-1)!.no)
    if (unsent.every((events, at) => events !== null && events === changes[at]!.events)) {
      return this.#deps.out.write(bytes)
    }
    return this.#write(unsent)
  }

  /** Lists hold all up to the place from which the stream goes on then. */
  async #skipIfFarBehind(): Promise<void> {
    const { store, audience, out } = this.#deps
    const isFar = async () => {
      const last = await store.lastChange()
      if (last - this.#place.no <= MOST_MISSED) return null
      const missed = await store.countChanges(audience.flows().ids, this.#place.no, MOST_MISSED + 1)
      return missed > MOST_MISSED ? last : null
    }
    const last = (await this.#untilAnswered(isFar)) ?? null
    if (last === null) return
    this.#place = endOf(last)
    const message = `More than ${MOST_MISSED} changes were missed. Read the lists again: what comes after this is told.`
    out.write(`id: ${last}.${LAST_INDEX}\nevent: reset\ndata: ${JSON.stringify({ message })}\n\n`)
  }

  async #readOn(): Promise<EventPage> {
    const { pages, audience } = this.#deps
    const { no, index } = this.#place
    // A change that was sent in part is read again; what was sent of it is passed over.
    const after = index < LAST_INDEX ? no - 1 : no
    return (await this.#untilAnswered(() => pages.read(audience.flows(), after))) ?? NO_EVENTS
  }

  /**
   * Waits for a store that is away. To end the stream instead would lose listeners: a browser that comes back while
   * the store is still away is answered 503, and an EventSource gives up at any answer but 200.
   */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    while (!this.#hasEnded) {
      try {
        return await ask()
      } catch {
        await this.#deps.clock.after(AGAIN_MS)
      }
    }
    return undefined
  }

  #send(change: WrittenChange): boolean {
    const unsent = this.#unsentOf(change)
    this.#place = endOf(change.no)
    return this.#write([unsent])
  }

  /** False when the listener is slower than what is written. */
  #write(unsent: readonly WrittenChange['events'][]): boolean {
    const unreadable = unsent.indexOf(null)
    const text = unsent
      .slice(0, unreadable < 0 ? undefined : unreadable)
      .flat()
      .join('')
    const isTaken = text === '' || this.#deps.out.write(text)
    // To leave out a change that cannot be told would be a gap.
    if (unreadable >= 0) this.end()
    return isTaken || this.#hasEnded
  }

  /** The very events of the change where none of them was sent. */
  #unsentOf({ no, flowId, events }: WrittenChange): WrittenChange['events'] {
    if (!this.#deps.audience.sees(flowId)) return []
    return no === this.#place.no && events !== null ? events.slice(this.#place.index + 1) : events
  }

  /** Also looks whether the key has expired, which nobody tells. */
  #beat(): void {
    const { out, audience, clock } = this.#deps
    const rest = audience.until === null ? HEARTBEAT_MS : audience.until - clock.now()
    this.#heartbeat = clock.startTimer(Math.max(0, Math.min(HEARTBEAT_MS, rest)), () => {
      if (!audience.isWelcome()) return this.end()
      this.#unreadBeats = out.writableNeedDrain ? this.#unreadBeats + 1 : 0
      // An end in order would wait behind what they do not take.
      if (this.#unreadBeats >= MOST_UNREAD_BEATS) return void out.destroy()
      out.write(': still here\n\n')
      this.#beat()
    })
  }
}

/** After all events of a change. */
export function endOf(no: number): Place {
  return { no, index: LAST_INDEX }
}

/** Without an id, or with one that this store has never given, the stream begins now. */
export function readPlace(id: string | string[] | undefined, lastChange: number): Place {
  const match = /^(\d{1,15})\.(\d{1,9})$/.exec(String(id ?? ''))
  if (match === null || Number(match[1]) > lastChange) return endOf(lastChange)
  return { no: Number(match[1]), index: Number(match[2]) }
}
