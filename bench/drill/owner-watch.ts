import { setTimeout as wait } from 'node:timers/promises'
import { LEASE_MS } from '../../src/store/triggers.ts'
import type { Span } from './judge-ticks.ts'

export interface OwnerWatchOptions {
  /** The process that lives and has the triggers, as far as the database says: null where nobody has, undefined where it does not answer. */
  readonly owner: () => Promise<number | null | undefined>
  /** Whether anybody lives who could have them. */
  readonly hasOthers: () => boolean
}

const LOOK_MS = 250
/** Whoever takes over asks once a second; the rest is for a machine that is busy with the drill. */
const TAKEN_OVER_WITHIN_MS = LEASE_MS + 10_000

/** Looks again and again who has the triggers. */
export class OwnerWatch {
  readonly #options: OwnerWatchOptions
  readonly #spans: { owner: number; from: number; to: number }[] = []
  readonly #lived: Promise<void>
  #isOver = false
  #ownerlessMs = 0
  #longestMs = 0

  constructor(options: OwnerWatchOptions) {
    this.#options = options
    this.#lived = this.#live()
  }

  /** When somebody had them. */
  get spans(): readonly Span[] {
    return this.#spans
  }

  /** The longest time in which nobody had them, although somebody could have. */
  get longestTakeoverMs(): number {
    return this.#longestMs
  }

  get faults(): string[] {
    if (this.#longestMs <= TAKEN_OVER_WITHIN_MS) return []
    return [`for ${Math.round(this.#longestMs)} ms nobody had the triggers`]
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#lived
  }

  async #live(): Promise<void> {
    for (let before = performance.now(); !this.#isOver; await wait(LOOK_MS)) {
      const owner = await this.#options.owner()
      const now = performance.now()
      this.#note(owner, now - before)
      before = now
    }
  }

  #note(owner: number | null | undefined, sinceMs: number): void {
    const last = this.#spans.at(-1)
    const at = Date.now()
    if (typeof owner === 'number') {
      this.#ownerlessMs = 0
      if (last?.owner === owner && at - last.to < sinceMs + LOOK_MS) last.to = at
      else this.#spans.push({ owner, from: at, to: at })
    } else if (owner === null && this.#options.hasOthers()) {
      this.#ownerlessMs += sinceMs
      this.#longestMs = Math.max(this.#longestMs, this.#ownerlessMs)
    }
  }
}
