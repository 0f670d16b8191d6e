import { messageOf } from '../errors.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import {
  type AnyComponent,
  type ComponentEffects,
  type RetryPolicy,
  resolveFields
} from '../flows/component/component.ts'
import { inputPortsOf, listedOutputsOf } from '../flows/component/component-ports.ts'
import { variableFieldsOf } from '../flows/component/context-variables.ts'
import type { Ports } from '../flows/component/ports.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { TOOLS_OUTPUT, type WiredTool } from '../flows/tools/tool.ts'
import { type ToolMode, toolMode } from '../flows/tools/tool-mode.ts'
import { type Bypass, bypassOf } from './bypass.ts'
import { type PlannedReferences, planReferences } from './plan-references.ts'
import { ONE_ATTEMPT } from './retry-policy.ts'
import { StepError } from './step-error.ts'

/**
 * A component that reaches outside and does not say how long it may take. Without a bound, as many calls that are never
 * answered as runs may go on at the same time would stop every flow.
 */
export const EXTERNAL_TIMEOUT_MS = 120_000

export interface PlannedNode {
  readonly index: number
  readonly id: string
  readonly type: string
  readonly title: string
  readonly component: AnyComponent
  readonly fields: Readonly<Record<string, JsonValue>>
  /** Fields whose text reads variables of the context; they are filled for every step. */
  readonly variableFields: readonly string[]
  /** What its fields read of the run beside its inputs; undefined where they read nothing, which is the usual case. */
  readonly references: PlannedReferences | undefined
  readonly prepared: unknown
  /** The outputs that follow from a list among the fields, by place in it. */
  readonly listedOutputs: readonly string[]
  readonly effects: ComponentEffects
  /** The wires into it, in the order of the document. */
  readonly inputs: readonly PlannedInput[]
  /** Those whose one wire brings what its source tells while it works; undefined where there are none. */
  readonly streamedInputs?: ReadonlySet<string>
  /** Its outputs that a wire leaves by. */
  readonly wiredOutputs: ReadonlySet<string>
  /** The nodes that a wire leads to from here, each once. */
  readonly dependents: readonly number[]
  /** The nodes that a wire comes from, each once. */
  readonly sources: readonly number[]
  readonly retry: RetryPolicy
  /** For one attempt; undefined where it may take as long as it likes. */
  readonly timeoutMs: number | undefined
  /** R10: whether the run goes on when its last attempt has failed. */
  readonly leadsErrorOn: boolean
  /**
   * R11: for a disabled node, which input leaves by which output; null where none does. R12: for a pinned one, what
   * leaves it. Undefined for any other.
   */
  readonly bypass: Bypass | null | undefined
  /** It is run as a tool that an agent calls. */
  readonly called?: Called
  /** It is settled before the run begins, with outputs that are given to the run: the run has no step of it. */
  readonly isGiven?: true
}

/** How a node is called: by its fields and inputs, or null where its component takes calls by itself. */
interface Called {
  readonly mode: ToolMode | null
}

/** The input by which a call reaches the node. No wire of a document leads to one of that name. */
export const CALL_PORT = '$call'

/** A wire into a node. */
export interface PlannedInput {
  readonly port: string
  /** Another wire leads to the same input and comes before this one in the document. */
  readonly isFurther: boolean
  /** Its input takes the values of all its wires: one of tools does. */
  readonly isOneOfAll?: true
  readonly from: number
  readonly fromPort: string
}

/** A flow that was sound when it was saved and no longer is: a plugin has gone, or prepares differently. */
export class PlanError extends StepError {
  readonly node: string

  constructor(node: string, code: string, message: string) {
    super(message, { code, retryable: false })
    this.name = 'PlanError'
    this.node = node
  }
}

/** What all nodes of a flow are planned with. */
export interface PlanScope {
  readonly context: string
  /** Nodes that no run takes. */
  readonly unwired: ReadonlySet<string>
  readonly slug: string
  readonly catalogue: Catalogue
}

/** How a node is wired to others, by their places in the plan. */
export type Wiring = Pick<PlannedNode, 'inputs' | 'wiredOutputs' | 'dependents' | 'sources'>

/** `placeOf`: where in the plan a node stands, if it does. */
export function planNode(
  node: FlowNode,
  index: number,
  wiring: Wiring,
  scope: PlanScope,
  placeOf: (id: string) => number | undefined
): PlannedNode {
  const isRun = node.disabled !== true && !scope.unwired.has(node.id)
  const own = isRun ? componentOf(node, scope) : neverRun(node)
  const component = isRun && node.tool !== undefined ? offering(node, own, wiring) : own
  return planAs({ node, component, prepare }, index, wiring, scope, placeOf)
}

