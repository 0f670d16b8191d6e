/** Limits of requests per minute for each flow. At once where this process alone counts. */
export interface RateLimits {
  /** Takes one request out of what the flow may have, if there is one left. */
  take(flowId: string, perMinute: number): RateVerdict | Promise<RateVerdict>
}

/**
 * A limit as a bucket that fills evenly and holds at most one minute's worth: a burst up to the limit passes, then
 * the steady rate. Only two numbers per flow are kept.
 */
export class RateLimiter implements RateLimits {
  readonly #now: () => number
  readonly #buckets = new Map<string, { level: number; at: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  take(flowId: string, perMinute: number): RateVerdict {
    const now = this.#now()
    const bucket = this.#buckets.get(flowId) ?? { level: perMinute, at: now }
    const perMs = perMinute / 60_000
    // A clock that was set back must not drain the bucket: the flow would refuse for as long as it was set back.
    bucket.level = Math.min(perMinute, bucket.level + Math.max(0, now - bucket.at) * perMs)
    bucket.at = now
    this.#buckets.set(flowId, bucket)
    const allowed = bucket.level >= 1
    if (allowed) bucket.level--
    return verdictOf(allowed, bucket.level, perMinute)
  }
}

/** `level`: what is left in the bucket. */
export function verdictOf(allowed: boolean, level: number, perMinute: number): RateVerdict {
  const perSecond = perMinute / 60
  const secondsToNext = Math.ceil(Math.max(0, 1 - level) / perSecond)
  const secondsToFull = Math.ceil((perMinute - level) / perSecond)
  return { allowed, remaining: Math.floor(level), secondsToNext, secondsToFull, perMinute }
}

export interface RateVerdict {
  readonly allowed: boolean
  readonly remaining: number
  readonly secondsToNext: number
  readonly secondsToFull: number
  readonly perMinute: number
}

/** The RateLimit fields of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitFields(verdict: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': `"flow";q=${verdict.perMinute};w=60`,
    ratelimit: `"flow";r=${verdict.remaining};t=${verdict.allowed ? verdict.secondsToFull : verdict.secondsToNext}`
  }
}
