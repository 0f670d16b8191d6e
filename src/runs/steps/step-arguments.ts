import { OpenedSecrets } from '../../connections/opened-secrets.ts'
import { SecretSpellings } from '../../connections/redaction/secret-spellings.ts'
import type { Caller } from '../../egress/caller.ts'
import { askedWait } from '../../engine/asked-wait.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { OutputLimit, RunView, Step } from '../../flows/component/component.ts'
import type { Pacer } from '../../flows/in-turns.ts'
import type { Carried } from '../../flows/step/step-carried.ts'
import type { ChildRuns } from '../../flows/step/step-children.ts'
import type { StepFiles } from '../../flows/step/step-files.ts'
import type { KeptValues } from '../../flows/step/step-kept.ts'
import { FilesOfStep } from '../files/files-of-step.ts'
import { keptOfStep } from '../kept/kept-of-step.ts'
import { knowledgeOfStep } from '../knowledge/knowledge-of-step.ts'
import { CarriedOfStep } from './carried-of-step.ts'
import { fieldsOf } from './fields-of-step.ts'
import { payForStep } from './pay-for-step.ts'
import { persistForAttempt } from './persist-for-attempt.ts'
import { plainCaller } from './plain-caller.ts'
import { reachesOutside } from './pure-refusal.ts'
import { recallOfStep } from './recall-of-step.ts'
import { redactMessages } from './redact-messages.ts'
import { withReferences } from './reference-variables.ts'
import { respondForStep } from './respond-for-step.ts'
import type { RunInContext, StartedRuns } from './run-in-context.ts'
import { runView } from './run-view.ts'
import { stepCompute } from './step-compute.ts'
import { documentsOfStep } from './step-documents.ts'
import { keepLog } from './step-logs.ts'

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
  #children: StartedRuns | undefined
  #caller: Caller | undefined
  #kept: KeptValues | undefined
  #carried: Carried | undefined
  #files: FilesOfStep | undefined
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
    const variables = withReferences(around.context.variables, { call, run: around.run })
    this.run = runView(around, call.messages, variables)
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

  get isStreamed(): Step['isStreamed'] {
    const { streamedInputs } = this.#call.node
    return (input) => streamedInputs?.has(input) === true
  }

  get children(): ChildRuns {
    this.#children ??= this.#around.children.of(this.#call, () => this.#secrets)
    return this.#children
  }

  /** Undefined where the attempt has started none so far. */
  get startedRuns(): StartedRuns | undefined {
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
      const { node } = this.#call
      if (node.effects === 'pure') throw reachesOutside(node.type, 'uses no connections')
      const { outside, context } = this.#around
      return outside.connections.openByName(context.path, { name, kinds }, this.#openedFor())
    }
  }

  get kept(): KeptValues {
    const { node } = this.#call
    if (node.effects === 'pure') throw reachesOutside(node.type, 'keeps no values')
    const { outside, context, run } = this.#around
    const step = {
      context: context.path,
      runSeq: run.seq,
      node: this.#placed(node.id),
      persist: this.#persist
    }
    this.#kept ??= keptOfStep(outside.kept, step)
    return this.#kept
  }

  get knowledge(): Step['knowledge'] {
    const { node } = this.#call
    if (node.effects === 'pure') throw reachesOutside(node.type, 'searches no collections')
    const { outside, context } = this.#around
    const ways = { opened: () => this.#openedFor(), persist: this.#persist, payFor: this.payFor }
    return knowledgeOfStep(outside, { context: context.path, pacer: this, ...ways })
  }

  get carried(): Carried {
    const { run, outputs } = this.#around
    const { node, attempt, before } = this.#call
    const pacer = { pause: this.pause }
    const secrets = () => this.#secrets
    const { pieces } = outputs
    this.#carried ??= new CarriedOfStep({
      run,
      name: this.#placed(before === undefined ? `carried/${node.id}` : `carried/${node.id}/${before}`),
      attempt,
      pieces,
      persist: this.#persist,
      pacer,
      secrets
    })
    return this.#carried
  }

  get files(): StepFiles {
    if (this.#files !== undefined) return this.#files
    const { outside, context, run, givenFiles } = this.#around
    const { node, abort } = this.#call
    this.#files = new FilesOfStep({
      files: outside.files,
      reader: { run, context: context.path, ...(givenFiles && { given: givenFiles }) },
      abort,
      persist: this.#persist,
      refusal: node.effects === 'pure' ? reachesOutside(node.type, 'makes no files') : undefined
    })
    return this.#files
  }

  /** What the attempt has done with files so far; undefined where it did nothing. */
  get usedFiles(): FilesOfStep | undefined {
    return this.#files
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
    const spellings = () => this.#secrets?.spellings ?? SecretSpellings.none
    const stream = this.#around.liveText.streamOf(this.#call, spellings)
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
      variables: this.run.variables,
      sandbox: outside.sandbox,
      outputLimit: () => this.outputLimit,
      pause: () => this.pause,
      files: () => this.files
    })
  }

  get readDocuments(): Step['readDocuments'] {
    const bounds = { outputLimit: () => this.outputLimit, pause: () => this.pause }
    return documentsOfStep(this.#around, { call: this.#call, ...bounds })
  }

  get history(): Step['history'] {
    return async (turns, session) => (await this.recall({ turns }, session)).messages
  }

  get payFor(): Step['payFor'] {
    return payForStep(this.#around)
  }

  get recall(): Step['recall'] {
    return recallOfStep(this.#around, (ask) => this.#persist(ask))
  }

  get respond(): Step['respond'] {
    return respondForStep(this.#call, this.#around.now)
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
    const { run, place } = this.#around
    const { before } = this.#call
    const key = `${place?.of ?? run.id}/${this.#placed(this.node)}`
    // With other inputs it is another request, and a service that knows the key would answer what it answered to those.
    return before === undefined ? key : `${key}/${before}`
  }

  #openedFor() {
    this.#secrets ??= this.#beginRedacting()
    return {
      signal: this.#call.abort.signal,
      secrets: this.#secrets,
      hold: () => this.#call.held?.begin() ?? (() => {})
    }
  }

  /** A step that is ended from outside never returns, and what it said is kept all the same. */
  #beginRedacting(): OpenedSecrets {
    const secrets = new OpenedSecrets()
    const call = this.#call
    call.abort.signal.addEventListener('abort', () => redactMessages(call, secrets), { once: true })
    return secrets
  }

  /** Another call of the same node is another step. */
  #placed(name: string): string {
    const { place } = this.#around
    return place === undefined ? name : `${place.name}/${name}`
  }

  get #persist(): RunInContext['persist'] {
    return persistForAttempt(this.#around.persist, this.#call.abort)
  }

  #callers(): Caller {
    this.#caller ??= plainCaller(this.#around.outside.egress, this.#call.abort.signal)
    return this.#caller
  }
}
