import { hash } from 'node:crypto'
import { addressGroup } from './address-group.ts'

/** So many different wrong keys may come from one address within a minute. */
export const MOST_GUESSES = 20
/** And each so often: a program whose key was revoked guesses nothing, and concerns nobody else at its address. */
export const MOST_REPEATS = 60
const SPAN_MS = 60_000

/** Addresses that somebody makes up must not fill the memory, nor keys that one address has. */
const MOST_ADDRESSES = 10_000
const MOST_GOOD_KEYS = 100
const LONGEST_ADDRESS = 64

interface Span {
  readonly until: number
  /** How often each wrong key came, by its hash. */
  readonly wrong: Map<string, number>
}

/**
 * Counts the wrong keys that each address sends with its requests. An address that sent too many different ones is refused
 * for the rest of the minute, with a good key too: else it could go on guessing and look for the one answer that
 * differs. Only keys that were good at this address before stay so: whoever shares an address must not be locked out
 * by what others behind it send.
 */
export class KeyGuesses {
  readonly #now: () => number
  readonly #spans = new Map<string, Span>()
  /** Ids of keys that were good, by the address that they came from. */
  readonly #good = new Map<string, Set<string>>()
  #refusesUntil = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether no address is refused: all that a good key has to be asked about while nobody guesses. */
  get isQuiet(): boolean {
    return this.#refusesUntil === 0 || this.#refusesUntil <= this.#now()
  }

  /** How long the address has to wait, 0 is not at all. `keyId`: of the key, where it is a good one. */
  secondsToWait(address: string, key: string, keyId?: string): number {
    const span = this.#spans.get(addressGroup(address))
    if (span === undefined || !isSpent(span, key)) return 0
    if (keyId !== undefined && this.#good.get(address)?.has(keyId)) return 0
    // A clock that was set back must not keep anybody out for longer than the minute.
    const restMs = Math.min(SPAN_MS, span.until - this.#now())
    return Math.max(0, Math.ceil(restMs / 1000))
  }

  /** How long a wrong key has to wait, as all keys of its address; counted where not at all. */
  takeWrong(address: string, key: string): number {
    const seconds = this.secondsToWait(address, key)
    if (seconds === 0) this.addWrong(address, key)
    return seconds
  }

  /** How long a good key has to wait; where not at all, it is known to be good at this address from now on. */
  takeGood(address: string, key: string, keyId: string): number {
    const seconds = this.isQuiet ? 0 : this.secondsToWait(address, key, keyId)
    if (seconds === 0) this.addGood(address, keyId)
    return seconds
  }

  addWrong(address: string, key: string): void {
    const now = this.#now()
    const group = addressGroup(address)
    let span = this.#spans.get(group)
    if (span === undefined || span.until <= now) {
      this.#spans.delete(group)
      span = { until: now + SPAN_MS, wrong: new Map() }
      putBounded(this.#spans, group, span)
    }
    const digest = digestOf(key)
    span.wrong.set(digest, (span.wrong.get(digest) ?? 0) + 1)
    if (isSpent(span, key)) this.#refusesUntil = Math.max(this.#refusesUntil, span.until)
  }

  /** On the way of every webhook with a key: to find that all is known costs two lookups. */
  addGood(address: string, keyId: string): void {
    let keys = this.#good.get(address)
    if (keys === undefined) {
      if (address.length > LONGEST_ADDRESS) return
      keys = new Set()
      putBounded(this.#good, address, keys)
    }
    if (!keys.has(keyId) && keys.size < MOST_GOOD_KEYS) keys.add(keyId)
  }
}

function isSpent({ wrong }: Span, key: string): boolean {
  return wrong.size >= MOST_GUESSES || (wrong.get(digestOf(key)) ?? 0) >= MOST_REPEATS
}

/** Wrong keys are often almost right ones: they are not kept as they are. */
function digestOf(key: string): string {
  return hash('sha256', key, 'base64')
}

function putBounded<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  // The oldest stands first.
  if (map.size > MOST_ADDRESSES) map.delete(map.keys().next().value!)
}
