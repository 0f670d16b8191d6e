import {
  type FieldFault,
  type FieldValues,
  type JsonValue,
  sessionFaults,
  templateFault
} from '../../plugin-api.ts'
import { schemaFault } from '../schema/compile-schema.ts'
import type { FIELDS } from './model-fields.ts'

const TEMPLATES = ['system', 'prompt', 'images'] as const

/** What is wrong with the fields of whatever asks a model. */
export function modelFaults(fields: FieldValues<typeof FIELDS>): FieldFault[] {
  return [
    ...TEMPLATES.flatMap((field): FieldFault[] => {
      const fault = templateFault(fields[field])
      return fault === undefined ? [] : [{ field, ...fault }]
    }),
    ...sessionFaults(fields.session),
    ...schemaFaults(fields.schema),
    ...(fields.model.trim() === '' ? [noModel()] : [])
  ]
}

function schemaFaults(schema: JsonValue): FieldFault[] {
  const fault = schema === null ? undefined : schemaFault(schema)
  return fault === undefined ? [] : [{ field: 'schema', message: `The field "Schema" ${fault}` }]
}

function noModel(): FieldFault {
  return { field: 'model', message: 'No model is named. Choose one that the connection offers.' }
}
