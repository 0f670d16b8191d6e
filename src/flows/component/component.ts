import type { Fault } from '../../errors.ts'
import type { Turns } from '../in-turns.ts'
import type { JsonValue } from '../json/exact-json.ts'
import type { OutputLimit } from '../step/output-limit.ts'
import type { StepAnswer } from '../step/step-answer.ts'
import type { Carried } from '../step/step-carried.ts'
import type { ChildRuns } from '../step/step-children.ts'
import type { Circuit } from '../step/step-circuit.ts'
import type { Compute } from '../step/step-compute.ts'
import type { OpenConnection, SendRequest } from '../step/step-connection.ts'
import type { StepCosts } from '../step/step-costs.ts'
import type { ReadDocuments } from '../step/step-documents.ts'
import type { StepFiles } from '../step/step-files.ts'
import type { KeptValues } from '../step/step-kept.ts'
import type { Knowledge } from '../step/step-knowledge.ts'
import type { LogLevel } from '../step/step-log.ts'
import type { StepMemory } from '../step/step-memory.ts'
import type { RetryPolicy } from '../step/step-retry.ts'
import type { AskedWait, StepWait, Woken } from '../step/step-wait.ts'
import type { OfferedTool, ToolCall } from '../tools/tool.ts'
import type { RegionPorts, StreamedAnswer } from './component-parts.ts'
import type { Field, Fields, FieldValues } from './field-kinds.ts'
import type { Port, Ports } from './ports.ts'
import { wholeRows } from './rows-of-field.ts'
import type { RunView } from './run-view.ts'
import type { LifeOfNode, RunTrigger } from './trigger.ts'

export type { OutputLimit } from '../step/output-limit.ts'
export type { RetryPolicy } from '../step/step-retry.ts'
export type { RegionPorts } from './component-parts.ts'
export type {
  BooleanField,
  ChoiceField,
  ConnectionField,
  Field,
  Fields,
  FieldValue,
  FieldValues,
  JsonField,
  ListField,
  NumberField,
  RowColumn,
  RowsField,
  SecretField,
  TemplateField,
  TextField
} from './field-kinds.ts'
export type { Message, RequestFacts, RunView } from './run-view.ts'
export type { RunTrigger } from './trigger.ts'

/**
 * What a component is. Built-in components and plugins are defined through these very types, and the page draws
 * a node from them without knowing the component.
 */

type PortValue<P extends Port> = P['type'] extends 'text'
  ? string
  : P['type'] extends 'table'
    ? readonly { readonly [column: string]: JsonValue }[]
    : // biome-ignore lint/suspicious/noExplicitAny: data is whatever the sender sent; a component that trusts its sender may read `inputs.data.name` without a cast
      any

export type InputValues<P extends Ports> = { readonly [K in keyof P]: PortValue<P[K]> }
export type OutputValues<P extends Ports> = { readonly [K in keyof P]?: PortValue<P[K]> | undefined }

