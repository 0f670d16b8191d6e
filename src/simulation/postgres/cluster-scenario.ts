import { REFUSED } from '../faults/store-proxy.ts'
import { generateScenario, STANDSTILLS_MS } from '../life/generate-scenario.ts'
import type { LifeEvent, Scenario } from '../life/scenario.ts'
import { type SeededRandom, seededRandom } from '../seeded-random.ts'

/** The same lives as elsewhere, with what there is only where processes share a store. */
export function generateClusterScenario(seed: number): Scenario {
  const scenario = generateScenario(seed)
  const random = seededRandom(seed).fork('cluster')
  return {
    ...scenario,
    events: withFaults(closerTogether(scenario.events.filter(isMeant)), random),
    processes: random.pick([1, 2, 2]),
    unheard: random.pick([0, 0, 0.3, 1])
  }
}

/** All go by the clock of the database, which nobody sets. */
function isMeant({ kind }: LifeEvent): boolean {
  return kind !== 'jump'
}

/** Each second is looked at by every process: what is long enough for a takeover is long enough. */
const LONGEST_GAP_MS = 12_000

function closerTogether(events: readonly LifeEvent[]): LifeEvent[] {
  let [before, at] = [0, 0]
  return events.map((event) => {
    at += Math.min(event.at - before, LONGEST_GAP_MS)
    before = event.at
    return { ...event, at }
  })
}

/** There is more here that can break: connections, and processes among others that go on. */
function withFaults(events: readonly LifeEvent[], random: SeededRandom): LifeEvent[] {
  if (random.chance(0.4)) return [...events]
  const span = (events.at(-1)?.at ?? 0) + 2_000
  const faults = Array.from({ length: 1 + random.below(3) }, () => faultAt(random.below(span), random))
  return [...events, ...faults].toSorted((a, b) => a.at - b.at)
}

function faultAt(at: number, random: SeededRandom): LifeEvent {
  const writes = 1 + random.below(3)
  const faults: LifeEvent[] = [
    { at, kind: 'lose', writes, call: 'any' },
    { at, kind: 'lose', writes: 1, call: 'any' },
    { at, kind: 'refuse', writes, call: random.pick(REFUSED) },
    { at, kind: 'die', steps: random.below(60) },
    { at, kind: 'restart', steps: random.below(60) },
    { at, kind: 'shaky', ms: random.pick([150, 3_000]) },
    { at, kind: 'freeze', ms: random.pick(STANDSTILLS_MS) },
    { at, kind: 'down', ms: random.pick([1, 150, 3_000]) }
  ]
  return random.pick(faults)
}
