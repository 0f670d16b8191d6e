import { defaultOf, type Field } from '../../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { Node } from '../../../editor/graph/flow.ts'

/** The value that a field of a node has: what the flow says, else the component's default. */
export function fieldValue(node: Node, name: string, field: Field): JsonValue {
  return isSet(node, name) ? (node.fields[name] as JsonValue) : defaultOf(field)
}

/** Whether the flow says something of the field, so that it can be reset. */
export function isSet(node: Node, name: string): boolean {
  return Object.hasOwn(node.fields, name)
}
