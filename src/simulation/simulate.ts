import { MillraceError } from '../errors.ts'
import { NEVER } from '../store/waits.ts'
import { actOut, answerQuestion, callRun, purge } from './life/act-out.ts'
import { History } from './life/history.ts'
import type { LifeEvent, Scenario } from './life/scenario.ts'
import { judgeAlerts } from './oracle/judge-alerts.ts'
import { judgeEffect } from './oracle/judge-effect.ts'
import { judgeKept } from './oracle/judge-kept.ts'
import { judgeCounts, judgeEnds, judgeMetrics, watchIdle } from './oracle/judge-quiet.ts'
import { judgeResults } from './oracle/judge-results.ts'
import { RetentionWatch } from './oracle/judge-retention.ts'
import { judgeTransitions } from './oracle/judge-transitions.ts'
import type { Ground } from './template-store.ts'
import type { SimulatedProcess } from './world/simulated-process.ts'
import { BEGINNING } from './world/virtual-clock.ts'
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

const ALONE = { firstMs: 10_000, roundMs: 60_000, longestMs: 1_200_000 }
/** Processes that share a store look every second, and each look takes its time here. */
const SHARED = { firstMs: 3_000, roundMs: 4_000, longestMs: 20_000 }
const START_AGAIN_MS = 1_000
/** For how long one of several processes is away. */
const AWAY_MS = [1, 3_000, 15_000, 60_000]
/** Rounds in which nothing changes. */
const STILL_ROUNDS = 6
/** What is nested waits one after the other. */
const ROUNDS = 400
/** A scenario that goes on and on is a fault, or of no use. */
const MOST_STEPS = 200_000

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
    await play.all()
    retention.look()
    runs = world.process === undefined ? 0 : world.records.count('runs')
  } catch (error) {
    if (!(error instanceof ViolationError)) throw error
    world.violation ??= error.violation
  }
  const { hash, steps, trace } = world.scheduler
  const effects = world.ledger.effects.length
  const { violation } = world
  await world.close()
  return { violation, hash, steps, effects, runs, trace, unexpected: [...history.unexpected] }
}

class Play {
  readonly #world: World
  readonly #history: History
  #dieIn: number | undefined
  #restartIn: number | undefined
  #toStart = 0
  /** Requests that nobody has answered yet, and who was asked. */
  readonly #asking = new Map<Promise<void>, SimulatedProcess | undefined>()
  #failure: unknown

  constructor(world: World, history: History) {
    this.#world = world
    this.#history = history
  }

