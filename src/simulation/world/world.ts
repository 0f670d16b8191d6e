import { AsyncLocalStorage } from 'node:async_hooks'
import type { LiveFlow } from '../../library/live-flow.ts'
import { isInside } from '../../runs/children/run-result.ts'
import type { ServiceConfig } from '../../startup/service-options.ts'
import type { StoreCondition } from '../faults/store-proxy.ts'
import { documentOf } from '../life/flow-document.ts'
import type { FlowSpec } from '../life/flow-spec.ts'
import type { Scenario } from '../life/scenario.ts'
import { draftOf, isTest, type RecordReader, type RunRecord } from '../oracle/records.ts'
import { type SeededRandom, seededRandom } from '../seeded-random.ts'
import { KnownVersions } from './known-versions.ts'
import { type Effect, Ledger } from './ledger.ts'
import type { Machine } from './machine.ts'
import { OutsideLists } from './outside-lists.ts'
import { Scheduler } from './scheduler.ts'
import { SimulatedProcess } from './simulated-process.ts'
import type { Wall } from './virtual-clock.ts'

/** Something that must not be. */
export interface Violation {
  readonly rule: string
  readonly message: string
}

/** Thrown where something must not be: the scenario ends there. */
export class ViolationError extends Error {
  readonly violation: Violation

  constructor(rule: string, message: string) {
    super(`${rule}: ${message}`)
    this.violation = { rule, message }
  }
}

export interface WorldOptions {
  readonly scenario: Scenario
  /** What its processes stand on. */
  readonly machineOf: (world: World) => Machine
  readonly keepsTrace?: boolean
  /** Rules whose breach is passed over: faults that are known, and would hide others. */
  readonly passedOver?: ReadonlySet<string>
  readonly onBegin: (effect: Effect, world: World) => void
}

/** Something goes round in circles. */
const MOST_AT_ONCE = 10_000

/** How long a start or a stop may take, in steps of the scheduler. */
const MOST_STEPS = 20_000

/** One service with its machine and its outside, through all its lives; of several processes where the store is shared. */
export class World {
  readonly scenario: Scenario
  readonly scheduler: Scheduler
  readonly ledger: Ledger
  readonly lists: OutsideLists
  readonly wall: Wall = { skewMs: 0 }
  readonly condition: StoreCondition = {
    state: 'sound',
    refusals: 0,
    refusing: '',
    losses: 0,
    losing: '',
    tearing: undefined,
    troubledAt: Number.NEGATIVE_INFINITY
  }
  readonly flowIds: string[] = []
  readonly specs = new KnownVersions()
  /** Documents that were tried out, by the numbers that their runs were given. */
  readonly drafts: FlowSpec[] = []
  readonly storeCalls = new Map<string, number>()
  /** What happens to processes, and which of them is asked. */
  readonly random: SeededRandom
  readonly machine: Machine
  readonly #passedOver: ReadonlySet<string>
  #processes: readonly SimulatedProcess[] = []
  /** When processes were asked to stop, by their numbers. */
  readonly stops = new Map<number, number>()
  /** Whoever asks for something does so of one process until it is answered. */
  readonly #asked = new AsyncLocalStorage<SimulatedProcess>()
  #lives = 0
  deaths = 0
  /** When a process died or had stopped last. */
  lastGoneAt = Number.NEGATIVE_INFINITY
  /** For so many steps a process does, whose commit was torn. */
  livesOn = 0
  violation: Violation | undefined
  /** Called before old runs are deleted. */
  onPrune: (() => void) | undefined

  constructor({ scenario, machineOf, passedOver, keepsTrace = false, onBegin }: WorldOptions) {
    this.#passedOver = passedOver ?? new Set()
    this.scenario = scenario
    const random = seededRandom(`${scenario.seed}/order`)
    const { disorder, flows } = scenario
    this.scheduler = new Scheduler({ random, disorder, keepsTrace, quiet: () => this.machine.quiet() })
    this.random = seededRandom(`${scenario.seed}/processes`)
    this.ledger = new Ledger({ scheduler: this.scheduler, onBegin: (effect) => onBegin(effect, this) })
    this.lists = new OutsideLists(flows, this.scheduler)
    this.machine = machineOf(this)
  }

  /** Undefined while none is up. */
  get process(): SimulatedProcess | undefined {
    return this.#asked.getStore() ?? this.#processes[0]
  }

  /** All that are up. */
  get processes(): readonly SimulatedProcess[] {
    return this.#processes
  }

