import type { Field } from '../../../../../src/flows/component/component.ts'
import type { FieldPartFor } from '../node-part.ts'
import { CodeField } from '../node-parts/code/code-field.tsx'
import { ConditionField } from '../node-parts/conditions/condition-field.tsx'
import { KeysField } from '../node-parts/keys/keys-field.tsx'
import { FIELD_PARTS, NAMED_FIELD_PARTS } from './registered-fields.ts'

/** By what the field is, and where that does not say enough, by its name. */
export const fieldPartFor: FieldPartFor = (component, name, field) => {
  const named = Object.hasOwn(NAMED_FIELD_PARTS, component) ? NAMED_FIELD_PARTS[component]! : {}
  if (Object.hasOwn(named, name)) return named[name]
  if (field.kind === 'text' && field.language !== undefined) return CodeField
  if (field.kind === 'text' && field.condition === true) return ConditionField
  return namesKeys(field) ? KeysField : FIELD_PARTS[field.kind]
}

function namesKeys(field: Field): boolean {
  if (field.kind === 'rows') return Object.values(field.columns).some(({ path }) => path === true)
  return (field.kind === 'text' || field.kind === 'list') && field.path === true
}
