import type { StepCall } from '../engine/effects.ts'
import type { RequestFacts, RunTrigger, RunView, Step } from '../flows/component.ts'
import type { JsonValue } from '../flows/exact-json.ts'
import type { AcceptedRun } from '../store/store.ts'
import type { RunGivens } from './run-givens.ts'

/** What the steps of one run share. */
export interface RunSurroundings {
  readonly run: AcceptedRun
  readonly givens: RunGivens
  readonly decorations: Readonly<Record<string, unknown>>
  readonly newId: () => string
  readonly now: () => number
}

/**
 * What a component's `run` gets. Members that few components read (signal, key) are getters: they cost
 * something only where they are read, and a pure step is a matter of microseconds.
 */
export function stepArguments(call: StepCall, around: RunSurroundings): Step {
  return new StepArguments(call, around)
}

class StepArguments implements Step {
  readonly inputs: Step['inputs']
  readonly fields: Step['fields']
  readonly prepared: unknown
  readonly node: string
  readonly attempt: number
  readonly run: RunView
  readonly #call: StepCall
  readonly #around: RunSurroundings

  constructor(call: StepCall, around: RunSurroundings) {
    this.inputs = call.inputs
    this.fields = call.node.fields
    this.prepared = call.node.prepared
    this.node = call.node.id
    this.attempt = call.attempt
    this.#call = call
    this.#around = around
    this.run = Object.assign(new StepRunView(call, around), around.decorations)
  }

  get signal(): AbortSignal {
    return this.#call.abort.signal
  }

  get idempotencyKey(): string {
    return `${this.#around.run.id}/${this.node}`
  }
}

class StepRunView implements RunView {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly trigger: RunTrigger
  readonly input: JsonValue
  readonly session: string
  readonly request: RequestFacts | null
  readonly say: RunView['say'];
  [decoration: string]: unknown

  constructor(call: StepCall, { run, givens, newId, now }: RunSurroundings) {
    this.id = run.id
    this.flowId = run.flowId
    this.flowVersion = run.flowVersion
    this.trigger = run.trigger as RunTrigger
    this.input = givens.input
    this.request = givens.request
    this.session = run.session
    this.say = ({ text, sender = 'Machine', session = run.session }) => {
      call.messages.push({ id: newId(), text: String(text), sender, session, createdAt: now() })
    }
  }
}
