import { generateScenario } from '../life/generate-scenario.ts'
import type { LifeEvent, Scenario } from '../life/scenario.ts'
import { seededRandom } from '../seeded-random.ts'

/** The same lives as elsewhere, with what there is only where processes share a store. */
export function generateClusterScenario(seed: number): Scenario {
  const scenario = generateScenario(seed)
  const random = seededRandom(seed).fork('cluster')
  return {
    ...scenario,
    events: closerTogether(scenario.events.filter(isMeant)),
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
