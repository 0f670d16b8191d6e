import { MillraceError } from '../../errors.ts'
import type { SimulatedProcess } from '../world/simulated-process.ts'
import { ViolationError, type World } from '../world/world.ts'
import { actOut } from './act-out.ts'
import type { History } from './history.ts'
import type { LifeEvent } from './scenario.ts'

const START_AGAIN_MS = 1_000
/** For how long one of several processes is away. */
const AWAY_MS = [1, 3_000, 15_000, 60_000]
/** A scenario that goes on and on is a fault, or of no use. */
const MOST_STEPS = 200_000

/** The events of a scenario, one after the other, and what becomes of its processes. */
export class Play {
  readonly world: World
  readonly history: History
  #dieIn: number | undefined
  #restartIn: number | undefined
  #toStart = 0
  /** Requests that nobody has answered yet, and who was asked. */
  readonly #asking = new Map<Promise<void>, SimulatedProcess | undefined>()
  #failure: unknown

  constructor(world: World, history: History) {
    this.world = world
    this.history = history
  }

  /** All that happens, up to a second after the last event. */
  async events(): Promise<void> {
    const { scheduler, scenario } = this.world
    for (let process = 0; process < (scenario.processes ?? 1); process++) await this.world.start()
    await this.#setUp()
    const begin = scheduler.now
    for (const event of scenario.events) {
      scheduler.add(event.at, `event ${event.kind}`, undefined, () => this.#happen(event))
    }
    await this.run(begin + (scenario.events.at(-1)?.at ?? 0) + 1_000)
  }

  get isDecided(): boolean {
    return this.world.violation !== undefined
  }

  /** How many requests nobody has answered yet. */
  get unanswered(): number {
    return this.#asking.size
  }

  /** A process is about to die, or to be restarted. */
  get isToEnd(): boolean {
    return this.#dieIn !== undefined || this.#restartIn !== undefined
  }

  async #setUp(): Promise<void> {
    const world = this.world
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
    const world = this.world
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
    else world.asking(process, () => this.ask(actOut(event, world, this.history)))
  }

  ask(asking: Promise<void>): void {
    const settled = asking
      .catch((error) => {
        this.#failure ??= error
      })
      .finally(() => this.#asking.delete(settled))
    this.#asking.set(settled, this.world.process)
  }

  askUnlessRefused(asking: Promise<unknown>): void {
    const unlessRefused = (error: unknown) => {
      if (!(error instanceof MillraceError)) throw error
    }
    this.ask(asking.then(() => {}, unlessRefused))
  }

  async run(until: number): Promise<void> {
    const { scheduler } = this.world
    while (!this.isDecided && (await scheduler.step(until))) {
      if (this.#failure !== undefined) throw this.#failure
      if (scheduler.steps > MOST_STEPS)
        throw new ViolationError('things come to an end', `${MOST_STEPS} steps, and it still goes on.`)
      this.world.timePasses()
      await this.#fate()
    }
  }

  /** A process whose commit was torn does not live on because nothing more happens. Whether there was one. */
  async endTorn(): Promise<boolean> {
    if (this.isDecided || this.world.condition.state !== 'torn') return false
    this.#dieIn = 0
    await this.#fate()
    return true
  }

  async #fate(): Promise<void> {
    const world = this.world
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
    this.world.scheduler.add(ms, 'a process is started', undefined, () => void this.#toStart++)
  }

  /** Where its store cannot be opened, whoever started it tries again. */
  async #start(): Promise<void> {
    try {
      await this.world.start()
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error
      this.world.scheduler.note(`not started: ${error.code}`)
      await this.#startAfter(START_AGAIN_MS)
    }
  }
}
