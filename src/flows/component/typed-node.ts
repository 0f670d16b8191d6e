import type { FlowNode } from '../document/flow-document.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { type AnyComponent, resolveFields } from './component.ts'
import { hasDynamicInputs, inputPortsOf, outputsOfNode } from './component-ports.ts'
import type { Ports } from './ports.ts'

/** A node with its component, where that is known: the faults of an unknown type are reported once, at the node. */
export interface TypedNode {
  readonly node: FlowNode
  readonly component: AnyComponent | undefined
  /** Undefined where they are not known. Those of a region hold those of its inside. */
  readonly inputs: Ports | undefined
  readonly outputs: Ports | undefined
}

export function typedNode(node: FlowNode, component: AnyComponent | undefined, isSound: boolean): TypedNode {
  if (component === undefined) return { node, component, inputs: undefined, outputs: undefined }
  const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
  // Ports that follow from the fields are not known before those are mended, nor may the component be asked.
  const isKnown = (follows: boolean) => isSound || !follows
  return {
    node,
    component,
    inputs: isKnown(hasDynamicInputs(component))
      ? { ...inputPortsOf(component, fields), ...component.region?.inputs }
      : undefined,
    outputs: isKnown(component.outputsFromList !== undefined)
      ? { ...outputsOfNode(component, fields, node), ...component.region?.outputs }
      : undefined
  }
}
