import { messageOf } from '../errors.ts'
import type { Catalogue } from '../flows/catalogue.ts'
import {
  type AnyComponent,
  type ComponentEffects,
  type RetryPolicy,
  resolveFields
} from '../flows/component.ts'
import { listedOutputsOf } from '../flows/component-ports.ts'
import { variableFieldsOf } from '../flows/context-variables.ts'
import type { JsonValue } from '../flows/exact-json.ts'
import type { FlowDocument, FlowNode } from '../flows/flow-document.ts'
import { triggerOf } from '../flows/flow-warnings.ts'
import { nodeOrder, type Wire, wiresOf } from '../flows/graph.ts'
import { type LinkedNodes, linkedNodes } from '../flows/run-links.ts'
import { takenNodes, unwiredNodes } from '../flows/taken-nodes.ts'
import { type Bypass, bypassOf } from './bypass.ts'
import { ONE_ATTEMPT } from './retry-policy.ts'
import { type Starts, startsOf } from './starts.ts'
import { StepError } from './step-error.ts'

/**
 * A component that reaches outside and does not say how long it may take. Without a bound, as many calls that are never
 * answered as runs may go on at the same time would stop every flow.
 */
export const EXTERNAL_TIMEOUT_MS = 120_000

/** A flow version made ready to run. It is compiled once and shared by all runs of that version. */
export interface Plan {
  readonly flowId: string
  readonly version: number
  readonly context: string
  /** In an order in which every wire points forward. */
  readonly nodes: readonly PlannedNode[]
  readonly starts: Starts
  /** The nodes that addresses of the run lead to; undefined where there are none. */
  readonly linked: LinkedNodes | undefined
}

export interface PlannedNode {
  readonly index: number
  readonly id: string
  readonly type: string
  readonly title: string
  readonly component: AnyComponent
  readonly fields: Readonly<Record<string, JsonValue>>
  /** Fields whose text reads variables of the context; they are filled for every step. */
  readonly variableFields: readonly string[]
  readonly prepared: unknown
  /** The outputs that follow from a list among the fields, by place in it. */
  readonly listedOutputs: readonly string[]
  readonly effects: ComponentEffects
  /** The wires into it, in the order of the document. */
  readonly inputs: readonly PlannedInput[]
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
}

/** A wire into a node. */
export interface PlannedInput {
  readonly port: string
  /** Another wire leads to the same input and comes before this one in the document. */
  readonly isFurther: boolean
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

export function planFlow(
  flow: { readonly id: string; readonly version: number; readonly document: FlowDocument },
  catalogue: Catalogue
): Plan {
  const { document } = flow
  const wires = wiresOf(document)
  const sorted = nodeOrder(document, wires)
  const nodeById = new Map(document.nodes.map((node) => [node.id, node]))
  const taken = takenNodes(document.nodes, wires, (node) => triggerOf(node, document.context, catalogue))
  const scope: PlanScope = {
    context: document.context,
    // Grouped once: to look through all wires for every node takes seconds in a flow of thousands.
    wiresTo: Map.groupBy(wires, (wire) => wire.toNode),
    wiresFrom: Map.groupBy(wires, (wire) => wire.fromNode),
    indexOf: new Map(sorted.map((id, index) => [id, index])),
    unwired: unwiredNodes(document.nodes, taken),
    catalogue
  }
  const nodes = sorted.map((id, index) => planNode(nodeById.get(id)!, index, scope))
  const starts = startsOf(nodes, taken)
  const linked = linkedNodes(document.nodes)
  return { flowId: flow.id, version: flow.version, context: document.context, nodes, starts, linked }
}

interface PlanScope {
  readonly context: string
  readonly wiresTo: ReadonlyMap<string, readonly Wire[]>
  readonly wiresFrom: ReadonlyMap<string, readonly Wire[]>
  readonly indexOf: ReadonlyMap<string, number>
  /** Nodes that no run takes. */
  readonly unwired: ReadonlySet<string>
  readonly catalogue: Catalogue
}

function planNode(node: FlowNode, index: number, scope: PlanScope): PlannedNode {
  const isRun = node.disabled !== true && !scope.unwired.has(node.id)
  const component = isRun ? componentOf(node, scope) : neverRun(node)
  const { wiresTo, wiresFrom, indexOf } = scope
  const inputs = planInputs(wiresTo.get(node.id) ?? [], indexOf)
  const dependents = (wiresFrom.get(node.id) ?? []).map((wire) => indexOf.get(wire.toNode)!)
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
    prepared: prepare(node, component, fields),
    listedOutputs: listedOutputsOf(component, fields, node.on_error),
    effects,
    inputs,
    dependents: [...new Set(dependents)],
    sources: [...new Set(inputs.map((input) => input.from))],
    retry: retryOf(node, component),
    timeoutMs:
      node.timeout_ms ?? component.timeoutMs ?? (effects === 'pure' ? undefined : EXTERNAL_TIMEOUT_MS),
    leadsErrorOn: node.on_error === 'output',
    bypass:
      node.disabled === true ? bypassOf(node, scope.catalogue.find(scope.context, node.type)) : undefined
  }
}

function planInputs(wires: readonly Wire[], indexOf: PlanScope['indexOf']): PlannedInput[] {
  const fed = new Set<string>()
  return wires.map(({ toPort: port, fromNode, fromPort }) => {
    const isFurther = fed.has(port)
    fed.add(port)
    return { port, isFurther, from: indexOf.get(fromNode)!, fromPort }
  })
}

function componentOf(node: FlowNode, { catalogue, context }: PlanScope): AnyComponent {
  const component = catalogue.find(context, node.type)
  if (component !== undefined) return component
  const why = catalogue.explainMissing(context, node.type)
  throw new PlanError(node.id, 'unknown_type', `Its type "${node.type}" cannot be used any more. ${why}`)
}

/** For a node that no run takes, or runs: whatever is missing in it, or of it, is to fail none. */
function neverRun({ type }: FlowNode): AnyComponent {
  return { type, title: type, effects: 'pure', run: () => undefined }
}

function prepare(node: FlowNode, component: AnyComponent, fields: Record<string, JsonValue>): unknown {
  try {
    return component.prepare?.(fields)
  } catch (error) {
    throw new PlanError(node.id, 'prepare_failed', messageOf(error))
  }
}

/** A template reads variables by itself, with all that a template can do. */
function retryOf(node: FlowNode, component: AnyComponent): RetryPolicy {
  const policy = { ...ONE_ATTEMPT, ...component.retry }
  const { attempts, backoff_ms, max_backoff_ms } = node.retry ?? {}
  return {
    attempts: attempts ?? policy.attempts,
    backoffMs: backoff_ms ?? policy.backoffMs,
    maxBackoffMs: max_backoff_ms ?? policy.maxBackoffMs
  }
}