export interface Step<F extends Fields = Fields, I extends Ports = Ports, P = unknown, R = unknown>
  extends StepMemory,
    StepCosts {
  readonly inputs: InputValues<I>
  readonly fields: FieldValues<F>
  readonly run: RunView
  /** Aborted when the run is cancelled or the step runs out of time. */
  readonly signal: AbortSignal
  /** What `prepare` returned for these fields. */
  readonly prepared: P
  /** What `open` returned for this version. */
  readonly opened: R
  readonly node: string
  readonly attempt: number
  /** The same for every attempt at this step of this run: send it with outgoing calls. */
  readonly idempotencyKey: string
  /** The outputs that follow from `outputsFromList`, by place in the list. */
  readonly listedOutputs: readonly string[]
  /** Whether a wire leaves by this output. */
  readonly isWired: (output: string) => boolean
  /** Whether this input is what another step tells by `emit` while it works: its one wire comes from the output that is `emits` there. */
  readonly isStreamed: (input: string) => boolean
  /**
   * The fetch of the web, through the guard: it reaches public addresses and what the operator allows, each redirect
   * anew, and it ends with the step.
   */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /**
   * Tells who listens of text while the step works: live, as the event `message.delta`, and never stored. What is
   * meant to stay is an output or a message of the step. `restart`: what was told before is void, the text begins anew.
   */
  readonly emit: (text: string, options?: { readonly restart?: boolean }) => void
  /** Leaves a line for whoever looks at the run. A step keeps a hundred of them, or 16,000 characters. */
  readonly log: (text: string, level?: LogLevel) => void
  /** Runs people's code where it reaches nothing. What it writes to its console is among the logs of the step. */
  readonly compute: Compute
  /** Reads documents in a process of their own: PDF, spreadsheets, mails, HTML, XML and others. */
  readonly readDocuments: ReadDocuments
  /** One request through the guard, cheaper than `fetch`. Redirects are followed, each judged anew. */
  readonly request: SendRequest
  /**
   * The connection that the flow's context means by this name, opened for this attempt. Throws where there is none, or
   * where it is of another kind than these.
   */
  readonly connection: (name: string, kinds?: readonly string[]) => OpenConnection
  /** Values that the flows of the context keep for later runs. */
  readonly kept: KeptValues
  /** Collections of texts that are found again by their words and by what they mean. */
  readonly knowledge: Knowledge
  /** What attempts leave for the ones after them, such as the pages that were read before one failed. */
  readonly carried: Carried
  /** Files of the run, and of contexts that its flow sees. */
  readonly files: StepFiles
  /**
   * What is known of a destination of this name, by all steps of the flow's context: where it fails again and again, calls
   * through it are held.
   */
  readonly circuit: (name: string) => Circuit
  /**
   * What the attempt fails with should its time be over from now on, in place of `step_timeout`, which is tried again. For
   * work that may have been done once it is sent and must not be done twice: a StepError that is not retryable.
   */
  readonly ifTimedOut: (error: Error) => void
  /** The time by the clock of the service, in milliseconds since 1970. */
  readonly now: () => number
  /**
   * Answers whoever called the flow and waits for it, once the step has succeeded and that is durable. The first answer of a run is
   * the one; later ones come to nothing. Throws `answer_invalid` where it cannot be sent.
   */
  readonly respond: (answer: StepAnswer) => void
  /**
   * To be returned in place of outputs: the step waits, for as long as it takes, also when the service is started anew. Then
   * `resume` is called.
   */
  readonly wait: (asked: AskedWait) => StepWait
  /** Runs that this step starts. */
  readonly children: ChildRuns
  /** What the step may put out: bytes of JSON. Past it the step fails with `output_too_large`. */
  readonly outputLimit: OutputLimit
  /**
   * For long computations: everything else waits while one holds the thread. Undefined while it may go on; otherwise
   * to be waited for. Cheap enough to be called a thousand times a second.
   */
  pause(): Promise<void> | undefined
}

export type ComponentEffects = 'pure' | 'external'

/** A fault that a component finds in its own fields when the flow is saved. */
export type FieldFault = Pick<Fault, 'message' | 'line' | 'column'> & {
  readonly field: string
  readonly code?: string
}

// biome-ignore lint/suspicious/noConfusingVoidType: `run: ({ run }) => run.say({ text })` is a whole component
type StepResult<O extends Ports> = OutputValues<O> | void
type Returned<O extends Ports> = StepResult<O> | StepWait

/** How a component offers tools. Where nothing but its output `tools` is wired, only agents run it. */
export interface ToolOffer<S = Step, O extends Ports = Ports> {
  /** What is told to agents, once in a run. */
  offer(step: S): readonly OfferedTool[] | Promise<readonly OfferedTool[]>
  /**
   * One call: a step of its own, tried again, checkpointed and resumed as any. What it returns are outputs; the first that has a value is
   * what the agent is told. Left out, `run` is called with the arguments as the input `data`.
   */
  call?(step: S, call: ToolCall): Returned<O> | Promise<Returned<O>>
}

export interface ComponentDefinition<
  F extends Fields = Fields,
  I extends Ports = Ports,
  O extends Ports = Ports,
  P = unknown,
  R = unknown
