import { hashOf, type SeededRandom } from '../seeded-random.ts'

/** Something that is about to happen. */
interface Pending {
  at: number
  readonly no: number
  readonly label: string
  readonly owner: Owner | undefined
  readonly then: () => void
}

/** A process of the simulation: once it is dead, nothing of it happens any more. */
export interface Owner {
  readonly isDead: boolean
  /** Until then it stands still: whatever comes to it waits. */
  readonly frozenUntil: number
}

interface SchedulerOptions {
  readonly random: SeededRandom
  /** 0: what came first happens first. 1: anything that is ready may happen next. */
  readonly disorder: number
  /** Keeps every label, for whoever looks at one seed. */
  readonly keepsTrace?: boolean
  /** Resolves when all that follows from what has just happened has happened. */
  readonly quiet?: () => Promise<void>
}

/**
 * Decides what happens next, and what time it is. What is ready happens in an order that the seed decides; time passes only when
 * nothing is ready. Every answer of the store, every timer and every answer from outside comes by here, so a seed
 * makes one course of events and no other.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  #pending: Pending[] = []
  #now = 0
  #count = 0
  #sinceNow = 0
  #hash = 0x811c9dc5
  readonly trace: string[] = []

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Milliseconds since the beginning, monotonic. */
  get now(): number {
    return this.#now
  }

  get steps(): number {
    return this.#count
  }

  /** So many things have happened since time passed last. */
  get atOnce(): number {
    return this.#sinceNow
  }

  /** Tells this course of events from others. */
  get hash(): string {
    return this.#hash.toString(16).padStart(8, '0')
  }

  note(text: string): void {
    this.#hash = hashOf(text, this.#hash)
    if (this.#options.keepsTrace === true) this.trace.push(`${this.#now.toFixed(0).padStart(9)} ${text}`)
  }

  add(inMs: number, label: string, owner: Owner | undefined, then: () => void): { stop(): void } {
    const at = Math.max(this.#now + Math.max(0, inMs), owner?.frozenUntil ?? 0)
    const pending = { at, no: this.#count++, label, owner, then }
    this.#pending.push(pending)
    return {
      stop: () => {
        const at = this.#pending.indexOf(pending)
        if (at >= 0) this.#pending.splice(at, 1)
      }
    }
  }

  /** Lets the next thing happen that is due until then; false where there is none. */
  async step(until = Number.POSITIVE_INFINITY): Promise<boolean> {
    const next = this.#next(until)
    if (next === undefined) {
      if (until < Number.POSITIVE_INFINITY) this.#now = Math.max(this.#now, until)
      return false
    }
    this.note(next.label)
    next.then()
    await (this.#options.quiet ?? quiet)()
    return true
  }

  async runUntil(until: number): Promise<void> {
    while (await this.step(until));
  }

  /** It has just begun to stand still. */
  froze(owner: Owner): void {
    for (const pending of this.#pending)
      if (pending.owner === owner) pending.at = Math.max(pending.at, owner.frozenUntil)
  }

  dropOf(owner: Owner): void {
    this.#pending = this.#pending.filter((pending) => pending.owner !== owner)
  }

  #next(until: number): Pending | undefined {
    const first = this.#earliest()
    if (first === undefined || first.at > until) return undefined
    this.#sinceNow = first.at > this.#now ? 0 : this.#sinceNow + 1
    this.#now = Math.max(this.#now, first.at)
    const { random, disorder } = this.#options
    const chosen = disorder > 0 && random.chance(disorder) ? this.#anyReady() : first
    this.#pending.splice(this.#pending.indexOf(chosen), 1)
    return chosen
  }

  #earliest(): Pending | undefined {
    let first: Pending | undefined
    for (const pending of this.#pending) {
      if (first === undefined || pending.at < first.at || (pending.at === first.at && pending.no < first.no))
        first = pending
    }
    return first
  }

  #anyReady(): Pending {
    const ready = this.#pending.filter(({ at }) => at <= this.#now)
    return this.#options.random.pick(ready)
  }
}

/** Resolves when all that follows from what has just happened has happened: promises are settled by then. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
