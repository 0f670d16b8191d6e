import { addressGroup } from './address-group.ts'

/** So many wrong keys may come from one address within a minute. A person who mistypes stays far below. */
export const MOST_WRONG_KEYS = 10
const SPAN_MS = 60_000

/** A list of addresses that somebody makes up must not fill the memory. */
const MOST_ADDRESSES = 10_000

/**
 * Counts the wrong keys that each address tried to sign in with. Good ones are not counted: a crowd behind one
 * address may sign in all at once. An address that tried too many is refused for the rest of the minute, with a good
 * key too, or else it could go on guessing and look for the one answer that differs.
 */
export class WrongKeys {
  readonly #now: () => number
  readonly #spans = new Map<string, { count: number; readonly until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** How long the address has to wait before it may try again; 0 is not at all. */
  secondsToWait(address: string): number {
    const span = this.#spans.get(addressGroup(address))
    if (span === undefined || span.count < MOST_WRONG_KEYS) return 0
    // A clock that was set back must not keep anybody out for longer than the minute.
    const restMs = Math.min(SPAN_MS, span.until - this.#now())
    return Math.max(0, Math.ceil(restMs / 1000))
  }

  add(address: string): void {
    const now = this.#now()
    const group = addressGroup(address)
    const span = this.#spans.get(group)
    if (span !== undefined && span.until > now) span.count++
    else {
      this.#spans.delete(group)
      this.#spans.set(group, { count: 1, until: now + SPAN_MS })
    }
    // The oldest stands first.
    if (this.#spans.size > MOST_ADDRESSES) this.#spans.delete(this.#spans.keys().next().value!)
  }
}
