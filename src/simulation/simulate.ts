import { MillraceError } from '../errors.ts'
import { History } from './life/history.ts'
import { Play } from './life/play.ts'
import type { Scenario } from './life/scenario.ts'
import { Settling, SHARED } from './life/settle.ts'
import { judgeAlerts } from './oracle/judge-alerts.ts'
import { judgeEffect } from './oracle/judge-effect.ts'
import { judgeKept } from './oracle/judge-kept.ts'
import { judgeLists } from './oracle/judge-lists.ts'
import { judgeMessages } from './oracle/judge-messages.ts'
import { judgeCounts, judgeEnds, judgeMetrics } from './oracle/judge-quiet.ts'
import { judgeResults } from './oracle/judge-results.ts'
import { RetentionWatch } from './oracle/judge-retention.ts'
import { judgeTransitions } from './oracle/judge-transitions.ts'
import type { Ground } from './template-store.ts'
import { type Violation, ViolationError, World } from './world/world.ts'

interface SimulateOptions extends Ground {
  readonly keepsTrace?: boolean
}

export interface Verdict {
  readonly violation: Violation | undefined
  /** Tells one course of events from another. */
  readonly hash: string
  readonly steps: number
  readonly effects: number
  readonly runs: number
  readonly trace: readonly string[]
  readonly unexpected: readonly string[]
}

/** Plays one scenario, and judges it. The same scenario has the same course, always. */
export async function simulate(scenario: Scenario, options: SimulateOptions): Promise<Verdict> {
  await options.begin?.()
  const history = new History()
  const world = new World({
    ...options,
    scenario,
    onBegin: (effect, world) => judgeEffect(effect, world, history)
  })
  const retention = new RetentionWatch(world)
  world.onPrune = () => retention.look()
  const play = new Play(world, history)
  let runs = 0
  try {
    await playOut(play)
    retention.look()
    runs = world.process === undefined ? 0 : world.records.count('runs')
  } catch (error) {
    world.violation ??= violationOf(error)
  }
  const { hash, steps, trace } = world.scheduler
  const effects = world.ledger.effects.length
  await world.close().catch((error) => {
    world.violation ??= violationOf(error)
  })
  const { violation } = world
  return { violation, hash, steps, effects, runs, trace, unexpected: [...history.unexpected] }
}

/** Whatever is thrown is a fault of the code or of the simulation: whoever looks for it needs the seed, and smaller scenarios go on. */
function violationOf(error: unknown): Violation {
  if (error instanceof ViolationError) return error.violation
  const { name, stack = String(error) } = error instanceof Error ? error : new Error(String(error))
  const kind = error instanceof MillraceError ? error.code : name
  return { rule: `nothing is thrown: ${kind}`, message: stack.split('\n').slice(0, 6).join(' | ') }
}

async function playOut(play: Play): Promise<void> {
  const { world, history } = play
  const settling = new Settling(play)
  await play.events()
  await settling.all()
  if (await play.endTorn()) await settling.all()
  // What was counted a second ago is told by the next look, and who stands still looks when it goes on: the others may have
  // ended everything meanwhile.
  if (world.scenario.processes !== undefined) await play.run(world.allGoOnAt + SHARED.firstMs)
  if (play.isDecided) return
  judgeTransitions(world)
  judgeEnds(world, history)
  judgeCounts(world)
  await judgeMetrics(world)
  judgeResults(world, history)
  judgeKept(world)
  judgeMessages(world, history)
  judgeAlerts(world)
  judgeLists(world)
}
