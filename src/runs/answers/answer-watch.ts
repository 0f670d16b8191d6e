import type { Clock } from '../../clock.ts'
import type { RecordedAnswer } from '../../engine/step-record.ts'
import type { Pacer } from '../../flows/in-turns.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { EndStatus, RunStore } from '../../store/store.ts'
import { AnswerPace } from '../present/answer-pace.ts'
import { answerOfRun, type FlowAnswer } from './flow-answer.ts'

/** Whoever called a flow and waits for what it answers. */
export interface Caller {
  /** Told once. Undefined: its time is over, or the service stops. */
  answered(answer: FlowAnswer | undefined): void
  /** Told once, to who still waits after a while, and may for minutes: time to let go of what costs memory. */
  waitsLong?(): void
}

/** By which an answer is on its way, such as a connection. */
interface Way {
  once(event: 'close', then: () => void): unknown
  destroy(): unknown
}

/** A caller that waits, until it is told or leaves. */
export interface Waiting {
  readonly runId: string
  readonly caller: Caller
  readonly slot: number
  /** From this slot on it has waited for long. */
  readonly longFrom: number
  /** Others that wait for the same run: few runs have any, and a run that is asked for again and again has thousands. */
  next: Waiting | undefined
  before: Waiting | undefined
}

interface AnswerWatchDeps {
  readonly clock: Clock
  readonly store: Pick<RunStore, 'get' | 'readPiece'>
  /** To who waits in other processes: this run has an answer, or has ended. */
  readonly tellOthers?: (runId: string, flowId: string) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** Callers whose time is over are told at these moments: one timer is enough for all. */
const SLOT_MS = 100

/** Most flows have answered by then. Thousands that come within that time are what memory has to have room for. */
const LONG_MS = 300

/** So many are told at once: an answer takes about 50 µs to send. */
const MOST_AT_ONCE = 200

/**
 * Callers that wait for what their run answers. Each takes an entry by the id of its run and one by when its time is over, and nothing
 * else: thousands may wait at once, and most of what is done is for others.
 */
export class AnswerWatch {
  readonly #deps: AnswerWatchDeps
  readonly #waiting = new Map<string, Waiting>()
  readonly #slots = new Map<number, Set<Waiting>>()
  /** Those that have not waited for long, the first of them first. */
  readonly #recent = new Set<Waiting>()
  /** Those that are told next, when others have had their turn. */
  readonly #toTell = new Map<Waiting, FlowAnswer | undefined>()
  /** Of answers that the web server knows nothing of. */
  readonly #ways = new Set<Way>()
  #timer: { stop(): void } | undefined
  #isStopped = false
  /** Called when somebody begins to wait: it may have been answered before. */
  onWait: ((runId: string) => void) | undefined

  constructor(deps: AnswerWatchDeps) {
    this.#deps = deps
  }

  /** Runs that somebody waits for. */
  get awaited(): Iterable<string> {
    return this.#waiting.keys()
  }

  isAwaited(runId: string): boolean {
    return this.#waiting.has(runId)
  }

