import type { FastifyBaseLogger } from 'fastify'
import { builtInComponents } from '../../components/built-in.ts'
import { MillraceError } from '../../errors.ts'
import type { ServiceDeps } from '../../http/service-deps.ts'
import type { DispatchSizes } from '../../runs/dispatch/dispatch-sizes.ts'
import { createService, type Service } from '../../service.ts'
import type { ServiceConfig, ServiceOptions } from '../../startup/service-options.ts'
import type { AnswerOrder, StoreCondition } from '../faults/store-proxy.ts'
import { outsideComponents } from '../life/outside-components.ts'
import { scriptedAgent } from '../life/scripted-agent.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { Ledger } from './ledger.ts'
import type { Machine } from './machine.ts'
import type { OutsideLists } from './outside-lists.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import { virtualClock, type Wall } from './virtual-clock.ts'

interface ProcessOptions {
  readonly no: number
  readonly config: ServiceConfig
  readonly machine: Pick<Machine, 'open'>
  readonly sizes: DispatchSizes
  readonly scheduler: Scheduler
  readonly ledger: Ledger
  readonly lists: OutsideLists
  readonly random: SeededRandom
  readonly wall: Wall
  readonly condition: StoreCondition
  readonly answers: AnswerOrder
  readonly costMs: number
  readonly onCall: (family: string, method: string) => void
  /** Something failed that the service tells its operator of. */
  readonly onError: (error: unknown, doing: string) => void
}

/** Lists are away at times, and another process is quicker: both are told to the operator, and no faults. */
const WATCHING = 'looking for what is new to watch'

/** Less than it takes, by the time between two heartbeats. */
const HELD_TO_BE_DEAD_MS = 8_000

/** One life of the service: the real parts on the real store, under a clock and a store that answer when the scheduler says so. */
export class SimulatedProcess implements Owner {
  readonly no: number
  readonly #options: ProcessOptions
  isDead = false
  frozenUntil = 0
  #frozeAt = 0
  #service: Service | undefined

  constructor(options: ProcessOptions) {
    this.no = options.no
    this.#options = options
  }

  get deps(): ServiceDeps {
    return this.#service!.deps
  }

  async start(): Promise<void> {
    const { config, machine, sizes, ledger, lists, no } = this.#options
    const clock = virtualClock({ ...this.#options, owner: this })
    const openStore: ServiceOptions['openStore'] = ({ processId, onError }) =>
      machine.open({ ...this.#options, owner: this, clock, processId, onError })
    const log = logOf(this.#options.onError)
    const service = await createService({
      ...{ config, log, version: '0.0.0', clock, sizes, openStore },
      lookAt: lists.lookOf(this)
    })
    const { tree } = service.deps
    const outside = ledger.outsideOf(this, no)
    const agent = scriptedAgent(outside)
    const builtIn = builtInComponents.filter(({ type }) => type !== agent.type)
    const components = [...builtIn, agent, ...outsideComponents(outside)]
    for (const component of components) {
      const { type: name } = component
      tree.register('/', { kind: 'component', name, value: component, owner: 'simulation', source: null })
    }
    tree.freeze()
    this.#service = service
    await service.begin()
  }

  freeze(ms: number): void {
    const { scheduler } = this.#options
    this.#frozeAt = scheduler.now
    this.frozenUntil = scheduler.now + ms
    scheduler.froze(this)
  }

  get isFrozen(): boolean {
    return this.frozenUntil > this.#options.scheduler.now
  }

  /** It stood still for so long that others took up what it held; since when, where it did. */
  get heldToBeDeadSince(): number | undefined {
    return this.frozenUntil - this.#frozeAt >= HELD_TO_BE_DEAD_MS ? this.#frozeAt : undefined
  }

  /** It ends at once: nothing of it happens any more. What was committed is in its folder. */
  die(): void {
    this.isDead = true
    this.#options.scheduler.dropOf(this)
    this.#options.ledger.died(this.no)
  }

  async stop(): Promise<void> {
    await this.#service!.drain()
    await this.#service!.end()
    this.die()
  }
}

function logOf(onError: ProcessOptions['onError']): FastifyBaseLogger {
  const quiet = () => {}
  const error = (facts: { readonly err?: unknown }, text: string) => {
    const { err } = facts
    if (err !== undefined && !(err instanceof MillraceError) && !text.startsWith(WATCHING)) onError(err, text)
  }
  const log = {
    level: 'error',
    fatal: error,
    error,
    warn: quiet,
    info: quiet,
    debug: quiet,
    trace: quiet,
    silent: quiet
  }
  return { ...log, child: () => log } as unknown as FastifyBaseLogger
}
