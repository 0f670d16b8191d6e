import { amount } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

export const Setting = Type.Object({
  name: Type.String({ description: 'The variable that sets it' }),
  value: Nullable(
    Type.Union([amount(), Type.String(), Type.Array(Type.String())], {
      description: 'Null is no limit, or none. Sizes are in bytes'
    })
  ),
  default: Type.Boolean({ description: 'It is as it comes' })
})
