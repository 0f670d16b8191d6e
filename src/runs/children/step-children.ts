import { isWithin } from '../../contexts/context-path.ts'
import { outputTooLarge } from '../../engine/output-limit.ts'
import type { Plan } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import { mayNameFiles } from '../../flows/file-ids.ts'
import type { StepCalls } from '../../flows/step/step-calls.ts'
import type {
  ChildResult,
  ChildRuns,
  FlowFacts,
  FlowPlace,
  ItemRules,
  Round,
  StartedItems
} from '../../flows/step/step-children.ts'
import { StepWait } from '../../flows/step/step-wait.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Child, ExecutedChild, NewChild } from '../../store/children.ts'
import type { RunStore } from '../../store/store.ts'
import { persistForAttempt } from '../steps/persist-for-attempt.ts'
import { parentEnded, refuseWhilePaused } from './child-refusals.ts'
import { childResult } from './child-values.ts'
import type { ChildrenDeps, StepOfRun } from './children-deps.ts'
import { dropChildren } from './drop-children.ts'
import { EarlierChildren } from './earlier-children.ts'
import { factsOf } from './flow-facts.ts'
import { ItemExecutor, isExecutedInPlace } from './item-executor.ts'
import { BATCH, BATCH_BYTES, ItemsInPlace, inputsOf } from './items-in-place.ts'
import { type ChildFacts, depthBelow, isPartOf, newChild } from './new-child.ts'
import { recordExecuted } from './record-executed.ts'
import { CALL_TRIGGER, FLOW_TRIGGER, ITEM_TRIGGER, ROUND_TRIGGER } from './run-result.ts'
import { CallsOfStep } from './step-calls.ts'
import { ROUND_RULES, StepRounds } from './step-rounds.ts'

/** The runs that one step starts. */
export class StepChildren implements ChildRuns {
  readonly #step: StepOfRun
  readonly #deps: ChildrenDeps
  #calls: CallsOfStep | undefined
  #isEnding = false

  constructor(step: StepOfRun, deps: ChildrenDeps) {
    this.#step = step
    this.#deps = { ...deps, persist: persistForAttempt(deps.persist, step.call.abort) }
  }

  async startItems(items: readonly unknown[], rules: ItemRules): Promise<StartedItems> {
    const { run, plan, call, around } = this.#step
    const region = plan.regions.get(this.#node)
    if (region === undefined) return 'none'
    depthBelow(run)
    const known = await this.#goOn(rules)
    let from = 0
    // Once a process has died in it, or an item has failed, each is written down before it begins.
    if (call.attempt === 1 && isExecutedInPlace(region, around.scope)) {
      const inPlace = await this.#inPlace(region, ITEM_TRIGGER)
      const executed = await inPlace.execute(inputsOf(items, rules))
      if (executed === 'all') return 'ended'
      from = executed
    }
    await this.#startRest(items, from, known, rules)
    return 'started'
  }

  async #inPlace(region: Plan, trigger: ChildFacts['trigger']): Promise<ItemsInPlace> {
    const { run, call, around, pause } = this.#step
    const { store, persist, clock } = this.#deps
    const outside = await this.#deps.outside.of({ seq: run.seq, runId: run.id, node: this.#node }, region)
    const executor = new ItemExecutor({ run, call }, region, outside, { around, store, clock, persist })
    return new ItemsInPlace({
      executor,
      newItem: (input, index) => this.#newInside(trigger, input, index),
      record: (children) => this.#record(children),
      abort: call.abort,
      pause
    })
  }

