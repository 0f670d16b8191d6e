import { REGISTRATION_KINDS } from '../../contexts/registration.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

/** What the API tells of contexts. */

const Kind = Type.Enum(REGISTRATION_KINDS)
const Source = Nullable(Type.String({ description: 'File and line of the call, where they are known' }))

const Registered = Type.Object({
  kind: Kind,
  name: Type.String(),
  context: Type.String({ description: 'Path of the context that it is registered in' }),
  owner: Type.String({ description: 'The plugin that registered it' }),
  source: Source,
  value: Type.Optional(Type.Unknown({ description: 'Of a variable' }))
})

export const Context = Type.Object({
  path: Type.String(),
  name: Type.String(),
  parent: Nullable(Type.String()),
  kind: Type.Enum(['code', 'data']),
  id: Nullable(Type.String({ description: 'Of a context that was made by the API' })),
  owner: Type.String(),
  source: Source,
  registers: Type.Array(Registered),
  sees: Type.Array(Type.Object({ ...Registered.properties, inherited_from: Nullable(Type.String()) })),
  flows: Type.Array(Type.Object({ id: Type.String(), slug: Type.String() })),
  variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  default_auth: Type.Optional(Nullable(Type.String())),
  limits: Type.Optional(Type.Record(Type.String(), count()))
})

const place = {
  registered_in: Type.String(),
  registered_by: Type.String(),
  source: Source
}
const asked = { context: Type.String(), kind: Kind, name: Type.String(), explanation: Type.String() }

export const Explanation = Type.Union([
  Type.Object({
    visible: Type.Literal(true),
    ...asked,
    inherited_from: Nullable(Type.String()),
    ...place
  }),
  Type.Object({
    visible: Type.Literal(false),
    ...asked,
    because: Type.Enum(['descendant', 'sibling', 'unknown']),
    elsewhere: Type.Array(Type.Object(place)),
    remedy: Type.String()
  })
])
