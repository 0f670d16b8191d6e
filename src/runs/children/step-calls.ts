import { isPure, type Plan } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { type JsonValue, parseJson } from '../../flows/json/exact-json.ts'
import type { AskedCall, KnownCall, Remember, StepCalls, ToldCall } from '../../flows/step/step-calls.ts'
import type { Child, ExecutedChild, NewChild } from '../../store/children.ts'
import type { ReadPiece } from '../steps/long-values.ts'
import { CallExecutor, isCalledInPlace } from './call-executor.ts'
import type { ChildrenDeps, StepOfRun } from './children-deps.ts'
import { HeldCalls } from './held-calls.ts'
import { rememberedCall } from './known-call.ts'
import { depthBelow } from './new-child.ts'
import { givenCall, planOfAnswer, toolPlan } from './planned-call.ts'
import { CALL_TRIGGER, givenInside, giverIn } from './run-result.ts'

interface CallsDeps {
  readonly step: StepOfRun
  readonly deps: Pick<ChildrenDeps, 'store' | 'persist' | 'clock' | 'outside'>
  readonly pages: (from: number) => AsyncIterable<readonly Child[]>
  readonly newCall: (input: JsonValue, index: number) => NewChild
  readonly record: (children: readonly ExecutedChild[]) => Promise<boolean>
  readonly start: (children: readonly NewChild[]) => Promise<void>
  readonly goOn: (from: number) => Promise<void>
  readonly retriedAt: () => Promise<number | undefined>
}

/** A call with what it runs. */
interface PlannedCall {
  readonly plan: Plan
  readonly child: NewChild
  /** It is executed where the agent is. */
  readonly isHere: boolean
  readonly isPure: boolean
}

/** What an agent asks: children of its step, recorded when they have ended, or started where they wait. */
export class CallsOfStep implements StepCalls {
  readonly #deps: CallsDeps
  readonly #executor: CallExecutor
  readonly #held: HeldCalls

  constructor(deps: CallsDeps) {
    this.#deps = deps
    this.#executor = new CallExecutor(deps.step, deps.deps)
    this.#held = new HeldCalls({ record: deps.record, startTimer: deps.deps.clock.startTimer })
  }

  /** Resolves when all that the step has found out is durable. */
  written(): Promise<void> {
    return this.#held.write()
  }

  async known(from = 0, remember: Remember = whole): Promise<readonly KnownCall[]> {
    await this.#held.write()
    const known = this.#replayed.filter(({ index }) => index >= from)
    for await (const page of this.#deps.pages(from))
      for (const child of page) known.push(await this.#known(child, remember))
    return known
  }

  get #replayed(): readonly KnownCall[] {
    const { replayed } = this.#deps.step.plan
    return replayed?.node === this.#agent ? replayed.known : []
  }

  #known(child: Pick<Child, 'index' | 'id' | 'outcome'>, remember: Remember): Promise<KnownCall> {
    const { store, persist } = this.#deps.deps
    const readPiece: ReadPiece = (...place) => persist(() => store.readPiece(...place))
    return rememberedCall(child, readPiece, { agent: this.#agent, remember })
  }

  async keep<T extends Readonly<Record<string, unknown>>>(
    index: number,
    given: JsonValue,
    find: () => Promise<T>
  ): Promise<T> {
    const { step, newCall } = this.#deps
    depthBelow(step.run)
    // Who is asked is told of all that was found out before.
    await this.#held.write()
    const child = newCall(given, index)
    let found: { readonly outputs: T } | undefined
    let thrown: unknown
    const run = async () => {
      try {
        found = { outputs: await this.#withoutSecrets(await find()) }
      } catch (error) {
        thrown = error
        throw error
      }
      return found.outputs
    }
    const plan = planOfAnswer(step.plan, step.call.node, { run, reportsUsage: true })
    const outcome = await this.#executor.execute({ child, plan, given: new Map(), withoutHooks: true })
    if (found === undefined) throw thrown
    if (outcome.error !== null) throw failureOf(outcome.error)
    this.#held.hold({ child, outcome })
    return found.outputs
  }

  /** What a peer says may hold what it was sent. */
  async #withoutSecrets<T>(outputs: T): Promise<T> {
    const { secrets, pause } = this.#deps.step
    const opened = secrets?.()
    return opened === undefined ? outputs : ((await inTurns(opened.redactInTurns(outputs), { pause })) as T)
  }

  async begin(
    calls: readonly AskedCall[],
    onEnded?: (call: KnownCall) => void,
    remember: Remember = whole
  ): Promise<readonly KnownCall[]> {
    depthBelow(this.#deps.step.run)
    const planned = calls.map((call) => this.#planned(call))
    const here = planned.filter(({ isHere }) => isHere)
    if (!here.every(({ isPure }) => isPure) || here.length < planned.length) await this.#held.write()
    await this.#startElsewhere(planned)
    // Each is kept as soon as it has ended; where one cannot be, the others are all the same.
    const ends = await Promise.allSettled(
      here.map(async (call) => {
        const ended = await this.#execute(call, remember)
        onEnded?.(ended)
        return ended
      })
    )
    // The step is about to wait for the others.
    if (here.length < planned.length) await this.#held.write()
    return ends.map((end) => {
      if (end.status === 'rejected') throw end.reason
      return end.value
    })
  }

  #planned(call: AskedCall): PlannedCall {
    const { step, newCall } = this.#deps
    const { node, ask_first } = call.tool
    const plan = toolPlan(step.plan, this.#agent, { node, asksFirst: ask_first === true })
    return {
      plan,
      child: newCall(givenCall(call), call.index),
      isHere: isCalledInPlace(plan, step.around.scope),
      isPure: plan.nodes.every((node) => node.isGiven === true || isPure(node))
    }
  }

  async #startElsewhere(calls: readonly PlannedCall[]): Promise<void> {
    const elsewhere = calls.filter(({ isHere }) => !isHere)
    if (elsewhere.length > 0) await this.#deps.start(elsewhere.map(({ child }) => child))
  }

  goOn(from: number): Promise<void> {
    return this.#deps.goOn(from)
  }

  retriedAt(): Promise<number | undefined> {
    return this.#deps.retriedAt()
  }

  tell(tool: ToldCall): void {
    const { run, call, around } = this.#deps.step
    if (call.abort.reason !== undefined) return
    const { id: runId, flowId } = run
    around.textStreams.tell({ flowId, runId, node: this.#agent, tool })
  }

  async #execute({ plan, child, isPure }: PlannedCall, remember: Remember): Promise<KnownCall> {
    const { outside } = this.#deps.deps
    const outputs = await outside.of(child.parent, plan)
    const input = parseJson(Buffer.from(child.input).toString())
    const given = new Map(outputs).set(giverIn(child, this.#agent), givenInside(CALL_TRIGGER, input, 0))
    const outcome = await this.#executor.execute({ child, plan, given })
    this.#held.hold({ child, outcome })
    // What a pure one gave can be computed again: it is written with what follows from it.
    if (!isPure) await this.#held.write()
    return this.#known({ index: child.parent.index, id: child.id, outcome }, remember)
  }

  get #agent(): string {
    return this.#deps.step.call.node.id
  }
}

const whole: Remember = (outputs) => outputs

function failureOf(text: string): StepError {
  const { code, message } = JSON.parse(text) as { readonly code: string; readonly message: string }
  return new StepError(message, { code, retryable: false })
}
