import { addressGroup } from '../../keys/address-group.ts'
import { type RateVerdict, verdictOf } from '../webhook/rate-limiter.ts'

/** Addresses that somebody makes up must not fill the memory. */
const MOST_SENDERS = 10_000

/** So large a part of what a form takes in a minute is for one address: nobody can keep all others out. */
const SHARE = 1 / 4

/**
 * What each address may send of each form, as a bucket that fills evenly; whole networks of IPv6 are one address, as one
 * visitor has all of it. Every process counts by itself: the limit of the form is what all of them share.
 */
export class SenderLimits {
  readonly #now: () => number
  /** The one that was asked for longest ago is the first. */
  readonly #buckets = new Map<string, { level: number; at: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** `perMinute`: what the form takes of all. */
  take(flowId: string, address: string, perMinute: number): RateVerdict {
    const most = Math.max(1, Math.ceil(perMinute * SHARE))
    const sender = `${flowId} ${addressGroup(address)}`
    const now = this.#now()
    const { level: before, at } = this.#buckets.get(sender) ?? { level: most, at: now }
    // A clock that was set back must not drain the bucket.
    const level = Math.min(most, before + Math.max(0, now - at) * (most / 60_000))
    const allowed = level >= 1
    const left = allowed ? level - 1 : level
    this.#buckets.delete(sender)
    this.#buckets.set(sender, { level: left, at: now })
    if (this.#buckets.size > MOST_SENDERS) this.#buckets.delete(this.#buckets.keys().next().value!)
    return verdictOf(allowed, left, most)
  }
}
