import { StepError } from '../engine/step-error.ts'
import type { Circuit, Verdict } from '../flows/step/step-circuit.ts'

interface CircuitDeps {
  readonly now: () => number
  readonly random: () => number
  readonly tell: (news: CircuitNews) => void
}

/** Who calls. */
export interface CircuitCaller {
  readonly signal: AbortSignal
  /** It has no further attempt: it is not skipped, so that nothing is given up that was not sent. */
  readonly isLast: boolean
}

export type CircuitNews =
  | { readonly state: 'down'; readonly failures: number }
  | { readonly state: 'up'; readonly downMs: number }

/** So many failures in a row, and a destination is down. While nobody knows how it is, no more calls than could show it are made. */
const FAILURES = 5

/** The wait before each further look at one that is down; the last one holds for all that follow. */
const LOOK_WAITS_MS = [5_000, 30_000, 120_000, 300_000]

/** Those that were skipped come back over this time, and not all at once. */
const SPREAD_MS = 30_000

interface Down {
  readonly since: number
  /** How often somebody has looked since. */
  looks: number
  /** When the next look may be. */
  lookAt: number
  isLookedAt: boolean
}

/**
 * Keeps many from calling a destination that is down. What is known of it is in memory alone: after a start it is not known
 * how it is, and then only a few calls are made before the first has come back, so a destination that is down is found out
 * by these, however many calls are due.
 */
export class CircuitState {
  readonly name: string
  readonly #deps: CircuitDeps
  /** The last call that said something of it was answered. */
  #isProven = false
  #failures = 0
  #underWay = 0
  #down: Down | undefined
  #line: (() => void)[] = []

  constructor(name: string, deps: CircuitDeps) {
    this.name = name
    this.#deps = deps
  }

  get isDown(): boolean {
    return this.#down !== undefined
  }

  /** Nobody would miss it: it is made anew when it is asked for. */
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#line.length === 0
  }

  for(caller: CircuitCaller): Circuit {
    return { call: (work, judge) => this.#call(work, judge, caller) }
  }

  async #call<R>(
    work: () => Promise<R>,
    judge: (error: unknown) => Verdict,
    caller: CircuitCaller
  ): Promise<R> {
    const leave = await this.#enter(caller)
    try {
      const result = await work()
      leave('up')
      return result
    } catch (error) {
      leave(judge(error), error)
      throw error
    }
  }

  async #enter({ signal, isLast }: CircuitCaller): Promise<(verdict: Verdict, error?: unknown) => void> {
    while (this.#isFull && !isLast) await this.#untilOneCameBack(signal)
    const isLook = this.#down !== undefined && !isLast && this.#beginLook(this.#down)
    this.#underWay++
    return (verdict, error) => {
      this.#underWay--
      if (isLook && this.#down !== undefined) this.#down.isLookedAt = false
      if (verdict === 'up') this.#answered()
      else if (verdict === 'down') this.#failed(isLook, error)
      for (const goOn of this.#line.splice(0)) goOn()
    }
  }

  /** What is under way will show how it is. */
  get #isFull(): boolean {
    if (this.#down !== undefined) return this.#down.isLookedAt
    return !this.#isProven && this.#failures + this.#underWay >= FAILURES
  }

  #untilOneCameBack(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#line = this.#line.filter((each) => each !== goOn)
        reject(signal.reason)
      }
      const goOn = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      this.#line.push(goOn)
    })
  }

  /** Throws where it is not time for another look. */
  #beginLook(down: Down): true {
    const wait = down.lookAt - this.#deps.now()
    if (wait > 0) throw skipped(this.name, down.since, wait + this.#deps.random() * SPREAD_MS)
    down.isLookedAt = true
    return true
  }

  #answered(): void {
    this.#isProven = true
    this.#failures = 0
    if (this.#down === undefined) return
    const { since } = this.#down
    this.#down = undefined
    this.#deps.tell({ state: 'up', downMs: this.#deps.now() - since })
  }

  #failed(isLook: boolean, error: unknown): void {
    this.#isProven = false
    this.#failures++
    const now = this.#deps.now()
    if (this.#down === undefined) {
      if (this.#failures < FAILURES) return
      this.#down = { since: now, looks: 0, lookAt: now + LOOK_WAITS_MS[0]!, isLookedAt: false }
      this.#deps.tell({ state: 'down', failures: this.#failures })
    } else if (isLook) {
      this.#down.looks++
      this.#down.lookAt = now + Math.max(this.#waitAfterLook(this.#down), askedFor(error))
    }
  }

  #waitAfterLook({ looks }: { readonly looks: number }): number {
    return LOOK_WAITS_MS[Math.min(looks, LOOK_WAITS_MS.length - 1)]!
  }
}

function askedFor(error: unknown): number {
  return (error instanceof StepError ? error.retryAfterMs : undefined) ?? 0
}

function skipped(name: string, since: number, waitMs: number): StepError {
  return new StepError(
    `Nothing was sent: ${name} has not answered since ${new Date(since).toISOString()}, and only one delivery at a time tries it. This one is tried again later.`,
    { code: 'destination_down', retryAfterMs: Math.round(waitMs) }
  )
}
