import type { Static } from 'typebox'
import { amount, count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

/* What an agent said and called, as the API shows it; see run-shape.ts. */

const Call = Type.Object({
  index: count({ description: 'Its place among all that the agent asked' }),
  name: Type.String(),
  arguments: Type.Unknown(),
  status: Type.Enum(['open', 'succeeded', 'failed', 'cancelled']),
  result: Type.Optional(Type.Unknown({ description: 'As the model was told of it' })),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  run_id: Type.Optional(Type.String({ description: 'The run of the call; absent where nothing was called' })),
  duration_ms: Type.Optional(Nullable(amount()))
})

const Turn = Type.Object({
  index: count(),
  run_id: Type.String(),
  thought: Type.Optional(Type.String()),
  text: Type.String(),
  calls: Type.Array(Call),
  usage: Type.Object(
    {
      connection: Type.String(),
      model: Type.String(),
      input_tokens: amount(),
      cached_tokens: amount(),
      output_tokens: amount(),
      cost: Type.Optional(Nullable(amount({ description: 'Null where no price of the model is known' }))),
      finish: Type.String()
    },
    { additionalProperties: true }
  ),
  duration_ms: Nullable(amount())
})

export const Conversation = Type.Object({
  turns: Type.Array(Turn),
  next: Nullable(count({ description: 'Send it as from, for those that follow; null at the end' }))
})

export type Conversation = Static<typeof Conversation>
