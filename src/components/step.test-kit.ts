import assert from 'node:assert/strict'
import { askedWait } from '../engine/asked-wait.ts'
import { DEFAULT_OUTPUT_LIMITS, limitLeft } from '../engine/output-limit.ts'
import { StepError } from '../engine/step-error.ts'
import {
  type AnyComponent,
  type Message,
  type RunView,
  resolveFields,
  type Step
} from '../flows/component/component.ts'
import { listedOutputsOf } from '../flows/component/component-ports.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { StepWait, type WaitRequest, type Woken } from '../flows/step/step-wait.ts'

export interface StepOptions {
  readonly fields?: Readonly<Record<string, JsonValue>>
  readonly inputs?: Readonly<Record<string, unknown>>
  /** The payload of the run. */
  readonly input?: JsonValue
  readonly request?: RunView['request']
  readonly session?: string
  readonly variables?: RunView['variables']
  readonly outputLimit?: number
  /** How the component reaches others; one that does not has none. */
  readonly send?: Step['request']
  readonly connection?: Step['connection']
  readonly now?: Step['now']
  readonly ifTimedOut?: Step['ifTimedOut']
  readonly children?: Step['children']
  readonly respond?: Step['respond']
  readonly kept?: Step['kept']
  readonly knowledge?: Step['knowledge']
  readonly files?: Step['files']
  readonly readDocuments?: Step['readDocuments']
  readonly carried?: Step['carried']
  /** Outputs that a wire leaves by; all where they are left out. */
  readonly wired?: readonly string[]
  /** Inputs whose text another step tells while it works. */
  readonly streamed?: readonly string[]
}

interface RanStep {
  readonly outputs: Readonly<Record<string, unknown>>
  /** What the step printed in the Playground. */
  readonly messages: readonly Message[]
}

/** Runs a component through its definition, as the engine does: fields filled in and prepared. */
export function runStep(component: AnyComponent, options: StepOptions = {}): RanStep {
  const { outputs, messages } = beginStep(component, options)
  assert.ok(!(outputs instanceof Promise), 'a pure component answers at once')
  assert.ok(!(outputs instanceof StepWait), 'the step waits')
  return { outputs: outputs ?? {}, messages }
}

/** What the step waits for. */
export function waitOf(component: AnyComponent, options: StepOptions = {}): WaitRequest {
  const { outputs } = beginStep(component, options)
  assert.ok(outputs instanceof StepWait, 'the step does not wait')
  return outputs.request
}

/** What a step puts out that has waited. */
export function resumeStep(component: AnyComponent, woken: Woken, options: StepOptions = {}): RanStep {
  const { outputs, messages } = beginStep(component, options, () => undefined, woken)
  assert.ok(!(outputs instanceof Promise || outputs instanceof StepWait))
  return { outputs: outputs ?? {}, messages }
}

/** The same with time running out: the step has to wait whenever it asks whether it should. */
export async function runStepInTurns(
  component: AnyComponent,
  options: StepOptions = {}
): Promise<RanStep & { readonly turns: number }> {
  let turns = 1
  const pause = async () => void turns++
  const { outputs, messages } = beginStep(component, options, pause)
  const returned = await outputs
  assert.ok(!(returned instanceof StepWait), 'the step waits')
  return { outputs: returned ?? {}, messages, turns }
}

function beginStep(
  component: AnyComponent,
  options: StepOptions,
  pause: Step['pause'] = () => undefined,
  woken?: Woken
) {
  const messages: Message[] = []
  const fields = resolveFields(component, options.fields ?? {})
  const session = options.session ?? 'default'
  const run: RunView = {
    id: 'run-1',
    flowId: 'flow-1',
    flowVersion: 1,
    trigger: 'webhook',
    input: options.input ?? null,
    request: options.request ?? null,
    session,
    variables: options.variables ?? {},
    say: (said) => void messages.push({ sender: 'Machine', session, ...said })
  }
  const step: Step = {
    inputs: options.inputs ?? {},
    fields,
    run,
    signal: new AbortController().signal,
    prepared: component.prepare?.(fields),
    opened: undefined,
    node: `${component.type}-1`,
    attempt: 1,
    listedOutputs: listedOutputsOf(component, fields),
    isWired: (output) => options.wired?.includes(output) ?? true,
    isStreamed: (input) => options.streamed?.includes(input) ?? false,
    idempotencyKey: `run-1/${component.type}-1`,
    outputLimit: limitLeft({ ...DEFAULT_OUTPUT_LIMITS, step: options.outputLimit ?? 16 * 1024 ** 2 }, 0),
    pause,
    emit: () => {},
    log: () => {},
    respond: options.respond ?? (() => {}),
    compute: () => assert.fail('the component computes nothing elsewhere'),
    readDocuments: options.readDocuments ?? (() => assert.fail('the component reads no documents')),
    circuit: () => ({ call: (work) => work() }),
    history: async () => [],
    payFor: async () => ({ end: () => null }),
    recall: async () => ({ messages: [], summary: null }),
    now: options.now ?? (() => 0),
    ifTimedOut: options.ifTimedOut ?? (() => {}),
    fetch: () => assert.fail('the component has nothing to fetch'),
    request: options.send ?? (() => assert.fail('the component has nothing to ask for')),
    get children() {
      return options.children ?? assert.fail('the component starts no runs')
    },
    get files() {
      return options.files ?? assert.fail('the component uses no files')
    },
    carried: options.carried ?? { earlier: async () => [], add: async () => {} },
    get kept() {
      return options.kept ?? assert.fail('the component keeps nothing')
    },
    get knowledge() {
      return options.knowledge ?? assert.fail('the component knows nothing')
    },
    wait: (asked) => askedWait(asked, options.now?.() ?? 0),
    connection: options.connection ?? (() => assert.fail('the component uses no connection'))
  }
  const outputs = woken === undefined ? component.run(step) : component.resume!(step, woken)
  return { outputs, messages }
}

/** The error that the step fails with. */
export function failureOf(component: AnyComponent, options: StepOptions): StepError {
  try {
    runStep(component, options)
  } catch (error) {
    assert.ok(error instanceof StepError, String(error))
    assert.equal(error.retryable, false, 'what a pure step could not do, it cannot do a second time')
    return error
  }
  return assert.fail('the step did not fail')
}

/** Runs a component with whoever lets others have their turn; what it returns may be a promise. */
export function runStepPaced(component: AnyComponent, options: StepOptions, pause: Step['pause']): unknown {
  return beginStep(component, options, pause).outputs
}