interface Cast {
  readonly node: FlowNode
  readonly component: AnyComponent
  readonly prepare: (node: FlowNode, component: AnyComponent, fields: Record<string, JsonValue>) => unknown
}

/** A node that is run by this component. */
export function planAs(
  { node, component, prepare }: Cast,
  index: number,
  wiring: Wiring,
  scope: PlanScope,
  placeOf: (id: string) => number | undefined
): PlannedNode {
  const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
  const effects = component.effects ?? 'external'
  return {
    index,
    id: node.id,
    type: node.type,
    title: component.title,
    component,
    fields,
    variableFields: variableFieldsOf(component, fields),
    references: planReferences(component, fields, scope.slug, placeOf),
    prepared: prepare(node, component, fields),
    listedOutputs: listedOutputsOf(component, fields, node.on_error),
    effects,
    ...wiring,
    inputs: wiring.inputs.map(markTools(inputPortsOf(component, fields))),
    retry: retryOf(node, component),
    timeoutMs:
      node.timeout_ms ?? component.timeoutMs ?? (effects === 'pure' ? undefined : EXTERNAL_TIMEOUT_MS),
    leadsErrorOn: node.on_error === 'output',
    bypass:
      node.disabled === true ? bypassOf(node, scope.catalogue.find(scope.context, node.type)) : undefined
  }
}

/** A node in tool mode, in a run of its flow: it tells agents of itself, and nothing more. */
function offering(node: FlowNode, own: AnyComponent, { inputs }: Wiring): AnyComponent {
  const fields = resolveFields(own, node.fields as Record<string, JsonValue>)
  const { offered } = toolMode(node, own, fields, (input) => inputs.some(({ port }) => port === input))
  const tool: WiredTool = { node: node.id, ...offered }
  const { type, title } = own
  return { type, title, effects: 'pure', run: () => ({ [TOOLS_OUTPUT]: [tool] }) }
}

function markTools(ports: Ports): (input: PlannedInput) => PlannedInput {
  return (input) =>
    Object.hasOwn(ports, input.port) && ports[input.port]!.type === 'tools'
      ? { ...input, isOneOfAll: true }
      : input
}

export function componentOf(node: FlowNode, { catalogue, context }: PlanScope): AnyComponent {
  const component = catalogue.find(context, node.type)
  if (component !== undefined) return component
  const why = catalogue.explainMissing(context, node.type)
  throw new PlanError(node.id, 'unknown_type', `Its type "${node.type}" cannot be used any more. ${why}`)
}

/** Nobody asks: it is not run. */
const NO_OUTPUTS: ReadonlySet<string> = new Set()

/** A node whose outputs are given to the run. */
export function givenNode(
  { id, type }: Pick<FlowNode, 'id' | 'type'>,
  index: number,
  dependents: readonly number[]
): PlannedNode {
  return { ...plainNode({ id, type }, index, neverRun({ type })), dependents, isGiven: true }
}

/** A node without fields, wires and time, which the engine itself runs. */
export function plainNode(
  { id, type }: Pick<FlowNode, 'id' | 'type'>,
  index: number,
  component: AnyComponent
): PlannedNode {
  return {
    index,
    id,
    type,
    title: component.title,
    component,
    fields: {},
    variableFields: [],
    references: undefined,
    prepared: undefined,
    listedOutputs: [],
    effects: 'pure',
    inputs: [],
    wiredOutputs: NO_OUTPUTS,
    dependents: [],
    sources: [],
    retry: ONE_ATTEMPT,
    timeoutMs: undefined,
    leadsErrorOn: false,
    bypass: undefined
  }
}

/** For a node that no run takes, or runs: whatever is missing in it, or of it, is to fail none. */
function neverRun({ type }: Pick<FlowNode, 'type'>): AnyComponent {
  return { type, title: type, effects: 'pure', run: () => undefined }
}

export function prepare(node: FlowNode, component: AnyComponent, fields: Record<string, JsonValue>): unknown {
  try {
    return component.prepare?.(fields)
  } catch (error) {
    throw new PlanError(node.id, 'prepare_failed', messageOf(error))
  }
}

/** A template reads variables by itself, with all that a template can do. */
function retryOf(node: FlowNode, component: AnyComponent): RetryPolicy {
  const policy: RetryPolicy = { ...ONE_ATTEMPT, ...component.retry }
  const { attempts, backoff_ms, max_backoff_ms } = node.retry ?? {}
  // A node that says how long to wait means that.
  const isScheduled =
    policy.schedule !== undefined && backoff_ms === undefined && max_backoff_ms === undefined
  return {
    attempts: attempts ?? policy.attempts,
    backoffMs: backoff_ms ?? policy.backoffMs,
    maxBackoffMs: max_backoff_ms ?? policy.maxBackoffMs,
    ...(isScheduled && { schedule: policy.schedule })
  }
}