  /** To be called right after the run was accepted. */
  wait(runId: string, ms: number, caller: Caller): Waiting {
    const waiting = this.#add(runId, ms, caller)
    if (this.#isStopped) this.#settle([waiting], undefined)
    else this.onWait?.(runId)
    return waiting
  }

  /** The same for a run that may have been answered long ago. */
  waitForEarlier(runId: string, ms: number, caller: Caller): Waiting {
    const waiting = this.wait(runId, ms, caller)
    this.look(runId)
    return waiting
  }

  /** The caller has gone, and is told nothing. */
  leave(waiting: Waiting): void {
    if (!this.#remove(waiting)) this.#toTell.delete(waiting)
  }

  /** An answer is on its way by what the web server has let go of: a stop waits for it too. */
  sending(way: Way): void {
    this.#ways.add(way)
    way.once('close', () => this.#ways.delete(way))
  }

  /** Resolves when all of those have been taken, or whoever asked for them has gone. */
  async allSent(): Promise<void> {
    await Promise.all(
      [...this.#ways].map((way) => new Promise<void>((resolve) => way.once('close', resolve)))
    )
  }

  cutOff(): void {
    for (const way of this.#ways) way.destroy()
  }

  /** A step has answered, and that is durable. */
  answered(run: { readonly id: string; readonly flowId: string }, answer: RecordedAnswer): void {
    this.#deps.tellOthers?.(run.id, run.flowId)
    if (!this.#waiting.has(run.id)) return
    const { body } = answer
    if (isLongValue(body)) this.look(run.id)
    else this.#tell(run.id, { by: 'step', answer: { ...answer, body } })
  }

  /** The run has ended, and that is durable. `answer` is absent where it is in the store alone. */
  ended(run: { readonly id: string; readonly flowId: string }, status: EndStatus, answer?: FlowAnswer): void {
    this.#deps.tellOthers?.(run.id, run.flowId)
    if (!this.#waiting.has(run.id)) return
    if (answer !== undefined) this.#tell(run.id, answer)
    else if (status === 'succeeded') this.look(run.id)
    else this.#tell(run.id, { by: 'end', status })
  }

  /** It may have been answered: the store knows. */
  look(runId: string): void {
    if (!this.#waiting.has(runId)) return
    this.#read(runId).then(
      (answer) => answer !== undefined && this.#tell(runId, answer),
      (error) => this.#deps.onError(error, `reading what run ${runId} answered`)
    )
  }

  /** The service stops: all are told while that is possible. */
  stop(): void {
    this.#isStopped = true
    for (const runId of [...this.#waiting.keys()]) this.#tell(runId, undefined)
    this.#tellMore(this.#toTell.size)
  }

  async #read(runId: string): Promise<FlowAnswer | undefined> {
    const { store, clock } = this.#deps
    const run = await store.get(runId)
    // One that is not there any more answers nothing, and need not be waited for.
    if (run === undefined || (run.isPaused === true && run.outcome === null)) {
      this.#tell(runId, undefined)
      return undefined
    }
    const pace: Pacer = new AnswerPace(clock)
    return answerOfRun(run, (...place) => store.readPiece(...place), pace)
  }

  #add(runId: string, ms: number, caller: Caller): Waiting {
    const now = this.#deps.clock.stopwatch()
    const slot = Math.ceil((now + ms) / SLOT_MS)
    const longFrom = Math.ceil((now + LONG_MS) / SLOT_MS)
    const next = this.#waiting.get(runId)
    const waiting: Waiting = { runId, caller, slot, longFrom, next, before: undefined }
    if (caller.waitsLong !== undefined) this.#recent.add(waiting)
    if (next !== undefined) next.before = waiting
    this.#waiting.set(runId, waiting)
    const ofSlot = this.#slots.get(slot)
    if (ofSlot === undefined) this.#slots.set(slot, new Set([waiting]))
    else ofSlot.add(waiting)
    this.#timer ??= this.#deps.clock.startTimer(SLOT_MS, () => this.#tick())
    return waiting
  }

  #tick(): void {
    const now = this.#deps.clock.stopwatch() / SLOT_MS
    this.#tellLong()
    for (const [slot, ofSlot] of this.#slots) {
      if (slot > now) continue
      this.#settle([...ofSlot], undefined)
    }
    this.#timer =
      this.#slots.size === 0 ? undefined : this.#deps.clock.startTimer(SLOT_MS, () => this.#tick())
  }

  #tellLong(): void {
    const now = this.#deps.clock.stopwatch() / SLOT_MS
    let told = 0
    for (const waiting of this.#recent) {
      if (waiting.longFrom > now) return
      if (told++ === MOST_AT_ONCE) return this.#deps.clock.soon(() => this.#tellLong())
      this.#recent.delete(waiting)
      waiting.caller.waitsLong!()
    }
  }

  #tell(runId: string, answer: FlowAnswer | undefined): void {
    const all: Waiting[] = []
    for (let each = this.#waiting.get(runId); each !== undefined; each = each.next) all.push(each)
    this.#settle(all, answer)
  }

  /** Many may have waited for the same, or come to the end of their time together: others have their turn in between. */
  #settle(all: Iterable<Waiting>, answer: FlowAnswer | undefined): void {
    const wasTelling = this.#toTell.size > 0
    let told = 0
    for (const waiting of all) {
      if (!this.#remove(waiting)) continue
      if (told++ < MOST_AT_ONCE) waiting.caller.answered(answer)
      else this.#toTell.set(waiting, answer)
    }
    if (!wasTelling) this.#tellRest()
  }

  #tellRest(): void {
    if (this.#toTell.size === 0) return
    this.#deps.clock.soon(() => {
      this.#tellMore(MOST_AT_ONCE)
      this.#tellRest()
    })
  }

  #tellMore(most: number): void {
    for (const [waiting, answer] of this.#toTell.entries().take(most)) {
      this.#toTell.delete(waiting)
      waiting.caller.answered(answer)
    }
  }

  /** False where it was told, or has left. */
  #remove(waiting: Waiting): boolean {
    const { runId, slot, next, before } = waiting
    const ofSlot = this.#slots.get(slot)
    if (ofSlot?.delete(waiting) !== true) return false
    this.#recent.delete(waiting)
    if (ofSlot.size === 0) this.#slots.delete(slot)
    if (next !== undefined) next.before = before
    if (before !== undefined) before.next = next
    else if (next !== undefined) this.#waiting.set(runId, next)
    else this.#waiting.delete(runId)
    return true
  }
}
