import type { WaitRequest, Woken } from '../flows/step/step-wait.ts'
import type { Effects, NewWait, StepCall, Timer, WaitNews } from './effects.ts'
import { beginsAnew, type WaitingStep } from './journal.ts'
import { timeReadBy } from './plan-references.ts'
import type { Progress } from './progress.ts'
import type { StepFailure, StepMessage } from './step-record.ts'

interface BegunWait {
  readonly step: WaitingStep
  readonly wait: NewWait
}

interface StepTimes {
  readonly startedAt: number
  readonly durationMs: number
}

interface KnownOfWaits {
  /** Steps whose wait the store is being asked about. */
  readonly asking: Set<number>
  /** Waits for children that the store has been asked about since the run is in memory. */
  readonly checked: Set<number>
  /** When steps began that have waited. */
  readonly since: Map<number, number>
  /** What they said before. */
  readonly said: Map<number, readonly StepMessage[]>
  readonly timers: Map<number, Timer>
}

/** Clocks are set, and machines are put to sleep, which a timer does not notice: the time is looked at as often as this. */
const LONGEST_SLEEP_MS = 30_000

/**
 * The steps of one run that wait: for their next attempt, a time, a call, an answer, or their children. A run that only
 * waits is parked; while other steps go on around them, their times are watched here.
 *
 * What ends a wait for a call or an answer is decided by the store alone, and once: a caller who was told that the call
 * counts must not find that the time was over first.
 */
export class Waits {
  readonly #progress: Pick<Progress, 'waiting' | 'woken' | 'attemptsMade'>
  readonly #effects: Effects
  /** The step at this place may be ready: whoever is told looks again. */
  readonly #onOver: (index: number) => void
  readonly #onLost: () => void
  /** Made for the first wait: most runs never wait, and every run has to pay for what is made here. */
  #known: KnownOfWaits | undefined

  constructor(
    progress: Pick<Progress, 'waiting' | 'woken' | 'attemptsMade'>,
    effects: Effects,
    told: { readonly over: (index: number) => void; readonly lost: () => void }
  ) {
    this.#progress = progress
    this.#effects = effects
    this.#onOver = told.over
    this.#onLost = told.lost
  }

  get count(): number {
    return this.#progress.waiting.size
  }

  /** The store is being asked: until it has answered, nobody knows what is left to wait for. */
  get isAsking(): boolean {
    return this.#known !== undefined && this.#known.asking.size > 0
  }

  /** Those for a next attempt. The others are in the journal since they began. */
  get pauses(): WaitingStep[] {
    return this.#all.filter(({ wait }) => wait === undefined)
  }

  /** The nodes whose wait something other than time may end. */
  get awaited(): string[] {
    return this.#all.filter(({ wait }) => wait !== undefined).map(({ node }) => node)
  }

  has(index: number): boolean {
    return this.#progress.waiting.has(index)
  }

  /** When the first of them is over; null where time ends none. */
  get dueAt(): number | null {
    const times = this.#all.flatMap(({ until }) => until ?? [])
    return times.length === 0 ? null : Math.min(...times)
  }

