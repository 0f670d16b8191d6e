import { hash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { inTurns, type Turns } from '../../flows/in-turns.ts'
import { BoundedText, writeJsonTo } from '../../flows/json/bounded-text.ts'
import { type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import { AnswerPace } from '../../runs/present/answer-pace.ts'
import type { Runs } from '../../runs/runs.ts'
import type { SeenByTrigger, TakenByTrigger, TriggerStore } from '../../store/triggers.ts'
import { waitAfter } from '../trigger-life.ts'
import type { TriggerNode } from '../trigger-nodes.ts'
import type { Look } from './look.ts'
import { hasCounted, hasLeft, isDone, passedOver, takeItems } from './seen-items.ts'

/** When to look. */
interface LookTimes {
  /** The first time after this moment; undefined where none comes any more. */
  next(after: number): number | undefined
  /** Whether the hour matters: then nothing is looked at in between, not even at a start. */
  readonly isCron: boolean
}

export interface WatchDeps {
  readonly clock: Clock
  readonly runs: Pick<Runs, 'startEvent'>
  readonly store: Pick<TriggerStore, 'seen' | 'keepSeen' | 'taken' | 'forgetTaken'>
  /** Throws where it is no length of time and no cron, or there is no such zone. */
  readonly timesOf: (trigger: TriggerNode) => LookTimes
  readonly look: Look
  readonly isMine: () => boolean
  /** It does not work; null when it does. The first of several failures in a row is told as such. */
  readonly onFault: (trigger: TriggerNode, error: unknown | null, isFirst: boolean) => void
}

/** A timer counts time, and a clock may be set meanwhile: it is looked at this often. */
const CLOCK_MS = 30_000
/** A time that passed so shortly before the start, as in a restart, is made up for. */
const GRACE_MS = 60_000

/** A watch from its begin to its end: it looks, one time after the other, and later and later while that fails. */
export class WatchLife {
  readonly #deps: WatchDeps
  readonly #trigger: TriggerNode
  readonly #over = new AbortController()
  /** Whether what came before the next look does not count. */
  #skipsMissed: boolean
  readonly #lived: Promise<void>

  constructor(deps: WatchDeps, trigger: TriggerNode, skipsMissed: boolean) {
    this.#deps = deps
    this.#trigger = trigger
    this.#skipsMissed = skipsMissed
    this.#lived = this.#live()
  }

  /** Resolves when nothing is started by it any more. */
  async end(): Promise<void> {
    this.#over.abort()
    await this.#lived
  }

  /** To be asked after its end: whoever takes its place does what it has not come to. */
  get skipsMissed(): boolean {
    return this.#skipsMissed
  }

  get #hasEnded(): boolean {
    return this.#over.signal.aborted
  }

  /** Never rejects. */
  async #live(): Promise<void> {
    const { clock, onFault } = this.#deps
    const trigger = this.#trigger
    let failures = 0
    let wait = () => this.#untilFirst()
    while (!this.#hasEnded) {
      try {
        await wait()
        if (this.#hasEnded) return
        await this.#lookOnce()
        failures = 0
        onFault(trigger, null, false)
        wait = () => this.#untilNext()
      } catch (error) {
        if (this.#hasEnded) return
        failures += 1
        onFault(trigger, error, failures === 1)
        const ms = waitAfter(failures, clock.random())
        wait = () => this.#pass(ms)
      }
    }
  }

  /** At once where what is there is not new, as when the flow goes live: what comes after is. Or where it was cut off in what it had found. */
  async #untilFirst(): Promise<void> {
    const { clock, store, timesOf } = this.#deps
    const { flow, node } = this.#trigger
    const times = timesOf(this.#trigger)
    if (!times.isCron || this.#skipsMissed) return
    const known = await store.seen(flow.id, node.id)
    if (!isDone(known, this.#looked)) return
    await this.#until(times, times.next(clock.now() - GRACE_MS))
  }

  async #untilNext(): Promise<void> {
    const times = this.#deps.timesOf(this.#trigger)
    await this.#until(times, times.next(this.#deps.clock.now()))
  }

  async #until(times: LookTimes, first = Number.POSITIVE_INFINITY): Promise<void> {
    const { clock } = this.#deps
    for (let at = first; !this.#hasEnded; ) {
      const now = clock.now()
      if (at <= now) return
      // It may have been put back.
      at = Math.min(at, times.next(now) ?? at)
      await this.#pass(Math.min(at - now, CLOCK_MS))
    }
  }

  /** Less where it ends before. */
  #pass(ms: number): Promise<void> {
    const { signal } = this.#over
    return new Promise((resolve) => {
      const end = () => {
        timer.stop()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = this.#deps.clock.startTimer(ms, end)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  }

  /** What is to be looked at may be away for longer than this process is there. */
  async noteSkips(): Promise<void> {
    const { store, isMine } = this.#deps
    const { flow, node } = this.#trigger
    const known = await store.seen(flow.id, node.id)
    const noted = passedOver(known)
    if (noted === undefined || !isMine()) return
    if (!(await store.keepSeen(flow.id, node.id, noted, known.mark))) throw overtaken()
  }

  async #lookOnce(): Promise<void> {
    const { store, look, timesOf, isMine } = this.#deps
    const trigger = this.#trigger
    const { flow, node, fields } = trigger
    // Nothing is looked at where nobody knows how often.
    timesOf(trigger)
    if (this.#skipsMissed) await this.noteSkips()
    const known = await this.#knownBefore()
    const items = await look(trigger, this.#over.signal)
    const { fresh, keep } = takeItems(known, {
      ...this.#looked,
      items,
      skipsFirst: fields.first !== 'Take all',
      skipsMissed: this.#skipsMissed
    })
    const taken = await this.#written(fresh)
    if (this.#hasEnded || !isMine()) return
    if (keep !== undefined && !(await store.keepSeen(flow.id, node.id, keep, known.mark, taken)))
      throw overtaken()
    this.#skipsMissed = false
    if (taken.length > 0) await this.#startTaken()
  }

  /** Where nothing is left to start: whoever was there before may have been killed in it. */
  async #knownBefore(): Promise<SeenByTrigger> {
    const { store } = this.#deps
    const { flow, node } = this.#trigger
    const known = await store.seen(flow.id, node.id)
    if (!hasLeft(known)) return known
    await this.#startTaken()
    return store.seen(flow.id, node.id)
  }

  get #looked() {
    return { of: listOf(this.#trigger), since: this.#trigger.flow.triggersFrom ?? 0 }
  }

  async #written(fresh: readonly { readonly item: JsonValue }[]): Promise<string[]> {
    const pacer = new AnswerPace(this.#deps.clock)
    const taken: string[] = []
    for (const { item } of fresh) taken.push(await inTurns(written(item), pacer))
    return taken
  }

  /** What was noted has its run, also where the list has dropped it since, or another one is watched by now. */
  async #startTaken(): Promise<void> {
    const { store } = this.#deps
    const { flow, node } = this.#trigger
    for (let next = await store.taken(flow.id, node.id); next !== undefined && !this.#hasEnded; ) {
      // What was taken before the moment from which things count goes with the next note.
      if (!hasCounted(await store.seen(flow.id, node.id), this.#looked.since)) return
      if (!(await this.#startAll(next))) return
      await store.forgetTaken(flow.id, node.id, next.page)
      next = await store.taken(flow.id, node.id)
    }
  }

  /** False where its end came first. */
  async #startAll({ items, from }: TakenByTrigger): Promise<boolean> {
    const { flow, node } = this.#trigger
    for (const [at, item] of items.entries()) {
      if (this.#hasEnded) return false
      const start = { flow, trigger: 'watch', input: Buffer.from(item) } as const
      const run = await this.#deps.runs.startEvent(start, { node: node.id, mark: from + at })
      if (run === undefined) throw overtaken()
    }
    return true
  }
}

/** What is known of an item is so as long as these stay: as the flow says them, whatever its variables hold. */
export function listOf({ fields: { connection, url, key } }: Pick<TriggerNode, 'fields'>): string {
  return hash('sha256', writeJson([connection, url, key] as JsonValue), 'base64url').slice(0, 22)
}

/** Whoever has noted more than this process knew of goes on, here or in another one. */
function overtaken(): Error {
  return new Error('another process has looked meanwhile; what it has taken is left to it')
}

function* written(item: JsonValue): Turns<string> {
  const text = new BoundedText(Number.POSITIVE_INFINITY)
  yield* writeJsonTo(text, item)
  return text.toString()
}
