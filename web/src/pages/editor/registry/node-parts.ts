import type { Field } from '../../../../../src/flows/component.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import type { FieldPlace, NodeParts } from '../node-part.ts'
import { EVERY_NODE, NODE_PARTS } from './registered.ts'

export function nodePartsFor(type: string): NodeParts {
  return Object.hasOwn(NODE_PARTS, type) ? { ...EVERY_NODE, ...NODE_PARTS[type] } : EVERY_NODE
}

export function fieldsAt(place: FieldPlace, node: Node, { fields }: ComponentFacts): [string, Field][] {
  const placeOf = nodePartsFor(node.type).placeOf ?? usualPlace
  return Object.entries(fields).filter(([name, field]) => placeOf(node, name, field) === place)
}

function usualPlace(_node: Node, _name: string, field: Field): FieldPlace {
  return field.hidden === true ? 'controls' : 'settings'
}
