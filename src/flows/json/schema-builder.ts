import type { Type as TypeBox } from 'typebox'

type Schema = Readonly<Record<string, unknown>>
type Options = Schema

const OPTIONAL = '~optional'

const ofType = (type: string) => (options?: Options) => ({ type, ...options })

const builders = {
  String: ofType('string'),
  Number: ofType('number'),
  Integer: ofType('integer'),
  Boolean: ofType('boolean'),
  Null: ofType('null'),
  Unknown: (options?: Options) => ({ ...options }),
  Literal: (value: string | number | boolean, options?: Options) => ({
    type: typeof value,
    const: value,
    ...options
  }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Array: (items: Schema, options?: Options) => ({ type: 'array', items, ...options }),
  Object: (properties: Readonly<Record<string, Schema>>, options?: Options) => {
    const required = Object.keys(properties).filter((name) => !(OPTIONAL in properties[name]!))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Record: (key: Schema, value: Schema, options?: Options) => ({
    type: 'object',
    patternProperties: { [String(key.pattern ?? '^.*$')]: value },
    ...options
  }),
  Union: (anyOf: readonly Schema[], options?: Options) => ({ anyOf, ...options }),
  Intersect: (allOf: readonly Schema[], options?: Options) => ({ allOf, ...options }),
  /** Not seen in the schema itself, but by the object whose property it is. */
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true })
}

/**
 * Builds schemas as TypeBox does, with its types, of the few kinds that are used here. TypeBox's own builder is 300
 * files, of which a schema needs one: to load them took a fifth of every start and 8 MB.
 */
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>
