/** When a life of the service ends. */
export type Kill =
  /** After so many accepted requests, sent as fast as they are answered. */
  | { readonly at: 'accepted'; readonly count: number }
  /** So long after it is ready, under a steady load. */
  | { readonly at: 'time'; readonly ms: number }
  /** While a step that reaches outside is under way, for certain: the process is stopped to look. */
  | { readonly at: 'step' }
  /** While it starts: at this share of what a start takes. Beyond 1, while it takes up what was left. */
  | { readonly at: 'starting'; readonly share: number }

export interface KillPlanOptions {
  readonly rounds: number
  readonly seconds: number
  /** Requests that are accepted in one life at the most. */
  readonly perLife: number
}

const LONG_LIFE_EVERY = 4

/**
 * Every fourth life is long enough for what was left to be finished: a step in which the process dies five times
 * is held to be the cause and given up, by design, and this drill is about the other steps.
 */
export function planKills({ rounds, seconds, perLife }: KillPlanOptions, random: () => number): Kill[] {
  const kills: Kill[] = []
  const between = (low: number, high: number) => low + random() * (high - low)
  for (let round = 1; round <= rounds; round++) {
    const choice = random()
    if (round % LONG_LIFE_EVERY === 0) kills.push({ at: 'time', ms: between(0.5, 1) * seconds * 1000 })
    else if (choice < 0.3 && kills.at(-1)?.at !== 'starting') {
      kills.push({ at: 'starting', share: between(0.2, 1.5) })
    } else if (choice < 0.7) kills.push({ at: 'accepted', count: Math.ceil(between(0, perLife)) })
    else kills.push({ at: 'time', ms: between(0.02, 1) * seconds * 1000 })
  }
  return kills
}
