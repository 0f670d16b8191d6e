import type { SeededRandom } from '../seeded-random.ts'
import type { WatchedList } from './flow-spec.ts'

export function generateList(random: SeededRandom): WatchedList {
  const from = random.below(30_000)
  return {
    everySeconds: random.pick([1, 2, 5]),
    takesFirst: random.chance(0.7),
    comeAt: Array.from({ length: random.below(12) }, () => random.pick([0, 0, random.below(60_000)])),
    staysMs: random.pick([null, null, 3_000, 20_000]),
    away: random.chance(0.3) ? [[from, from + random.pick([500, 5_000, 20_000])]] : []
  }
}
