import { addressGroup } from '../../keys/address-group.ts'
import { type RateVerdict, verdictOf } from '../webhook/rate-limiter.ts'

/** Addresses that somebody makes up must not fill the memory. */
const MOST_SENDERS = 10_000

/** So large a part of what is taken in a minute is for one address: nobody can keep all others out. */
const SHARE = 1 / 4

const MINUTE_MS = 60_000

/** Of what was sent to a flow: who sent last, and when somebody else did. */
interface LastSenders {
  address: string
  at: number
  othersAt: number
}

/**
 * What each address may send to each flow, as a bucket that fills evenly; whole networks of IPv6 are one address, as one
 * visitor has all of it. Every process counts by itself: the limit of the flow is what all of them share.
 */
export class SenderLimits {
  readonly #now: () => number
  /** The one that was asked for longest ago is the first, here and below. */
  readonly #buckets = new Map<string, { used: number; at: number }>()
  readonly #last = new Map<string, LastSenders>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** `perMinute`: what is taken of all. */
  take(flowId: string, address: string, perMinute: number): RateVerdict {
    return this.#take(flowId, addressGroup(address), shareOf(perMinute))
  }

  /**
   * The same, but as long as nobody else sends, one may send all of it: behind a proxy that nobody named every visitor has its address,
   * and a limit of two would be one.
   */
  takeAllOrShare(flowId: string, address: string, perMinute: number): RateVerdict {
    const sender = addressGroup(address)
    return this.#take(flowId, sender, this.#isAlone(flowId, sender) ? perMinute : shareOf(perMinute))
  }

  #take(flowId: string, sender: string, most: number): RateVerdict {
    const key = `${flowId} ${sender}`
    const now = this.#now()
    const { used: before, at } = this.#buckets.get(key) ?? { used: 0, at: now }
    // What somebody took while it was alone is not held against it for longer than its share. A clock that was set back must not fill it.
    const used = Math.max(0, Math.min(most, before) - Math.max(0, now - at) * (most / MINUTE_MS))
    const allowed = used <= most - 1
    const usedNow = allowed ? used + 1 : used
    keep(this.#buckets, key, { used: usedNow, at: now })
    return verdictOf(allowed, most - usedNow, most)
  }

  /** Whether nobody else has sent anything for a minute. */
  #isAlone(flowId: string, sender: string): boolean {
    const now = this.#now()
    const last = this.#last.get(flowId) ?? { address: sender, at: now, othersAt: Number.NEGATIVE_INFINITY }
    const othersAt = last.address === sender ? last.othersAt : last.at
    keep(this.#last, flowId, { address: sender, at: now, othersAt })
    return Math.abs(now - othersAt) >= MINUTE_MS
  }
}

function shareOf(perMinute: number): number {
  return Math.max(1, Math.ceil(perMinute * SHARE))
}

function keep<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.delete(key)
  values.set(key, value)
  if (values.size > MOST_SENDERS) values.delete(values.keys().next().value!)
}