  #record(children: readonly ExecutedChild[]): Promise<boolean> {
    const { run, around } = this.#step
    const deps = { ...this.#deps, spending: around.outside.spending }
    return recordExecuted({ run, node: this.#node, isEnding: this.#isEnding }, children, deps)
  }

  async #startRest(
    items: readonly unknown[],
    from: number,
    known: ReadonlySet<number>,
    rules: ItemRules
  ): Promise<void> {
    let batch: NewChild[] = []
    let bytes = 0
    const { abort } = this.#step.call
    const flush = async () => {
      // A later attempt of the step may be under way.
      if (abort.reason !== undefined) throw abort.reason
      await this.#start(batch, rules)
      batch = []
      bytes = 0
      await this.#step.pause()
    }
    for (let index = from; index < items.length; index++) {
      if (known.has(index)) continue
      const child = this.#newInside(ITEM_TRIGGER, items[index], index)
      batch.push(child)
      bytes += child.input.byteLength
      if (batch.length === BATCH || bytes > BATCH_BYTES) await flush()
    }
    if (batch.length > 0) await flush()
  }

  async startFlow(reference: string, input: unknown, isAwaited: boolean, place?: FlowPlace): Promise<string> {
    const { run, plan } = this.#step
    depthBelow(run)
    const rules = { atOnce: 1, stopsOnFailure: false }
    // A run that nobody waits for goes its own way, whatever became of it.
    if (isAwaited) await this.#goOn(rules)
    const [known] = await this.#read(0, 1)
    if (known !== undefined) return known.id
    const flow = this.#flowToRun(reference)
    const isOwn = isPartOf(run, { flow, isAwaited })
    if (!isOwn) refuseWhilePaused(flow)
    const child = await this.#withFiles(
      this.#newChild({
        index: 0,
        isAwaited,
        trigger: FLOW_TRIGGER,
        flow,
        input,
        ...(place === 'caller' && plan.context !== flow.context && { context: plan.context })
      })
    )
    const toStart = isOwn || flow.paused === null ? child : { ...child, whilePaused: 'hold' as const }
    if (!isAwaited) return this.#startDetached(toStart)
    await this.#start([toStart], rules)
    return child.id
  }

  aboutFlow(reference: string): FlowFacts {
    return factsOf(this.#flowToRun(reference))
  }

  runRounds(...asked: Parameters<ChildRuns['runRounds']>): Promise<void> {
    return this.#rounds.run(...asked)
  }

  async lastRound(): Promise<Round | undefined> {
    const last = await this.#rounds.last()
    if (last !== undefined && last.status !== 'open') this.#regionIsOver()
    return last
  }

  startRound(index: number, data: unknown): Promise<void> {
    return this.#rounds.start(index, data)
  }

  get #rounds(): StepRounds {
    const { plan } = this.#step
    return new StepRounds({
      step: this.#step,
      region: plan.regions.get(this.#node),
      deps: this.#deps,
      earlier: this.#earlier,
      inPlace: (region) => this.#inPlace(region, ROUND_TRIGGER),
      newRound: (data, index) => this.#newInside(ROUND_TRIGGER, data, index),
      start: (round) => this.#start([round], ROUND_RULES)
    })
  }

  get calls(): StepCalls {
    this.#calls ??= new CallsOfStep({
      step: this.#step,
      deps: this.#deps,
      pages: (from) => this.#earlier.pages(from),
      newCall: (input, index) => this.#newInside(CALL_TRIGGER, input, index),
      record: (children) => this.#record(children),
      start: (children) => this.#start(children, CALL_RULES),
      goOn: (from) => this.#earlier.goOnCancelled(from, CALL_RULES),
      retriedAt: () => this.#earlier.retriedAt()
    })
    return this.#calls
  }

  written(): Promise<void> | undefined {
    this.#isEnding = true
    return this.#calls?.written()
  }

  wait(): StepWait {
    return new StepWait({ kind: 'children', until: null })
  }

  async *results(givenTo: (index: number) => unknown): AsyncGenerator<ChildResult> {
    const { outputLimit, plan } = this.#step
    const { store, persist } = this.#deps
    const isItem = plan.regions.has(this.#node)
    const readPiece = (...place: Parameters<RunStore['readPiece']>) =>
      persist(() => store.readPiece(...place))
    let size = 0
    for await (const child of this.#all()) {
      // What the children put out is read one by one, and fails before it fills the memory.
      size += child.outcome?.steps.length ?? 0
      if (size > outputLimit.bytes * STEPS_AGAINST_RESULT) throw outputTooLarge(outputLimit, { size })
      const input = givenTo(child.index)
      const result = await childResult({ child, node: this.#node, input, isItem, readPiece })
      if (result !== undefined) yield result
    }
    this.#regionIsOver()
  }

  #regionIsOver(): void {
    this.#deps.outside.forget(this.#step.run.seq, this.#node)
  }

  drop(): Promise<void> {
    return dropChildren(this.#step.run, this.#node, this.#deps)
  }

  get #node(): string {
    return this.#step.call.node.id
  }

  #newInside(trigger: ChildFacts['trigger'], input: unknown, index: number): NewChild {
    const { run } = this.#step
    const flow = { id: run.flowId, version: run.flowVersion }
    return this.#newChild({ index, isAwaited: true, trigger, flow, input })
  }

  #newChild(facts: Omit<ChildFacts, 'node'>): NewChild {
    return newChild(this.#step.run, { node: this.#node, ...facts }, this.#deps.clock)
  }

  /** It may open what it is given, also when this run is deleted before it. Items have all that their parent has. */
  async #withFiles(child: NewChild): Promise<NewChild> {
    if (!mayNameFiles(child.input)) return child
    const { run, plan, around } = this.#step
    const reader = { run, context: plan.context }
    const uses = await this.#deps.persist(() => around.outside.files.givenBy(reader, child.input))
    return { ...child, uses }
  }

  #flowToRun(reference: string): LiveFlow {
    const flow = this.#deps.findFlow(reference)
    if (flow === undefined || !isWithin(this.#step.plan.home, flow.context)) {
      throw new StepError(
        `There is no flow "${reference}" that this flow's context (${this.#step.plan.home}) sees: it may have been deleted, renamed or moved. Choose another one.`,
        { code: 'flow_not_found', retryable: false }
      )
    }
    return flow
  }

  /** Which of them are there already. */
  async #goOn(rules: ItemRules): Promise<ReadonlySet<number>> {
    return this.#step.call.attempt === 1 ? NONE : this.#earlier.goOn(rules)
  }

  get #earlier(): EarlierChildren {
    const { run, pause } = this.#step
    return new EarlierChildren({ run, node: this.#node, pause }, this.#deps)
  }

  async #start(children: readonly NewChild[], rules: ItemRules): Promise<void> {
    const { store, persist, offer } = this.#deps
    const begun = await persist(() => store.startChildren(this.#step.run, this.#node, children, rules))
    if (begun === null) throw parentEnded()
    for (const run of begun) offer(run)
  }

  /** Resolves to its id. One that is there already is the one: the answer to its start was lost. */
  async #startDetached(child: NewChild): Promise<string> {
    const { store, persist, offer, mayHaveDue } = this.#deps
    const run = await persist(() => store.startDetached(this.#step.run, child))
    if (run !== null) {
      offer(run)
      return run.id
    }
    const [known] = await this.#read(child.parent.index, 1)
    if (known === undefined) throw parentEnded()
    mayHaveDue([known.flowId])
    return known.id
  }

  async *#all(): AsyncGenerator<Child> {
    for await (const page of this.#earlier.pages()) yield* page
  }

  #read(fromIndex: number, limit: number): Promise<Child[]> {
    const { store, persist } = this.#deps
    return persist(() => store.children(this.#step.run.seq, this.#node, fromIndex, limit))
  }
}

/** Those that wait for people or times take up nobody's time. */
const CALL_RULES = { atOnce: 100, stopsOnFailure: false }

const NONE: ReadonlySet<number> = new Set()

/** A child has more steps than what it gives: so many times as much is read of it before that is held to be too much. */
const STEPS_AGAINST_RESULT = 16
