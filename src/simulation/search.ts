import type { Scenario } from './life/scenario.ts'
import { shrink } from './shrink.ts'
import { simulate, type Verdict } from './simulate.ts'
import type { Ground } from './template-store.ts'
import type { Violation } from './world/world.ts'

export interface Found {
  readonly seed: number
  readonly violation: Violation
  /** What is left of the scenario when all is taken away that the fault does not need. */
  readonly shrunk: Scenario
  readonly message: string
}

interface SearchOptions {
  readonly ground: Ground
  readonly from: number
  /** Whether to go on, asked before every seed. */
  readonly shouldContinue: (seeds: number, found: readonly Found[]) => boolean
  /** Told at once: to shrink what was found takes minutes, and whoever ends it has the seed. */
  readonly onBroken?: (seed: number, violation: Violation) => void
  readonly onFound?: (found: Found) => void
  /** Scenarios that are left out, where there is little time. */
  readonly leavesOut?: (scenario: Scenario) => boolean
  /** Rules that were broken before: seeds that break them again are passed over. */
  readonly known?: ReadonlySet<string>
  /** For so long, at the most, one is shrunk. */
  readonly shrinkMs?: number
}

interface Searched {
  readonly seeds: number
  /** Of these, those that were not left out. */
  readonly played: number
  readonly found: readonly Found[]
}

/** Plays seed after seed. Of each rule that is broken the first seed is shrunk. */
export async function search(options: SearchOptions): Promise<Searched> {
  const { ground, from, shouldContinue, onBroken, onFound, leavesOut, known = new Set(), shrinkMs } = options
  const found: Found[] = []
  const rules = new Set(known)
  let [seeds, played] = [0, 0]
  for (; shouldContinue(seeds, found); seeds++) {
    const seed = from + seeds
    const scenario = ground.scenarioOf(seed)
    if (leavesOut?.(scenario) === true) continue
    played++
    const verdict = await told(seed, simulate(scenario, ground))
    if (verdict.violation === undefined || rules.has(verdict.violation.rule)) continue
    rules.add(verdict.violation.rule)
    onBroken?.(seed, verdict.violation)
    const one = await told(seed, foundBy(seed, verdict, ground, shrinkMs))
    found.push(one)
    onFound?.(one)
  }
  return { seeds, played, found }
}

/** What ends the search, as a database that is gone, is told with the seed that it came by. */
function told<T>(seed: number, playing: Promise<T>): Promise<T> {
  return playing.catch((error) => {
    throw new Error(`Seed ${seed} could not be played to its end.`, { cause: error })
  })
}

const SHRINK_MS = 120_000

export async function foundBy(
  seed: number,
  verdict: Verdict,
  ground: Ground,
  shrinkMs = SHRINK_MS
): Promise<Found> {
  const until = performance.now() + shrinkMs
  const violation = verdict.violation!
  let message = violation.message
  const shows = async (scenario: Scenario) => {
    if (performance.now() > until) return false
    const { violation: again } = await simulate(scenario, ground)
    if (again?.rule !== violation.rule) return false
    message = again.message
    return true
  }
  return { seed, violation, shrunk: await shrink(ground.scenarioOf(seed), shows), message }
}
