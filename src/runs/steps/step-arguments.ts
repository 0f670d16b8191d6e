import { OpenedSecrets } from '../../connections/opened-secrets.ts'
import { SecretSpellings } from '../../connections/redaction/secret-spellings.ts'
import { Caller } from '../../egress/caller.ts'
import type { Circuits } from '../../egress/circuits.ts'
import { askedWait } from '../../engine/asked-wait.ts'
import type { StepCall } from '../../engine/effects.ts'
import { outputTooLarge } from '../../engine/output-limit.ts'
import { StepError } from '../../engine/step-error.ts'
import type { StepMessage } from '../../engine/step-record.ts'
import type { OutputLimit, RequestFacts, RunTrigger, RunView, Step } from '../../flows/component/component.ts'
import { fillVariables } from '../../flows/component/context-variables.ts'
import type { Pacer } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { ChildRuns } from '../../flows/step/step-children.ts'
import type { KeptValues } from '../../flows/step/step-kept.ts'
import type { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { KeptLibrary } from '../kept/kept-library.ts'
import { keptOfStep } from '../kept/kept-of-step.ts'
import type { LiveText } from '../live-text/live-text.ts'
import type { RunStart } from '../record/run-start.ts'
import type { RunAddresses } from './linked-scope.ts'
import type { Reach } from './live-node.ts'
import type { Pacing } from './pacing.ts'
import { redactMessages } from './redact-messages.ts'
import type { RunOutputs } from './run-outputs.ts'
import type { RunScope } from './run-scope.ts'
import type { SessionHistory } from './session-history.ts'
import { stepCompute } from './step-compute.ts'
import { keepLog } from './step-logs.ts'
import type { VersionResources } from './version-resources.ts'

/** How steps reach outside. */
export interface Outside extends Reach {
  /** Which destinations are down. */
  readonly circuits: Pick<Circuits, 'of'>
  /** What was said before. */
  readonly history: SessionHistory
  /** What flows keep for later runs. */
  readonly kept: Pick<KeptLibrary, 'get' | 'change'>
  /** Where others reach a run that waits for them. */
  readonly addresses: RunAddresses
  /** What components have opened for a version of a flow. */
  readonly resources: Pick<VersionResources, 'use'>
  /** Where people's code runs. */
  readonly sandbox: Pick<SandboxPool, 'compute'>
}

/** A run with what its context puts around it: what all its steps and hooks share. */
export interface RunInContext {
  readonly run: ExecutableRun
  readonly start: RunStart
  readonly context: RunScope
  readonly outputs: Pick<RunOutputs, 'left'>
  readonly pacing: Pick<Pacing, 'begin'>
  readonly liveText: Pick<LiveText, 'streamOf' | 'over'>
  readonly outside: Outside
  /** The runs that steps of it start. */
  readonly children: { of(call: StepCall): ChildRuns }
  /** Asks the store until it answers; rejects only when the service stops. */
  readonly persist: <T>(ask: () => Promise<T>) => Promise<T>
  readonly newId: () => string
  readonly now: () => number
}

/**
 * What a component's `run` gets. Members that few components read (signal, key) are getters: they cost
 * something only where they are read, and a pure step is a matter of microseconds.
 */
export function stepArguments(call: StepCall, around: RunInContext, opened?: unknown): StepArguments {
  return new StepArguments(call, around, opened)
}

class StepArguments implements Step {
  readonly inputs: Step['inputs']
  readonly fields: Step['fields']
  readonly prepared: unknown
  readonly opened: unknown
  readonly node: string
  readonly attempt: number
  readonly run: RunView
  readonly #call: StepCall
  readonly #around: RunInContext
  #pacer: Pacer | undefined
  #children: ChildRuns | undefined
  #caller: Caller | undefined
  #kept: KeptValues | undefined
  #secrets: OpenedSecrets | undefined

  constructor(call: StepCall, around: RunInContext, opened: unknown) {
    this.inputs = call.inputs
    this.fields = fieldsOf(call, around.context.variables)
    this.prepared = call.node.prepared
    this.opened = opened
    this.node = call.node.id
    this.attempt = call.attempt
    this.#call = call
    this.#around = around
    this.run = runView(around, call.messages)
  }

  get signal(): AbortSignal {
    return this.#call.abort.signal
  }

  get outputLimit(): OutputLimit {
    return this.#around.outputs.left
  }

  /** A component takes it out of its arguments, so it has to work by itself. */
  get pause(): Step['pause'] {
    this.#pacer ??= this.#around.pacing.begin(this.#call.abort)
    const pacer = this.#pacer
    return () => pacer.pause()
  }

  get listedOutputs(): Step['listedOutputs'] {
    return this.#call.node.listedOutputs
  }

  get isWired(): Step['isWired'] {
    const { wiredOutputs } = this.#call.node
    return (output) => wiredOutputs.has(output)
  }

  get children(): ChildRuns {
    this.#children ??= this.#around.children.of(this.#call)
    return this.#children
  }

  get wait(): Step['wait'] {
    const { now } = this.#around
    return (asked) => askedWait(asked, now())
  }

  get fetch(): Step['fetch'] {
    return this.#callers().fetch
  }

  get request(): Step['request'] {
    return this.#callers().request
  }

  get connection(): Step['connection'] {
    return (name, kinds) => {
      const { node, abort } = this.#call
      if (node.effects === 'pure') throw reachesOutside(node.type, 'uses no connections')
      this.#secrets ??= this.#beginRedacting()
      const opened = { signal: abort.signal, secrets: this.#secrets }
      const { outside, context } = this.#around
      return outside.connections.openByName(context.path, { name, kinds }, opened)
    }
  }

  get kept(): KeptValues {
    const { node } = this.#call
    if (node.effects === 'pure') throw reachesOutside(node.type, 'keeps no values')
    const { outside, context, run } = this.#around
    const persist: RunInContext['persist'] = (ask) => this.#persist(ask)
    const step = { context: context.path, runSeq: run.seq, node: node.id, persist }
    this.#kept ??= keptOfStep(outside.kept, step)
    return this.#kept
  }

  get circuit(): Step['circuit'] {
    const { outside, context } = this.#around
    const { node, attempt, abort } = this.#call
    const isLast = attempt >= node.retry.attempts
    return (name) => outside.circuits.of(context.path, name, { signal: abort.signal, isLast })
  }

  /** The secrets that this attempt has opened so far; undefined where there are none. */
  get openedSecrets(): OpenedSecrets | undefined {
    return this.#secrets
  }

  get emit(): Step['emit'] {
    const stream = this.#around.liveText.streamOf(
      this.#call,
      () => this.#secrets?.spellings ?? SecretSpellings.none
    )
    return (text, { restart = false } = {}) => stream.emit(String(text), restart)
  }

  get log(): Step['log'] {
    return (text, level = 'log') => keepLog(this.#call, { level, text: String(text) })
  }

  get compute(): Step['compute'] {
    const { run, context, outside } = this.#around
    return stepCompute({
      call: this.#call,
      run,
      context: context.path,
      sandbox: outside.sandbox,
      outputLimit: () => this.outputLimit,
      pause: () => this.pause
    })
  }

  get history(): Step['history'] {
    const { outside, run } = this.#around
    return (turns) => this.#persist(() => outside.history(run, turns))
  }

  get ifTimedOut(): Step['ifTimedOut'] {
    return (error) => {
      // Looked at only when it is needed: what is redacted is a new error, and those are costly.
      this.#call.timeoutError = () => (this.#secrets?.redactError(error) ?? error) as Error
    }
  }

  get now(): Step['now'] {
    return this.#around.now
  }

  get idempotencyKey(): string {
    return `${this.#around.run.id}/${this.node}`
  }

  /** A step that is ended from outside never returns, and what it said is kept all the same. */
  #beginRedacting(): OpenedSecrets {
    const secrets = new OpenedSecrets()
    const call = this.#call
    call.abort.signal.addEventListener('abort', () => redactMessages(call, secrets), { once: true })
    return secrets
  }

  /** What the store does not take, or give, now is waited for; an attempt that is over asks for nothing any more. */
  #persist<T>(ask: () => Promise<T>): Promise<T> {
    const { abort } = this.#call
    return this.#around.persist(async () => {
      if (abort.reason !== undefined) throw abort.reason
      return ask()
    })
  }

  #callers(): Caller {
    this.#caller ??= new Caller(this.#around.outside.egress, {
      trustedFor: () => null,
      headersFor: (_url, headers) => headers,
      signal: this.#call.abort.signal
    })
    return this.#caller
  }
}

