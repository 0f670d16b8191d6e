import type { Effects, StepCall, Timer } from './effects.ts'
import { HeldTime } from './held-time.ts'
import type { PlannedNode } from './plan.ts'
import { readFailure, StepError } from './step-error.ts'
import { isThenable } from './thenable.ts'

interface Attempt {
  readonly call: StepCall
  readonly startedAt: number
  readonly since: number
  timer: Timer | undefined
  /** Of one that others are to be told of. */
  slow: Timer | undefined
  /** The component has asked something of others and has not come back. */
  isAwaited: boolean
}

/** A timer that comes so late tells that the process stood still: frozen, moved to another machine, out of processor time. */
const STOOD_STILL_MS = 1_000
/** For what came meanwhile, once: it lies in the socket, and is read after the timers. */
const AFTER_STANDSTILL_MS = 1_000

/** After so long people look where the run is. */
const SLOW_MS = 1_000

/** What becomes of an attempt. Neither is called for one that is over already. */
interface AttemptListener {
  returned(call: StepCall, value: unknown): void
  failed(call: StepCall, thrown: unknown): void
  /** One that nothing was written down for has been under way for long. */
  isSlow(): void
}

/** The attempts of one run that are under way, at most one per step. */
export class Attempts {
  readonly #effects: Effects
  readonly #listener: AttemptListener
  /** By the place of the step in the plan: maps, and what is left of them when something is deleted, were 4 % of what a run allocates. */
  readonly #underWay: (Attempt | undefined)[] = []
  #count = 0
  #awaited = 0

  constructor(effects: Effects, listener: AttemptListener) {
    this.#effects = effects
    this.#listener = listener
  }

  get count(): number {
    return this.#count
  }

  some(matches: (node: PlannedNode) => boolean): boolean {
    return this.#underWay.some((attempt) => attempt !== undefined && matches(attempt.call.node))
  }

  /** The steps of those that are under way. */
  get nodes(): readonly PlannedNode[] {
    return this.#underWay.flatMap((attempt) => (attempt === undefined ? [] : [attempt.call.node]))
  }

  /** Called a second time the stopwatch starts anew: the wait for a checkpoint is not the component's time. */
  begin(call: StepCall): void {
    const { wallClock, stopwatch } = this.#effects
    const { index } = call.node
    if (this.#underWay[index] === undefined) this.#count++
    this.#underWay[index] = {
      call,
      startedAt: wallClock(),
      since: stopwatch(),
      timer: undefined,
      slow: undefined,
      isAwaited: false
    }
  }

  /** R9: not when the attempt timed out or was taken out, or when a later one has taken its place. */
  isUnderWay(call: StepCall): boolean {
    return this.#underWay[call.node.index]?.call === call
  }

