import type { Field } from '../../../../../src/flows/component/component.ts'
import type { ContextScope } from '../../../api/context-scope.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import type { FieldPlace, NodeParts } from '../node-part.ts'
import { EVERY_NODE, NODE_PARTS } from './registered.ts'

export function nodePartsFor(type: string): NodeParts {
  return Object.hasOwn(NODE_PARTS, type) ? { ...EVERY_NODE, ...NODE_PARTS[type] } : EVERY_NODE
}

/** Where a field of a node stands in a flow of that context. */
export function placeOfField(node: Node, name: string, field: Field, scope: ContextScope): FieldPlace {
  return (nodePartsFor(node.type).placeOf ?? usualPlace)(node, name, field, scope)
}

function usualPlace(_node: Node, _name: string, field: Field): FieldPlace {
  return field.hidden === true ? 'controls' : 'settings'
}
