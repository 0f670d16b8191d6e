import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { Verdict } from './rehearsal-schema.ts'

const of = Type.Enum(['then', 'now'], {
  description:
    'then: what the run did. now: what the draft did, when it was kept, with what the run began with'
})

export const Keep = Type.Object(
  {
    run_id: Type.String({ description: 'A run of this flow that succeeded or failed' }),
    of: Type.Optional(of),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'What it is called' }))
  },
  { additionalProperties: false }
)

export const Expectation = Type.Object({
  id: Type.String(),
  name: Type.String(),
  run_id: Type.String({ description: 'The run that it was kept of, which may be gone' }),
  of,
  author: Nullable(Type.String({ description: 'The name of the key that kept it' })),
  created_at: Time
})

const Checked = Type.Object({
  ...Expectation.properties,
  verdict: Verdict,
  node: Nullable(Type.String({ description: 'Where it begins to be something else' })),
  was: Type.Unknown({ description: 'What that node is expected to give' }),
  is: Type.Unknown({ description: 'What it gives' }),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
})

export const Check = Type.Object({
  met: count({ description: 'So many come to what is expected' }),
  failing: count({ description: 'So many differ or fail: publishing asks' }),
  unknown: count({ description: 'So many reach outside with something else, so nobody knows' }),
  expectations: Type.Array(Checked)
})