  invoke(call: StepCall): void {
    let returned: unknown
    let isLater: boolean
    if (call.node.effects === 'external') call.held = new HeldTime(() => this.#effects.stopwatch())
    try {
      returned = this.#effects.invoke(call)
      isLater = isThenable(returned)
    } catch (thrown) {
      return this.#failed(call, thrown)
    }
    if (isLater) this.#await(call, returned)
    else this.#returned(call, returned)
  }

  startOf(call: StepCall): number {
    return this.#underWay[call.node.index]!.startedAt
  }

  /** The component is done, though its result may still have to be stored. */
  stopTimer(call: StepCall): void {
    this.#underWay[call.node.index]?.timer?.stop()
  }

  /** Takes the attempt out: what it still brings is dropped. */
  end(call: StepCall): { readonly startedAt: number; readonly durationMs: number } {
    const { index } = call.node
    const { startedAt, since, timer, slow } = this.#underWay[index]!
    timer?.stop()
    slow?.stop()
    this.#underWay[index] = undefined
    this.#count--
    return { startedAt, durationMs: Math.round((this.#effects.stopwatch() - since) * 1000) / 1000 }
  }

  /**
   * The attempt has failed, and what it still brings is dropped. What is returned stands in its place until that is
   * written down: the run is not idle meanwhile.
   */
  standIn(call: StepCall): StepCall {
    this.end(call)
    const standIn = { ...call }
    this.begin(standIn)
    return standIn
  }

  /** Those that still wait for their first turn, and have done nothing: whoever goes on with the run makes them anew. */
  letGoHeld(reason: Error): void {
    for (const attempt of this.#underWay) {
      if (attempt?.call.held?.isHeldFirst !== true) continue
      this.#cameBack(attempt)
      this.end(attempt.call)
      attempt.call.abort.abort(reason)
    }
  }

  abortAll(reason: Error): void {
    for (const attempt of this.#underWay) {
      if (attempt === undefined) continue
      attempt.timer?.stop()
      attempt.slow?.stop()
      this.#cameBack(attempt)
      attempt.call.abort.abort(reason)
    }
    this.#underWay.length = 0
    this.#count = 0
  }

  #await(call: StepCall, returned: unknown): void {
    const { index, timeoutMs } = call.node
    const attempt = this.#underWay[index]
    if (attempt?.call === call && call.node.effects === 'external') this.#isAway(attempt)
    else if (attempt?.call === call && this.#effects.isStored)
      attempt.slow = this.#effects.startTimer(SLOW_MS, () => this.#listener.isSlow())
    // The component may have cancelled its own run. What it returned is waited for all the same, lest it fails unheard.
    if (timeoutMs !== undefined && attempt?.call === call) {
      attempt.timer = this.#effects.startTimer(timeoutMs, () => this.#timeIsOver(attempt, timeoutMs))
    }
    // A thenable may throw from `then` or call back more than once, and a promise may be a class of the plugin's own.
    new Promise((resolve) => resolve(returned)).then(
      (value) => this.#returned(call, value),
      (thrown) => this.#failed(call, thrown)
    )
  }

  #timeIsOver(attempt: Attempt, timeoutMs: number): void {
    const { held } = attempt.call
    const again = () => this.#timeIsOver(attempt, timeoutMs)
    if (held?.isHeld === true) return held.whenReleased(again)
    const late = this.#effects.stopwatch() - attempt.since - (held?.ms ?? 0) - timeoutMs
    // A part of a millisecond is no time, and timers come that much too early.
    if (held !== undefined && late < -1) {
      attempt.timer = this.#effects.startTimer(-late, again)
      return
    }
    const timeOut = () => this.#timeOut(attempt.call, timeoutMs)
    if (late < STOOD_STILL_MS) timeOut()
    else attempt.timer = this.#effects.startTimer(AFTER_STANDSTILL_MS, timeOut)
  }

  #timeOut(call: StepCall, timeoutMs: number): void {
    const error = timeoutError(call, timeoutMs)
    call.abort.abort(error)
    this.#failed(call, error)
  }

  #returned(call: StepCall, value: unknown): void {
    if (!this.#isBack(call)) return
    this.#effects.over(call, 'returned')
    this.#listener.returned(call, value)
  }

  #failed(call: StepCall, thrown: unknown): void {
    if (!this.#isBack(call)) return
    this.#effects.over(call, 'failed')
    this.#listener.failed(call, thrown)
  }

  /** False for one that is over already. */
  #isBack(call: StepCall): boolean {
    const attempt = this.#underWay[call.node.index]
    if (attempt?.call !== call) return false
    this.#cameBack(attempt)
    return true
  }

  #isAway(attempt: Attempt): void {
    attempt.isAwaited = true
    if (++this.#awaited === 1) this.#effects.awaits(true)
  }

  #cameBack(attempt: Attempt): void {
    if (!attempt.isAwaited) return
    attempt.isAwaited = false
    if (--this.#awaited === 0) this.#effects.awaits(false)
  }
}

function timeoutError({ timeoutError: given }: StepCall, timeoutMs: number): StepError {
  const late = `It took longer than ${timeoutMs} ms.`
  if (given === undefined)
    return new StepError(`${late} Raise the node's timeout_ms or make the call faster.`, {
      code: 'step_timeout'
    })
  const cause = given()
  const { code, message, retryable } = readFailure(cause)
  return new StepError(`${late} ${message}`, { code, retryable, cause })
}
