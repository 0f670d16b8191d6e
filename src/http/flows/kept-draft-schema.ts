import { numbered } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

export const Because = Type.Enum(['restored', 'discarded'], {
  description: 'What took its place: a version, or nothing'
})

export const KeptDraft = Type.Object({
  number: numbered({ description: 'Grows with every draft of the flow that is kept' }),
  base_version: numbered({ description: 'The live version that it was edited from' }),
  author: Nullable(Type.String({ description: 'The name of the key that saved it last' })),
  updated_at: Type.String({ format: 'date-time', description: 'When it was edited last' }),
  because: Because
})