  async all(): Promise<void> {
    const { scheduler, scenario } = this.#world
    for (let process = 0; process < (scenario.processes ?? 1); process++) await this.#world.start()
    await this.#setUp()
    const begin = scheduler.now
    for (const event of scenario.events) {
      scheduler.add(event.at, `event ${event.kind}`, undefined, () => this.#happen(event))
    }
    await this.#run(begin + (scenario.events.at(-1)?.at ?? 0) + 1_000)
    await this.#settle()
    await this.#endTorn()
    // What was counted a second ago is told by the next look.
    if (scenario.processes !== undefined) await this.#run(scheduler.now + SHARED.firstMs)
    if (this.#isDecided) return
    judgeTransitions(this.#world)
    judgeEnds(this.#world, this.#history)
    judgeCounts(this.#world)
    await judgeMetrics(this.#world)
    judgeResults(this.#world, this.#history)
    judgeKept(this.#world)
    judgeAlerts(this.#world)
  }

  get #isDecided(): boolean {
    return this.#world.violation !== undefined
  }

  async #setUp(): Promise<void> {
    const world = this.#world
    const { contexts, flows } = world.scenario
    for (let context = 1; context <= contexts; context++) {
      const news = { parent: '/', name: `c${context}`, variables: {}, settings: {} }
      await world.until(world.deps.contexts.create(news), 'a context')
    }
    for (const spec of flows) {
      const live = await world.until(world.deps.library.create(world.documentOf(spec)), 'a flow')
      world.flowIds.push(live.id)
      world.knows(live, spec)
    }
  }

  #happen(event: LifeEvent): void {
    const world = this.#world
    const process = world.anyProcess()
    if (process === undefined) {
      // Whoever finds nobody there comes again.
      world.scheduler.add(20, `event ${event.kind} again`, undefined, () => this.#happen(event))
    } else if (process.isFrozen) {
      const rest = process.frozenUntil - world.scheduler.now
      world.scheduler.add(rest, `event ${event.kind} again`, undefined, () => this.#happen(event))
    } else if (event.kind === 'freeze') world.freeze(process, event.ms)
    else if (event.kind === 'die') this.#dieIn ??= event.steps
    else if (event.kind === 'restart') this.#restartIn ??= event.steps
    else world.asking(process, () => this.#ask(actOut(event, world, this.#history)))
  }

  #ask(asking: Promise<void>): void {
    const settled = asking
      .catch((error) => {
        this.#failure ??= error
      })
      .finally(() => this.#asking.delete(settled))
    this.#asking.set(settled, this.#world.process)
  }

  #askUnlessRefused(asking: Promise<unknown>): void {
    const unlessRefused = (error: unknown) => {
      if (!(error instanceof MillraceError)) throw error
    }
    this.#ask(asking.then(() => {}, unlessRefused))
  }

  async #run(until: number): Promise<void> {
    const { scheduler } = this.#world
    while (!this.#isDecided && (await scheduler.step(until))) {
      if (this.#failure !== undefined) throw this.#failure
      if (scheduler.steps > MOST_STEPS)
        throw new ViolationError('things come to an end', `${MOST_STEPS} steps, and it still goes on.`)
      this.#world.timePasses()
      await this.#fate()
    }
  }

  /** A process whose commit was torn does not live on because nothing more happens. */
  async #endTorn(): Promise<void> {
    if (this.#isDecided || this.#world.condition.state !== 'torn') return
    this.#dieIn = 0
    await this.#fate()
    await this.#settle()
  }

  async #fate(): Promise<void> {
    const world = this.#world
    if (world.condition.state === 'torn') this.#dieIn ??= world.livesOn
    if (this.#dieIn !== undefined && this.#dieIn-- <= 0) {
      this.#dieIn = undefined
      const process = world.anyProcess()
      this.#nobodyAnswersFor(process)
      await world.die(process)
      await this.#startAfter(world.processes.length === 0 ? 0 : world.random.pick(AWAY_MS))
    } else if (this.#restartIn !== undefined && this.#restartIn-- <= 0) {
      this.#restartIn = undefined
      const process = world.anyProcess()
      // It hears of it when it goes on.
      if (process?.isFrozen) this.#restartIn = 1
      else {
        await world.stop(process)
        this.#nobodyAnswersFor(process)
        await this.#startAfter(0)
      }
    } else if (this.#toStart > 0) {
      this.#toStart--
      await this.#start()
    }
  }

  #nobodyAnswersFor(process: SimulatedProcess | undefined): void {
    for (const [asking, asked] of this.#asking) if (asked === process) this.#asking.delete(asking)
  }

  async #startAfter(ms: number): Promise<void> {
    if (ms === 0) return this.#start()
    this.#world.scheduler.add(ms, 'a process is started', undefined, () => void this.#toStart++)
  }

  /** Where its store cannot be opened, whoever started it tries again. */
  async #start(): Promise<void> {
    try {
      await this.#world.start()
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error
      this.#world.scheduler.note(`not started: ${error.code}`)
      await this.#startAfter(START_AGAIN_MS)
    }
  }

  /** Nothing new comes, everything that is waited for does, and time passes. */
  async #settle(): Promise<void> {
    const world = this.#world
    const { scheduler } = world
    const { firstMs, roundMs, longestMs } = world.scenario.processes === undefined ? ALONE : SHARED
    await this.#run(scheduler.now + firstMs)
    await this.#endTicks()
    let [stillFor, before] = [0, '']
    for (let round = 0; round < ROUNDS && stillFor < STILL_ROUNDS && !this.#isDecided; round++) {
      world.machine.passTime?.(world)
      await this.#run(scheduler.now + roundMs)
      const judgeIdle = watchIdle(world)
      await this.#run(scheduler.now + roundMs)
      if (this.#isDecided) return
      if (this.#asking.size === 0 && this.#dieIn === undefined && this.#restartIn === undefined) judgeIdle()
      const isQuiet = world.records.open().length === 0 && this.#asking.size === 0
      if (isQuiet || this.#isDecided) return
      const left = this.#left()
      stillFor = left === before && !this.#hasTime() ? stillFor + 1 : 0
      before = left
      await this.#endTicks()
      if (round === 1) await this.#leaveContexts()
      // First those that nobody else started: what they started goes on without them, or is still waited for.
      await this.#answerAll(round === 0)
      await this.#run(scheduler.now + Math.min(roundMs * 2 ** round, longestMs))
    }
    if (this.#asking.size > 0 && !this.#isDecided)
      world.fail('calls are answered', `${this.#asking.size} requests were never answered.`)
  }

  /** What has not ended, and is waited for. */
  #left(): string {
    const { records } = this.#world
    return [...records.open(), ...records.openWaits()].map((one) => Object.values(one).join()).join()
  }

  /** Something is due later: who has set the clock back, maybe twice, waits for so much longer. */
  #hasTime(): boolean {
    const { records, scheduler, wall } = this.#world
    const now = BEGINNING + wall.skewMs + scheduler.now
    return records.open().some(({ dueAt }) => dueAt !== null && dueAt > now && dueAt < NEVER)
  }

  async #endTicks(): Promise<void> {
    const world = this.#world
    for (const [flow, spec] of world.scenario.flows.entries()) {
      const live = spec.everySeconds > 0 ? world.flow(flow) : undefined
      if (live === undefined) continue
      this.#history.unreachable.add(flow)
      this.#askUnlessRefused(world.deps.library.remove(live.id))
    }
    await this.#run(world.scheduler.now + 1_000)
  }

  /** Who tidies up does so while the last runs still wait. */
  async #leaveContexts(): Promise<void> {
    const world = this.#world
    for (let context = 1; context <= world.scenario.contexts; context++) {
      for (const kind of ['leave-context', 'delete-context'] as const) {
        this.#ask(actOut({ at: 0, kind, context }, world, this.#history))
        await this.#run(world.scheduler.now + 5_000)
      }
    }
  }

  async #answerAll(onlyRoots: boolean): Promise<void> {
    const world = this.#world
    const isMeant = (runId: string) => !onlyRoots || world.records.byId(runId)?.parentSeq === null
    for (const live of world.deps.library.list()) {
      if (live.paused !== null) this.#askUnlessRefused(world.deps.library.setPaused(live.id, null))
    }
    // Runs of a paused flow that was deleted are paused until it goes for good.
    for (const flowId of new Set(world.records.open().map((run) => run.flowId))) {
      if (world.deps.library.find(flowId) !== undefined) continue
      const isPaused = world.records.open().some((run) => run.flowId === flowId && run.state === 'paused')
      if (isPaused) this.#askUnlessRefused(purge(flowId, world, this.#history))
    }
    for (const { runId, node, kind, id } of world.records.openWaits()) {
      if (!isMeant(runId)) continue
      if (kind === 'call') this.#askUnlessRefused(callRun({ runId, node }, world, this.#history))
      if (kind === 'answer' && id !== null) this.#askUnlessRefused(answerQuestion(id, 'Approve', world))
    }
  }
}
