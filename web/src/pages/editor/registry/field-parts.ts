import type { FieldPartFor } from '../node-part.ts'
import { FIELD_PARTS, NAMED_FIELD_PARTS } from './registered-fields.ts'

/** By what the field is, and where that does not say enough, by its name. */
export const fieldPartFor: FieldPartFor = (component, name, { kind }) => {
  const named = Object.hasOwn(NAMED_FIELD_PARTS, component) ? NAMED_FIELD_PARTS[component]! : {}
  return Object.hasOwn(named, name) ? named[name] : FIELD_PARTS[kind]
}
