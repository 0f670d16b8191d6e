import type { Clock } from '../../clock.ts'
import type { RateBuckets } from '../../store/shared-store.ts'
import { type RateLimits, type RateVerdict, verdictOf } from './rate-limiter.ts'

interface SharedRateLimiterDeps {
  readonly buckets: RateBuckets
  readonly clock: Pick<Clock, 'now' | 'soon'>
}

interface Asked {
  readonly perMinute: number
  readonly answers: { resolve(verdict: RateVerdict): void; reject(error: unknown): void }[]
}

/**
 * Limits that hold for all processes together: the buckets are in the store. What is asked for in one turn of the
 * loop is asked of the store at once; and once a flow is over its limit, nobody asks again before there can be
 * something in its bucket.
 */
export class SharedRateLimiter implements RateLimits {
  readonly #deps: SharedRateLimiterDeps
  readonly #asked = new Map<string, Asked>()
  /** When each of the flows that are over their limit has something in its bucket again. */
  readonly #emptyUntil = new Map<string, number>()

  constructor(deps: SharedRateLimiterDeps) {
    this.#deps = deps
  }

  take(flowId: string, perMinute: number): RateVerdict | Promise<RateVerdict> {
    const wait = (this.#emptyUntil.get(flowId) ?? 0) - this.#deps.clock.now()
    if (wait > 0) return verdictOf(false, Math.max(0, 1 - (wait / 60_000) * perMinute), perMinute)
    return new Promise((resolve, reject) => {
      const asked = this.#asked.get(flowId) ?? { perMinute, answers: [] }
      if (asked.answers.length === 0) this.#deps.clock.soon(() => this.#ask(flowId, asked))
      asked.answers.push({ resolve, reject })
      this.#asked.set(flowId, asked)
    })
  }

  #ask(flowId: string, { perMinute, answers }: Asked): void {
    this.#asked.delete(flowId)
    this.#deps.buckets.take(flowId, perMinute, answers.length).then(
      ({ granted, level }) => {
        if (granted < answers.length) this.#empty(flowId, level, perMinute)
        for (const [index, { resolve }] of answers.entries()) {
          resolve(verdictOf(index < granted, level, perMinute))
        }
      },
      (error) => {
        for (const { reject } of answers) reject(error)
      }
    )
  }

  #empty(flowId: string, level: number, perMinute: number): void {
    const ms = (Math.max(0, 1 - level) / perMinute) * 60_000
    this.#emptyUntil.set(flowId, this.#deps.clock.now() + ms)
  }
}
