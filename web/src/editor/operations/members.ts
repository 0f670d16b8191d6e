import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { ApiBody, ApiParameter, ShortSchema } from '../../../../src/flows/step/api-operation.ts'

/** A value that an operation takes by a name. */
export interface Member {
  readonly name: string
  /** In a word or two. */
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly placeholder: string
}

interface Taking {
  readonly parameters: readonly ApiParameter[]
  readonly body: ApiBody | null
}

/** What is needed first; otherwise as the document has them. */
export function membersOfParameters({ parameters }: Pick<Taking, 'parameters'>): Member[] {
  return neededFirst(
    parameters.map(({ name, required, description, schema }) =>
      memberOf({ name, isRequired: required, schema, description })
    )
  )
}

/** Of a body that is an object; none where it is anything else. */
export function membersOfBody({ body }: Pick<Taking, 'body'>): Member[] {
  const { properties = {}, required = [] } = body?.schema ?? {}
  return neededFirst(
    Object.entries(properties).map(([name, schema]) =>
      memberOf({ name, isRequired: required.includes(name), schema, description: schema.description ?? '' })
    )
  )
}

function neededFirst(members: readonly Member[]): Member[] {
  return members.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

interface Named {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: ShortSchema
  readonly description: string
}

function memberOf({ name, isRequired, schema, description }: Named): Member {
  const choices = schema.enum === undefined ? '' : `One of ${schema.enum.map(String).join(', ')}.`
  const shown = schema.default ?? schema.example ?? schema.enum?.[0]
  return {
    name,
    isRequired,
    type: typeWords(schema),
    description: [description, choices].filter((part) => part !== '').join(' '),
    placeholder: shown === undefined || shown === null ? '' : String(shown)
  }
}

function typeWords({ type, format, items, any_of = [] }: ShortSchema): string {
  if (type === 'array') return items?.type === undefined ? 'list' : `list of ${TYPES[items.type]}`
  if (type === undefined) return [...new Set(any_of.map((way) => typeWords(way)))].slice(0, 3).join(' or ')
  return format === undefined || type !== 'string' ? TYPES[type] : format
}

const TYPES: Readonly<Record<NonNullable<ShortSchema['type']>, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
  object: 'object'
}

/** The object with another value by this name, or without it; null where nothing is left. */
export function withMember(
  given: { readonly [name: string]: JsonValue },
  name: string,
  value: JsonValue
): JsonValue {
  const isGone = value === null || value === ''
  const isThere = Object.hasOwn(given, name)
  const kept = Object.entries(given).flatMap(([known, one]) => {
    if (known !== name) return [[known, one] as const]
    return isGone ? [] : [[known, value] as const]
  })
  const members = isGone || isThere ? kept : [...kept, [name, value] as const]
  // Not assigned one by one: a key may be called __proto__.
  return members.length === 0 ? null : Object.fromEntries(members)
}