  /** When whoever stands still has gone on. */
  get allGoOnAt(): number {
    return Math.max(this.scheduler.now, ...this.#processes.map(({ frozenUntil }) => frozenUntil))
  }

  /** One that is up, as the seed decides. */
  anyProcess(): SimulatedProcess | undefined {
    return this.#processes.length < 2 ? this.#processes[0] : this.random.pick(this.#processes)
  }

  /** All that is asked inside is asked of this process. */
  asking<T>(process: SimulatedProcess, ask: () => T): T {
    return this.#asked.run(process, ask)
  }

  get lives(): number {
    return this.#lives
  }

  get records(): RecordReader {
    return this.machine.records
  }

  /** The service as it is now; for use while one is up. */
  get deps(): SimulatedProcess['deps'] {
    return this.process!.deps
  }

  fail(rule: string, message: string): void {
    if (!this.#passedOver.has(rule)) this.violation ??= { rule, message }
  }

  async start(): Promise<void> {
    const { scenario, scheduler, ledger, wall, condition } = this
    const no = ++this.#lives
    const process = new SimulatedProcess({
      no,
      config: this.#config(),
      machine: this.machine,
      sizes: scenario.sizes,
      scheduler,
      ledger,
      lists: this.lists,
      random: seededRandom(`${scenario.seed}/process ${no}`),
      wall,
      condition,
      answers: scenario.answers,
      costMs: scenario.costMs,
      onCall: (family, method) => this.#called(`${family}.${method}`),
      onError: (error, doing) => this.fail('no internal error', `${doing} ${stackOf(error)}`)
    })
    condition.state = 'sound'
    condition.refusals = 0
    condition.losses = 0
    condition.tearing = undefined
    try {
      await this.until(process.start(), 'the service to start')
      this.#processes = [...this.#processes, process]
    } catch (error) {
      process.die()
      await this.machine.left(process, 'died')
      throw error
    }
  }

  /** All that is in memory is gone; what was committed is not. */
  async die(process = this.#processes[0]): Promise<void> {
    if (process === undefined) return
    this.#gone(process)
    this.deaths++
    process.die()
    await this.machine.left(process, 'died')
  }

  freeze(process: SimulatedProcess, ms: number): void {
    process.freeze(ms)
    this.machine.froze?.(process)
  }

  /** The one of this number, while it is up. */
  processOf(no: number): SimulatedProcess | undefined {
    return this.#processes.find((process) => process.no === no)
  }

  async stop(process = this.#processes[0]): Promise<void> {
    if (process === undefined) return
    this.stops.set(process.no, this.scheduler.now)
    await this.until(process.stop(), 'the service to stop')
    this.#gone(process)
    await this.machine.left(process, 'stopped')
  }

  async close(): Promise<void> {
    while (this.#processes.length > 0) await this.die()
    await this.machine.close()
  }

  /** Lets things happen until the promise is settled. */
  async until<T>(promise: Promise<T>, what: string): Promise<T> {
    let isSettled = false
    const settled = promise.finally(() => {
      isSettled = true
    })
    settled.catch(() => {})
    await this.machine.quiet()
    for (let steps = 0; !isSettled; steps++) {
      this.timePasses()
      if (steps > MOST_STEPS || !(await this.scheduler.step()))
        throw new ViolationError('calls are answered', `Waited in vain for ${what}.`)
    }
    return settled
  }

  timePasses(): void {
    if (this.scheduler.atOnce > MOST_AT_ONCE)
      throw new ViolationError('time passes', `${MOST_AT_ONCE} things happened in the same instant.`)
  }

  flow(index: number): LiveFlow | undefined {
    const id = this.flowIds[index]
    return id === undefined ? undefined : this.deps.library.find(id)
  }

  /** It is the same in all versions. */
  limitOf(flowId: string): number {
    return this.scenario.flows[this.flowIds.indexOf(flowId)]?.concurrency ?? 0
  }

  contextOf(context: number): string {
    return context === 0 ? '/' : `/c${context}`
  }

  documentOf(spec: FlowSpec): Record<string, unknown> {
    const slugOf = (flow: number) => `flow-${flow}`
    return { ...documentOf(spec, { slugOf, contextOf: (context) => this.contextOf(context) }) }
  }

  /** What the run is to do; for an item, a round or a call of an agent, the flow that it belongs to. */
  specOf(run: RunRecord): FlowSpec | undefined {
    const { parentSeq, flowId, flowVersion, input } = run
    const parent = isInside(run) ? this.records.bySeq(parentSeq!) : undefined
    if (parent !== undefined) return this.specOf(parent)
    return isTest(run) ? this.drafts[draftOf(input)!] : this.specs.get(`${flowId}@${flowVersion}`)
  }

  knows(live: LiveFlow, spec: FlowSpec): void {
    this.specs.set(`${live.id}@${live.version}`, spec)
  }

  #called(call: string): void {
    if (call === 'runs.prune') this.onPrune?.()
    this.storeCalls.set(call, (this.storeCalls.get(call) ?? 0) + 1)
  }

  #gone(process: SimulatedProcess): void {
    this.lastGoneAt = this.scheduler.now
    this.#processes = this.#processes.filter((one) => one !== process)
  }

  #config(): ServiceConfig {
    const { places, retentionMs } = this.scenario
    return {
      role: 'all',
      ...this.machine.config,
      apiKey: API_KEY,
      secretKey: SECRET_KEY,
      flowsFolder: null,
      egressAllow: [],
      bodyLimit: 1_000_000,
      backlogLimit: 10_000,
      concurrency: places,
      inFlight: places * 4,
      fileLimit: 1_000_000,
      files: null,
      outputLimits: { step: 1_000_000, run: 10_000_000 },
      retention: { maxAgeMs: retentionMs, maxRuns: null }
    }
  }
}

const API_KEY = 'simulation-0123456789abcdef'
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

function stackOf(error: unknown): string {
  return error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ')
    : String(error)
}
