import type { Field } from '../../../../src/flows/component.ts'
import type { FieldPart } from './node-part.ts'
import { FIELD_PARTS, NAMED_FIELD_PARTS } from './node-parts/registered-fields.ts'

/** What draws a field in the place of a plain control: by what it is, and where that does not say enough, by its name. */
export function fieldPartFor(component: string, name: string, { kind }: Field): FieldPart | undefined {
  const named = Object.hasOwn(NAMED_FIELD_PARTS, component) ? NAMED_FIELD_PARTS[component]! : {}
  return Object.hasOwn(named, name) ? named[name] : FIELD_PARTS[kind]
}
