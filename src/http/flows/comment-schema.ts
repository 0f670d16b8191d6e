import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

export const Comment = Type.Object({
  id: Type.String(),
  node: Nullable(Type.String({ description: 'Null: it is about the flow as a whole' })),
  text: Type.String(),
  author: Nullable(Type.String({ description: 'The name of the key that wrote it' })),
  created_at: Time,
  done_at: Nullable(Time),
  done_by: Nullable(Type.String())
})

export const Write = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 4_000, pattern: '\\S' }),
    node: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200 })))
  },
  { additionalProperties: false }
)

export const Mark = Type.Object(
  { done: Type.Boolean({ description: 'False opens it again' }) },
  { additionalProperties: false }
)