> extends LifeOfNode<FieldValues<F>, R> {
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly category?: string
  readonly icon?: string
  /** What people call it elsewhere: a search for these words finds it. */
  readonly keywords?: readonly string[]
  /** One short use of it, in a sentence: "{total} is greater than 100: large orders leave by True." */
  readonly example?: string
  /**
   * `external` (the default): the component reaches outside, so its steps are checkpointed before and after.
   * `pure`: its outputs follow from inputs and fields alone; after a crash it may be computed again.
   */
  readonly effects?: ComponentEffects
  /** It stands for what is to be replaced: `check` is always asked, and palettes leave it out. */
  readonly placeholder?: true
  /** The component starts runs of this trigger, which is named in them; at most one such node stands in a flow. */
  readonly trigger?: RunTrigger
  /** Who starts the runs of its trigger, where neither a request nor its own `start` does. */
  readonly startedBy?: 'service'
  readonly fields?: F
  /** Those that matter most, of which the page lets the ones that mean something be edited on the node itself. */
  readonly mainFields?: readonly (keyof F & string)[]
  readonly inputs?: I
  readonly outputs?: O
  /**
   * Its output `usage` tells what the step used of a language model, `{ model, input_tokens, cached_tokens, output_tokens }`, and
   * is counted: in the run, the stats and the metrics. What others put out by that name is not.
   */
  readonly reportsUsage?: boolean
  /** The output that is, as a whole, the text that the component tells by `emit`. */
  readonly emits?: keyof O & string
  /** The input whose text it prints as it is, by `run.say`: in a chat that is sent on while it comes. */
  readonly prints?: keyof I & string
  /**
   * Of a component that answers callers: how its answer begins where the body is nothing but the text of an input, so that a caller gets
   * that while it comes. Undefined where the fields want another one.
   */
  readonly streamsAnswer?: (prepared: P) => StreamedAnswer<I> | undefined
  /**
   * The name of a field: every variable of the template in it is an input of the type `any`, added to `inputs`.
   * Unlike `inputsFor` this is data, so the page knows the inputs while somebody types.
   */
  readonly inputsFromTemplate?: keyof F & string
  /** The name of a field that holds a number: so many inputs `in_1`, `in_2` …, of the type `any`, are added to `inputs`. */
  readonly inputsFromCount?: keyof F & string
  /**
   * The name of a field that holds a list: each of its texts is an output of the type `any`, named in the manner of a
   * slug, before those in `outputs`.
   */
  readonly outputsFromList?: keyof F & string
  /**
   * A region: a frame that holds nodes. `inputs` and `outputs` are those of its outside. How often its inside runs the engine knows.
   */
  readonly region?: RegionPorts
  /** Inputs that depend on the fields in another way. Added to `inputs`. */
  readonly inputsFor?: (fields: FieldValues<F>) => Ports
  /** Called when a flow is saved; an empty list means that the fields are sound. Where it may take long, the second one is. */
  readonly check?: (fields: FieldValues<F>) => readonly FieldFault[]
  readonly checkInTurns?: (fields: FieldValues<F>) => Turns<readonly FieldFault[]>
  /** Called once per flow version; what it returns is `prepared` in every step. */
  readonly prepare?: (fields: FieldValues<F>) => P
  /** Of one with an output `tools`, of that type: what it offers there to agents. */
  readonly tools?: ToolOffer<Step<F, I, P, R>, O>
  /**
   * Whether a step with these fields changes something outside, so that an agent asks a person first; `isOpen` tells of fields that are
   * left to the agent. By default whether `effects` is external.
   */
  readonly acts?: (fields: FieldValues<F>, isOpen: (field: keyof F & string) => boolean) => boolean
  readonly retry?: Partial<RetryPolicy>
  /** For one attempt, unless the node says otherwise. Two minutes where `effects` is external, else none. */
  readonly timeoutMs?: number
  /** Returns the outputs that it has; a component whose work is its effect may return nothing. */
  run(step: Step<F, I, P, R>): Returned<O> | Promise<Returned<O>>
  /** Called in place of `run` when the step has waited: by what that was ended, and with what. It may wait again. */
  resume?(step: Step<F, I, P, R>, woken: Woken): Returned<O> | Promise<Returned<O>>
}

/** A definition with its generics forgotten, as the engine and the catalogue handle it. */
// biome-ignore lint/suspicious/noExplicitAny: `run` takes its step contravariantly, so no narrower type holds every component
export type AnyComponent = ComponentDefinition<any, any, any, any, any>

/** The value of a field that has no default, by its kind. */
export const EMPTY_VALUES: Record<Field['kind'], JsonValue> = {
  text: '',
  template: '',
  secret: '',
  number: 0,
  boolean: false,
  choice: '',
  json: null,
  list: [],
  rows: [],
  connection: ''
}

export function defaultOf(field: Field): JsonValue {
  if (field.kind === 'list') return [...(field.default ?? [])]
  if (field.kind === 'rows') return wholeRows(field, [...(field.default ?? [])])
  if (field.default !== undefined) return field.default
  if (field.kind === 'choice') return field.choices[0] ?? ''
  return EMPTY_VALUES[field.kind]
}

/** The values of all fields of a node: what the document says over what the component sets as default. */
export function resolveFields(
  component: Pick<AnyComponent, 'fields'>,
  given: Readonly<Record<string, JsonValue>>
): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = {}
  for (const [name, field] of Object.entries(component.fields ?? {}) as [string, Field][]) {
    values[name] = Object.hasOwn(given, name) ? wholeValue(field, given[name] as JsonValue) : defaultOf(field)
  }
  return values
}

function wholeValue(field: Field, value: JsonValue): JsonValue {
  return field.kind === 'rows' ? wholeRows(field, value) : value
}