  /** The step waits for its next attempt. */
  pause(call: StepCall, error: StepFailure, delay: number): WaitingStep {
    const { index, id, type } = call.node
    const endedAt = this.#effects.wallClock()
    const until = endedAt + delay
    const wait = { node: id, type, attempts: call.attempt, endedAt, ...timeReadBy(call), until, error }
    this.#progress.waiting.set(index, wait)
    this.#known?.said.delete(index)
    if (beginsAnew(wait, this.#progress.woken[index])) this.#progress.woken[index] = undefined
    return wait
  }

  /** What is written down of a wait that is about to begin. */
  describe(call: StepCall, request: WaitRequest, since: number): BegunWait {
    return this.#describe(call, request, since, null)
  }

  /** The same of one for the next attempt, by a schedule. */
  describeRetry(call: StepCall, error: StepFailure, delay: number): BegunWait {
    const now = this.#effects.wallClock()
    return this.#describe(call, { kind: 'retry', until: now + delay }, now, error)
  }

  #describe(
    call: StepCall,
    request: Omit<NewWait, 'id' | 'node'>,
    since: number,
    error: StepFailure | null
  ): BegunWait {
    const { id: node, type } = call.node
    const id = this.#effects.newId()
    const { kind, until } = request
    const first = this.#known?.since.get(call.node.index) ?? since
    const wait = { id, kind, since, ...(call.woken !== undefined && { isFurther: true as const, first }) }
    const endedAt = this.#effects.wallClock()
    // What an attempt said that is made again is of no interest.
    const messages = kind === 'retry' || call.messages.length === 0 ? {} : { messages: [...call.messages] }
    const times = { endedAt, ...timeReadBy(call), until }
    const step = { node, type, attempts: call.attempt, ...times, error, wait, ...messages }
    return { step, wait: { id, node, ...request } }
  }

  begin(index: number, step: WaitingStep): void {
    if (step.wait?.isFurther === true) this.#progress.woken[index] = undefined
    this.#known?.checked.delete(index)
    this.#progress.waiting.set(index, step)
  }

  /** Ends a wait that is over. One that is not is timed, and the store asked where it knows more. Tells whether the step waits. */
  keepWaiting(index: number): boolean {
    const step = this.#progress.waiting.get(index)
    if (step === undefined) return false
    if (this.#hasEnded(index, step)) {
      if (step.wait !== undefined) this.#progress.woken[index] ??= this.#wokenByTime()
      this.#end(index, step)
      return false
    }
    if (this.#isToAsk(index, step)) this.#ask(index, step)
    this.#time(index, step)
    return true
  }

  /** Something outside has ended the wait of this step, or of one that has not come to it yet. The store has it in the journal. */
  woken(index: number, woken: Woken): void {
    if (this.#progress.woken[index] !== undefined) return
    this.#progress.woken[index] = woken
    if (this.has(index)) this.#onOver(index)
  }

  /** Children have ended: the store is asked whether all have that somebody waits for. */
  childrenEnded(): void {
    for (const [index, { wait }] of [...this.#progress.waiting]) {
      if (wait?.kind !== 'children') continue
      this.#known?.checked.delete(index)
      this.#onOver(index)
    }
  }

  /** What the step said before its wait. */
  saidBefore(index: number): StepMessage[] {
    const said = this.#known?.said.get(index)
    return said === undefined ? [] : [...said]
  }

  /** A step that waited took all that time. */
  timesOf(index: number, times: StepTimes): StepTimes {
    const startedAt = this.#known?.since.get(index)
    if (startedAt === undefined) return times
    return { startedAt, durationMs: Math.max(0, this.#effects.wallClock() - startedAt) }
  }

  /** Watches the time of a wait while the run goes on around it. */
  watch(index: number): void {
    const step = this.#progress.waiting.get(index)
    if (step !== undefined) this.#time(index, step)
  }

  stop(): void {
    for (const timer of this.#known?.timers.values() ?? []) timer.stop()
  }

  #remember(): KnownOfWaits {
    this.#known ??= {
      asking: new Set(),
      checked: new Set(),
      since: new Map(),
      said: new Map(),
      timers: new Map()
    }
    return this.#known
  }

  get #all(): WaitingStep[] {
    return [...this.#progress.waiting.values()]
  }

  #end(index: number, { wait, messages }: WaitingStep): void {
    this.#progress.waiting.delete(index)
    if (wait === undefined) return
    if (wait.kind === 'retry') {
      // Another attempt begins, whatever let it.
      this.#progress.woken[index] = undefined
      this.#known?.said.delete(index)
      return
    }
    // The attempt goes on that began to wait.
    this.#progress.attemptsMade[index]!--
    const { since, said } = this.#remember()
    since.set(index, wait.first ?? wait.since)
    if (messages !== undefined) said.set(index, messages)
  }

  #isDue({ until }: WaitingStep): boolean {
    return until !== null && until <= this.#effects.wallClock()
  }

  #wokenByTime(): Woken {
    return { by: 'time', at: this.#effects.wallClock(), value: null }
  }

  #hasEnded(index: number, step: WaitingStep): boolean {
    if (step.wait === undefined) return this.#isDue(step)
    if (this.#progress.woken[index] !== undefined) return true
    return endsByClock(step) && this.#isDue(step)
  }

  /** Of a wait that something outside may end, the store knows whether it did. */
  #isToAsk(index: number, step: WaitingStep): boolean {
    if (endsByClock(step)) return false
    return step.wait!.kind === 'children' ? this.#known?.checked.has(index) !== true : this.#isDue(step)
  }

  #ask(index: number, step: WaitingStep): void {
    const { asking, checked } = this.#remember()
    if (asking.has(index)) return
    asking.add(index)
    checked.add(index)
    this.#effects.closeWait(step.node).then((news) => {
      asking.delete(index)
      if (news.state === 'lost') return this.#onLost()
      this.#takeNews(index, step, news)
      this.#onOver(index)
    })
  }

  #takeNews(index: number, { wait }: WaitingStep, news: Exclude<WaitNews, { state: 'lost' }>): void {
    if (news.state === 'open') return
    const byTime = this.#wokenByTime()
    const ended: Woken = wait!.kind === 'children' ? { ...byTime, by: 'children' } : byTime
    this.#progress.woken[index] = news.state === 'woken' ? news.woken : ended
  }

  /**
   * Whether the wait is over, the wall clock decides and not the timer: one may come a millisecond early by that clock,
   * and one of a long wait does so by far.
   */
  #time(index: number, { until }: WaitingStep): void {
    if (until === null || this.#known?.asking.has(index) === true) return
    const look = () => {
      if (this.has(index)) this.#onOver(index)
    }
    const left = Math.max(0, until - this.#effects.wallClock())
    const { timers } = this.#remember()
    timers.get(index)?.stop()
    timers.set(index, this.#effects.startTimer(Math.min(left, LONGEST_SLEEP_MS), look))
  }
}

function endsByClock({ wait }: WaitingStep): boolean {
  return wait === undefined || wait.kind === 'time' || wait.kind === 'retry'
}