function reachesOutside(type: string, but: string): StepError {
  return new StepError(
    `The component "${type}" says that it is pure, and a pure component ${but}: leave effects: 'pure' out of it.`,
    { code: 'pure_component', retryable: false }
  )
}

export function fieldsOf({ node }: Pick<StepCall, 'node'>, variables: RunScope['variables']): Step['fields'] {
  if (node.variableFields.length === 0) return node.fields
  const fields = { ...node.fields }
  for (const name of node.variableFields)
    fields[name] = fillVariables(fields[name] as string, name, variables)
  return fields
}

/** Members of `run` that are Millrace's own. */
const OWN_MEMBERS: readonly (keyof RunView)[] = [
  'id',
  'flowId',
  'flowVersion',
  'trigger',
  'input',
  'request',
  'session',
  'variables',
  'say'
]

/** A decoration must not take the place of what every component relies on. */
export function assertFreeName(name: string): void {
  if (typeof name === 'string' && name !== '' && name !== '__proto__' && !OWN_MEMBERS.includes(name)) return
  throw new TypeError(
    `"${String(name)}" cannot decorate the run: ${OWN_MEMBERS.join(', ')} are its own members. Choose another name.`
  )
}

/** The run as components and hooks see it; what they say goes to `messages`. */
export function runView(around: RunInContext, messages: StepMessage[]): RunView {
  return Object.assign(new StepRunView(around, messages), around.context.decorations)
}

class StepRunView implements RunView {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly trigger: RunTrigger
  readonly input: JsonValue
  readonly session: string
  readonly request: RequestFacts | null
  readonly variables: RunView['variables']
  readonly say: RunView['say'];
  [decoration: string]: unknown

  constructor({ run, start, context, outputs, newId, now }: RunInContext, messages: StepMessage[]) {
    this.id = run.id
    this.flowId = run.flowId
    this.flowVersion = run.flowVersion
    this.trigger = run.trigger
    this.input = start.input
    this.request = start.request
    this.session = run.session
    this.variables = context.variables
    let length = 0
    this.say = ({ text, sender = 'Machine', session = run.session }) => {
      // A plugin can say anything; what cannot be stored as text must fail here and not when the run is saved.
      const said = { text: String(text), sender: String(sender), session: String(session) }
      length += said.text.length
      // A step that says more and more must fail before its messages fill the memory.
      if (length > outputs.left.bytes)
        throw outputTooLarge(outputs.left, { size: length, advice: 'Say less' })
      messages.push({ id: newId(), ...said, createdAt: now() })
    }
  }
}
