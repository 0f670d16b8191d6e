import type { LiveFlow } from '../../library/live-flow.ts'
import type { ServiceConfig } from '../../startup/service-options.ts'
import type { StoreCondition } from '../faults/store-proxy.ts'
import { documentOf } from '../life/flow-document.ts'
import type { FlowSpec } from '../life/flow-spec.ts'
import type { Scenario } from '../life/scenario.ts'
import { Records } from '../oracle/records.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Folders } from './folders.ts'
import { KnownVersions } from './known-versions.ts'
import { type Effect, Ledger } from './ledger.ts'
import { quiet, Scheduler } from './scheduler.ts'
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
  readonly folders: Folders
  /** A store that was begun and closed: each scenario begins with a copy. */
  readonly template: string
  readonly keepsTrace?: boolean
  /** Rules whose breach is passed over: faults that are known, and would hide others. */
  readonly passedOver?: ReadonlySet<string>
  readonly onBegin: (effect: Effect, world: World) => void
}

/** How long a start or a stop may take, in steps of the scheduler. */
const MOST_STEPS = 20_000

/** One service with its machine and its outside, through all its lives. */
export class World {
  readonly scenario: Scenario
  readonly scheduler: Scheduler
  readonly ledger: Ledger
  readonly wall: Wall = { skewMs: 0 }
  readonly condition: StoreCondition = { state: 'sound', refusals: 0, losses: 0, losing: '' }
  readonly flowIds: string[] = []
  readonly specs = new KnownVersions()
  readonly storeCalls = new Map<string, number>()
  readonly #folders: Folders
  readonly #passedOver: ReadonlySet<string>
  #folder: string
  #process: SimulatedProcess | undefined
  #records: Records | undefined
  #lives = 0
  deaths = 0
  violation: Violation | undefined
  /** Called before old runs are deleted. */
  onPrune: (() => void) | undefined

  constructor({ scenario, folders, template, passedOver, keepsTrace = false, onBegin }: WorldOptions) {
    this.#passedOver = passedOver ?? new Set()
    this.scenario = scenario
    const random = seededRandom(`${scenario.seed}/order`)
    this.scheduler = new Scheduler({ random, disorder: scenario.disorder, keepsTrace })
    this.ledger = new Ledger({ scheduler: this.scheduler, onBegin: (effect) => onBegin(effect, this) })
    this.#folders = folders
    this.#folder = folders.copyOf(template)
  }

  /** Undefined while none is up. */
  get process(): SimulatedProcess | undefined {
    return this.#process
  }

  get folder(): string {
    return this.#folder
  }

  get lives(): number {
    return this.#lives
  }

  get records(): Records {
    this.#records ??= new Records(this.#folder)
    return this.#records
  }

  /** The service as it is now; for use while one is up. */
  get deps(): SimulatedProcess['deps'] {
    return this.#process!.deps
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
      sizes: scenario.sizes,
      scheduler,
      ledger,
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
    await this.until(process.start(), 'the service to start')
    this.#process = process
  }

  /** All that is in memory is gone; what was committed is not. */
  async die(): Promise<void> {
    const process = this.#process
    if (process === undefined) return
    this.#process = undefined
    this.deaths++
    process.die()
    this.#leave()
    const left = this.#folder
    this.#folder = this.#folders.copyOf(left)
    await process.closeStore()
    this.#folders.remove(left)
  }

  async stop(): Promise<void> {
    const process = this.#process
    if (process === undefined) return
    await this.until(process.stop(), 'the service to stop')
    this.#process = undefined
    this.#leave()
  }

  async close(): Promise<void> {
    await this.die()
    this.#leave()
    this.#folders.remove(this.#folder)
  }

  /** Lets things happen until the promise is settled. */
  async until<T>(promise: Promise<T>, what: string): Promise<T> {
    let isSettled = false
    const settled = promise.finally(() => {
      isSettled = true
    })
    settled.catch(() => {})
    await quiet()
    for (let steps = 0; !isSettled; steps++) {
      if (steps > MOST_STEPS || !(await this.scheduler.step()))
        throw new ViolationError('calls are answered', `Waited in vain for ${what}.`)
    }
    return settled
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

  knows(live: LiveFlow, spec: FlowSpec): void {
    this.specs.set(`${live.id}@${live.version}`, spec)
  }

  #called(call: string): void {
    if (call === 'runs.prune') this.onPrune?.()
    this.storeCalls.set(call, (this.storeCalls.get(call) ?? 0) + 1)
  }

  #leave(): void {
    this.#records?.close()
    this.#records = undefined
  }

  #config(): ServiceConfig {
    const { places, retentionMs } = this.scenario
    return {
      role: 'all',
      database: null,
      home: this.#folder,
      apiKey: API_KEY,
      secretKey: SECRET_KEY,
      egressAllow: [],
      bodyLimit: 1_000_000,
      backlogLimit: 10_000,
      concurrency: places,
      inFlight: places * 4,
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
