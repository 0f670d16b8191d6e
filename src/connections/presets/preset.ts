import type { Static } from 'typebox'
import { WEB_ADDRESS } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'

const line = () => Type.String({ minLength: 1, maxLength: 300 })
const link = () => Type.String({ pattern: WEB_ADDRESS.replace('https?', 'https'), maxLength: 300 })
const strict = { additionalProperties: false }

/** The request that shows whether the service lets us in; it changes nothing. */
const Trial = Type.Object(
  {
    method: Type.Enum(['GET', 'POST']),
    path: Type.String({ pattern: '^(?:/[^\\s]*)?$', description: 'Behind the base URL' }),
    body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    statuses: Type.Optional(
      Type.Array(Type.Integer({ minimum: 200, maximum: 499 }), {
        description: 'Those that prove it; any below 400 where this is left out'
      })
    ),
    ok: Type.Optional(
      Type.Object(
        {
          field: Type.String({ description: 'Path of a member of the answer' }),
          is: Type.Optional(
            Type.Unknown({ description: 'What it has to be; anything where this is left out' })
          )
        },
        { ...strict, description: 'For services that answer 200 to everything' }
      )
    )
  },
  strict
)

/** How a service is connected to: data, of which a form is filled in and a node is made. */
export const Preset = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9-]{1,60}$' }),
    name: line(),
    category: line(),
    keywords: Type.Array(line()),
    picture: Type.Object(
      {
        letters: Type.String({ minLength: 1, maxLength: 2 }),
        colour: Type.String({ pattern: '^#[0-9a-f]{6}$', description: 'White letters stand on it' })
      },
      strict
    ),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of a connection of the kind http, as far as they are the same for everybody'
    }),
    base_url_example: Type.Optional(link()),
    secrets: Type.Record(Type.String(), line(), {
      description: 'What each secret is called there, by its name'
    }),
    scopes: Type.Array(line(), { description: 'What the key has to be allowed for the usual' }),
    allows: Type.Optional(
      Type.Record(Type.String(), line(), { description: 'What each of them lets flows do, by the scope' })
    ),
    key: Type.Object({ url: link(), text: line() }, { ...strict, description: 'Where to get it, and how' }),
    try: Trial,
    request: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Fields of an API Request to begin with'
    }),
    docs: link()
  },
  strict
)

export type Preset = Static<typeof Preset>
