import type { Field } from '../../../../src/flows/component.ts'
import type { FieldPart } from './node-part.ts'
import { FIELD_PARTS } from './node-parts/registered-fields.ts'

export function fieldPartFor(kind: Field['kind']): FieldPart | undefined {
  return FIELD_PARTS[kind]
}
