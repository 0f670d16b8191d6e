import type { Field } from '../../../../src/flows/component.ts'
import type { FieldPart, NodeParts } from './node-part.ts'
import { FIELD_PARTS, NODE_PARTS } from './node-parts/registered.ts'

const NONE: NodeParts = {}

export function nodePartsFor(type: string): NodeParts {
  return Object.hasOwn(NODE_PARTS, type) ? NODE_PARTS[type]! : NONE
}

export function fieldPartFor(kind: Field['kind']): FieldPart | undefined {
  return FIELD_PARTS[kind]
}
