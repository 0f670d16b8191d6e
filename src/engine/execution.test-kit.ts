import assert from 'node:assert/strict'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type ManualClock, manualClock } from '../clock.test-kit.ts'
import type { RunTrigger } from '../flows/component/component.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import type { Effects, Ending, StepCall, WaitNews } from './effects.ts'
import { Execution } from './execution.ts'
import { type JournalEntry, recall } from './journal.ts'
import { type NodeOptions, plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import type { GivenOutputs } from './progress.ts'
import type { StepRecord } from './step-record.ts'

export type Behaviour = (call: StepCall) => unknown

export interface StageOptions {
  readonly input?: JsonValue
  readonly trigger?: RunTrigger
  readonly isSuspect?: boolean
  readonly given?: GivenOutputs
  /** What an earlier execution of the run has made durable. */
  readonly journal?: readonly JournalEntry[]
  /** How often steps held the thread until the process was ended. */
  readonly hangs?: Readonly<Record<string, number>>
  /** What steps do; one that is not named says what it did and with what: `C(A(),B(A()))`. */
  readonly steps?: Readonly<Record<string, Behaviour>>
  readonly nodes?: Readonly<Record<string, NodeOptions>>
  readonly clock?: ManualClock
  readonly isStored?: boolean
  /** Checkpoints wait until the test commits them. */
  readonly holdsCheckpoints?: boolean
  /** How a wait stands that the run asks about; by default it is over. */
  readonly closeWait?: (node: string) => WaitNews
  /** What becomes of what a step put out; by default nothing has to be waited for. */
  readonly keep?: Effects['keep']
  /** Called before and after every effect; false means that the process is dead from here on. */
  readonly lives?: () => boolean
}

interface HeldCheckpoint {
  readonly entry: JournalEntry
  commit(isOurs?: boolean): void
}

const NEVER = new Promise<never>(() => {})

/** One execution with its outside in the hands of the test. */
export class Stage {
  readonly clock: ManualClock
  /** What happened, in order: `begin B`, `save A`, `durable`, `invoke B`. */
  readonly log: string[] = []
  readonly calls: StepCall[] = []
  /** Whether the run waited for others, each time that changed. */
  readonly awaits: boolean[] = []
  /** What is durable, as it would be read back. */
  readonly journal: JournalEntry[]
  readonly held: HeldCheckpoint[] = []
  readonly execution: Execution
  readonly #options: StageOptions
  #ending: Ending | undefined

  constructor(of: Plan | string, options: StageOptions = {}) {
    this.#options = options
    this.clock = options.clock ?? manualClock()
    this.journal = [...(options.journal ?? [])]
    const run = {
      plan: typeof of === 'string' ? plan(of, options.nodes) : of,
      storedValues: [options.input ?? null],
      trigger: options.trigger ?? 'webhook',
      isSuspect: options.isSuspect ?? false,
      given: options.given
    }
    const { hangs } = options
    const recalled = hangs === undefined ? {} : { hangs: new Map(Object.entries(hangs)) }
    this.execution = new Execution(
      run,
      { ...recall(this.journal), ...recalled },
      this.#effects(),
      (ending) => {
        if (!this.#lives()) return
        assert.equal(this.#ending, undefined, 'the run was handed back twice')
        this.#ending = ending
      }
    )
  }

  start(): this {
    this.execution.start()
    return this
  }

  /** Starts and lets everything happen that needs no time to pass. */
  async play(): Promise<this> {
    this.start()
    await turnOfTheLoop()
    return this
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  get ended(): Extract<Ending, { kind: 'ended' }> {
    assert.equal(this.#ending?.kind, 'ended')
    return this.#ending as Extract<Ending, { kind: 'ended' }>
  }

  get parked(): Extract<Ending, { kind: 'parked' }> {
    assert.equal(this.#ending?.kind, 'parked')
    return this.#ending as Extract<Ending, { kind: 'parked' }>
  }

  /** The nodes that were invoked, in order. */
  get invoked(): string[] {
    return this.calls.map(({ node }) => node.id)
  }

  get statuses(): Record<string, string> {
    return Object.fromEntries(this.ended.steps.map(({ node, status }) => [node, status]))
  }

  record(node: string): StepRecord {
    return this.ended.steps.find((step) => step.node === node)!
  }

  #effects(): Effects {
    const { clock } = this
    return {
      wallClock: clock.now,
      stopwatch: clock.stopwatch,
      random: clock.random,
      startTimer: clock.startTimer,
      invoke: (call) => this.#invoke(call),
      newId: clock.newId,
      isStored: this.#options.isStored ?? true,
      checkpoint: (entry) => this.#checkpoint(entry),
      openWait: (entry) => this.#checkpoint(entry),
      closeWait: async (node) => this.#options.closeWait?.(node) ?? { state: 'over' },
      over: () => {},
      awaits: (isAwaiting) => void this.awaits.push(isAwaiting),
      keep: (call, outputs) => this.#options.keep?.(call, outputs)
    }
  }

  #invoke(call: StepCall): unknown {
    if (!this.#lives()) return NEVER
    this.calls.push(call)
    this.log.push(`invoke ${call.node.id}`)
    const returned = (this.#options.steps?.[call.node.id] ?? tellTale)(call)
    return this.#lives() ? returned : NEVER
  }

  async #checkpoint(entry: JournalEntry): Promise<boolean> {
    if (!this.#lives()) return NEVER
    const { begun = [], settled = [] } = entry
    for (const step of settled) this.log.push(`save ${step.node}`)
    for (const step of begun) this.log.push(`begin ${step.node}`)
    const isOurs = this.#options.holdsCheckpoints === true ? await this.#hold(entry) : await true
    if (!isOurs) return false
    if (!this.#lives()) return NEVER
    this.journal.push(asReadBack(entry))
    this.log.push('durable')
    return this.#lives() ? true : NEVER
  }

  #hold(entry: JournalEntry): Promise<boolean> {
    return new Promise((resolve) => {
      this.held.push({ entry, commit: (isOurs = true) => resolve(isOurs) })
    })
  }

  #lives(): boolean {
    return this.#options.lives?.() ?? true
  }
}

export function asReadBack(entry: JournalEntry): JournalEntry {
  return JSON.parse(JSON.stringify(entry)) as JournalEntry
}

/** Says what it did and with what, so that a value that got lost on the way shows at the end. */
export const tellTale: Behaviour = ({ node, inputs, messages }) => {
  const out = `${node.id}(${Object.values(inputs).join()})`
  messages.push({ id: node.id, text: `${node.id} was here`, sender: 'Machine', session: 's', createdAt: 0 })
  return node.effects === 'pure' ? { out } : Promise.resolve({ out })
}

interface Deferred {
  readonly promise: Promise<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}

export function deferred(): Deferred {
  return Promise.withResolvers<unknown>()
}

export { turnOfTheLoop }
