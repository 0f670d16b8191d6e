import { type AnyComponent, hasDynamicInputs, inputPortsOf, resolveFields } from './component.ts'
import type { JsonValue } from './exact-json.ts'
import type { FlowNode } from './flow-document.ts'
import { outputPortsOf, type Ports } from './ports.ts'

/** A node with its component, where that is known: the faults of an unknown type are reported once, at the node. */
export interface TypedNode {
  readonly node: FlowNode
  readonly component: AnyComponent | undefined
  /** Undefined where they are not known. */
  readonly inputs: Ports | undefined
  readonly outputs: Ports | undefined
}

export function typedNode(node: FlowNode, component: AnyComponent | undefined, isSound: boolean): TypedNode {
  if (component === undefined) return { node, component, inputs: undefined, outputs: undefined }
  const outputs = outputPortsOf(component.outputs, node.on_error)
  // Inputs that follow from the fields are not known before those are mended, nor may the component be asked.
  if (!isSound && hasDynamicInputs(component)) return { node, component, inputs: undefined, outputs }
  const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
  return { node, component, inputs: inputPortsOf(component, fields), outputs }
}
