import type { Clock } from '../../clock.ts'
import { eventsOf, type RunEvent } from '../../runs/present/run-events.ts'
import { InTurn } from '../../store/in-turn.ts'
import type { Change, RunStore } from '../../store/store.ts'

/** The flows whose changes are read. */
export interface ReadFlows {
  /** Null is all. */
  readonly ids: readonly string[] | null
  /** The same for everybody who reads the same flows at this moment. */
  readonly name: string
}

/** A change as it is sent. */
export interface WrittenChange {
  readonly no: number
  readonly flowId: string
  /** The text of each of its events; null where what is stored cannot be read. */
  readonly events: readonly string[] | null
}

export interface EventPage {
  readonly changes: readonly WrittenChange[]
  /** All that is in it, for who gets all: it is put together and encoded once for everybody. */
  readonly bytes: Uint8Array
}

export const NO_EVENTS: EventPage = { changes: [], bytes: new Uint8Array() }

interface EventPagesDeps {
  readonly runStore: Pick<RunStore, 'changes'>
  readonly clock: Pick<Clock, 'soon' | 'startTimer' | 'stopwatch'>
}

/** Changes read at once; each may hold the outputs of a whole run. */
const PAGE = 50
/** As long as this, events are made in one turn of the loop; then whoever has sent a request goes first. */
const SLICE_MS = 4
/** Pages are kept for listeners that come to the same place a little later. */
const KEPT_MS = 5_000
const MOST_KEPT_BYTES = 8 * 1024 * 1024

interface Reading {
  readonly page: Promise<EventPage>
  readonly begunAt: number
}

/**
 * Reads the changes that streams catch up with, and makes events of them. Listeners that come back together, as after
 * a restart, ask for the same: it is read and written once. And however many they are, events are made for one of
 * them at a time, a slice in each turn of the loop, so that webhooks do not wait for them.
 */
export class EventPages {
  readonly #deps: EventPagesDeps
  readonly #underWay = new Map<string, Reading>()
  readonly #kept = new Map<string, EventPage>()
  readonly #inTurn = new InTurn()
  #keptBytes = 0
  #forgetting: { stop(): void } | undefined
  #asked = 0
  #newest: { readonly change: Change; readonly written: WrittenChange } | undefined

  constructor(deps: EventPagesDeps) {
    this.#deps = deps
  }

  /** Changes after this number. An empty page: there was none at a moment after the call. */
  async read(flows: ReadFlows, after: number): Promise<EventPage> {
    if (flows.ids?.length === 0) return NO_EVENTS
    const key = `${after} ${flows.name}`
    const askedAt = ++this.#asked
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept !== undefined) return kept
      const reading = this.#underWay.get(key) ?? this.#begin(key, flows, after)
      const page = await reading.page
      // One that was begun before the call may have missed what came since then.
      if (page.changes.length > 0 || reading.begunAt >= askedAt) return page
    }
  }

  /** Of a change that is told live. All who listen hear the same one, one after the other. */
  write(change: Change): WrittenChange {
    if (this.#newest?.change !== change) this.#newest = { change, written: writtenChange(change) }
    return this.#newest.written
  }

  #begin(key: string, flows: ReadFlows, after: number): Reading {
    const page = this.#readPage(flows, after).finally(() => this.#underWay.delete(key))
    const reading = { page, begunAt: ++this.#asked }
    this.#underWay.set(key, reading)
    page.then(
      (read) => this.#keep(key, read),
      () => {}
    )
    return reading
  }

  async #readPage(flows: ReadFlows, after: number): Promise<EventPage> {
    const changes = await this.#deps.runStore.changes(flows.ids, after, PAGE)
    return changes.length === 0 ? NO_EVENTS : this.#inTurn.do(() => this.#writeAll(changes))
  }

  async #writeAll(changes: readonly Change[]): Promise<EventPage> {
    const { clock } = this.#deps
    const written: WrittenChange[] = []
    let until = Number.NEGATIVE_INFINITY
    for (const change of changes) {
      if (clock.stopwatch() > until) {
        await new Promise<void>((resolve) => clock.soon(resolve))
        until = clock.stopwatch() + SLICE_MS
      }
      written.push(writtenChange(change))
    }
    return { changes: written, bytes: Buffer.from(written.flatMap(({ events }) => events ?? []).join('')) }
  }

  #keep(key: string, page: EventPage): void {
    if (page.changes.length === 0) return
    this.#forgetting ??= this.#deps.clock.startTimer(KEPT_MS, () => this.#forget())
    this.#kept.set(key, page)
    this.#keptBytes += page.bytes.length
    if (this.#keptBytes > MOST_KEPT_BYTES) this.#forget()
  }

  #forget(): void {
    this.#forgetting?.stop()
    this.#forgetting = undefined
    this.#kept.clear()
    this.#keptBytes = 0
  }
}

function writtenChange(change: Change): WrittenChange {
  const { no, flowId } = change
  try {
    return { no, flowId, events: eventsOf(change).map(eventText) }
  } catch {
    return { no, flowId, events: null }
  }
}

function eventText({ id, event, data }: RunEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
}
