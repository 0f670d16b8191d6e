import type { ShortSchema } from '../../flows/step/api-operation.ts'
import { isObject, type JsonObject, member, shortened, textOf } from './document-fault.ts'
import type { Reached, References } from './references.ts'

/** What may still be read of schemas, for one operation and for the whole document. */
interface Budget {
  left: number
}

export interface SchemaReading {
  readonly references: References
  readonly budget: Budget
  readonly deepest: number
}

type OwnFacts = Omit<ShortSchema, 'properties' | 'required' | 'items' | 'any_of'>

/** The names of the members that are sent, and of those that only answers have. */
interface MemberNames {
  readonly sent: readonly string[]
  readonly answered: ReadonlySet<string>
}

/** A schema, or one of those that all hold together; what one asks for, another may say that only answers have it. */
interface SchemaPart {
  readonly schema: ShortSchema
  readonly answered: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const NOTHING: SchemaPart = { schema: {}, answered: NONE }

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const
const MOST_WORDS = 400
const MOST_CHOICES = 200
const MOST_WAYS = 5
const MOST_PARTS = 20
const MOST_REQUIRED = 500
const LONGEST_NAME = 200

/**
 * Schemas with their references followed, their parts joined, and what lies too deep left open. Members that only answers have are left
 * out: all that is read here is sent.
 */
export class ShortSchemas {
  /** What a schema says of itself, and the names of its members, are the same wherever it is named. */
  readonly #facts = new WeakMap<JsonObject, OwnFacts>()
  readonly #names = new WeakMap<JsonObject, MemberNames>()

  read(from: Reached, reading: SchemaReading, depth = 0): ShortSchema {
    return this.#read(from, reading, depth).schema
  }

  #read(from: Reached, reading: SchemaReading, depth: number): SchemaPart {
    if (reading.budget.left <= 0) return NOTHING
    reading.budget.left--
    const { value, by } = reading.references.follow(from)
    if (!isObject(value)) return NOTHING
    const own = this.#readOwn(value, by, { reading, depth })
    const parts = listOf(value.allOf).slice(0, MOST_PARTS)
    if (parts.length === 0) return own
    return [...parts.map((part) => this.#read({ value: part, by }, reading, depth)), own].reduce(joined)
  }

  #readOwn(
    schema: JsonObject,
    by: readonly string[],
    { reading, depth }: { readonly reading: SchemaReading; readonly depth: number }
  ): SchemaPart {
    const facts = this.#factsOf(schema)
    if (depth >= reading.deepest) return { schema: facts, answered: NONE }
    const inner = (value: unknown) => this.read({ value, by }, reading, depth + 1)
    const ways = waysOf(schema)
    const names = this.#namesOf(schema, reading)
    const read = {
      ...facts,
      ...membersOf(schema, names, { reading, inner }),
      ...(isObject(schema.items) && { items: inner(schema.items) }),
      ...(ways.length > 0 && { any_of: ways.map(inner) })
    }
    return { schema: read, answered: names.answered }
  }

  /** All of them are looked at, and once for each schema: it may have a hundred thousand, and ten thousand operations name it. */
  #namesOf(schema: JsonObject, { references }: SchemaReading): MemberNames {
    const known = this.#names.get(schema)
    if (known !== undefined) return known
    const { properties } = schema
    const all = isObject(properties)
      ? Object.keys(properties).filter(({ length }) => length <= LONGEST_NAME)
      : []
    const isAnswered = (name: string) =>
      member(references.valueOf(member(properties, name)), 'readOnly') === true
    const answered = new Set(all.filter(isAnswered))
    const names = { sent: all.filter((name) => !answered.has(name)), answered }
    this.#names.set(schema, names)
    return names
  }

  #factsOf(schema: JsonObject): OwnFacts {
    const known = this.#facts.get(schema)
    if (known !== undefined) return known
    const type = typeOf(schema)
    const facts = {
      ...(type !== undefined && { type }),
      ...(isNullable(schema) && { nullable: true as const }),
      ...words('format', schema.format, 50),
      ...words('title', schema.title, 100),
      ...words('description', schema.description, MOST_WORDS),
      ...choicesOf(schema),
      ...plain('default', schema.default),
      ...plain('example', schema.example ?? listOf(schema.examples)[0])
    }
    this.#facts.set(schema, facts)
    return facts
  }
}

function typeOf({ type, properties, items }: JsonObject): ShortSchema['type'] {
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  // Of Swagger 2.
  if (named === 'file') return 'string'
  const known = TYPES.find((one) => one === named)
  if (known !== undefined || named !== undefined) return known
  if (isObject(properties)) return 'object'
  return items === undefined ? undefined : 'array'
}

function isNullable({ type, nullable }: JsonObject): boolean {
  return nullable === true || (Array.isArray(type) && type.includes('null'))
}

function waysOf({ oneOf, anyOf }: JsonObject): unknown[] {
  if (oneOf === undefined && anyOf === undefined) return []
  const ways = [...listOf(oneOf).slice(0, MOST_WAYS), ...listOf(anyOf).slice(0, MOST_WAYS)]
  return ways.filter((way) => member(way, 'type') !== 'null').slice(0, MOST_WAYS)
}

function words<Name extends string>(name: Name, value: unknown, most: number): { [name in Name]?: string } {
  const text = shortened(value, most)
  return (text === '' ? {} : { [name]: text }) as { [name in Name]?: string }
}

type Plain = string | number | boolean

function plain<Name extends string>(name: Name, value: unknown): { [name in Name]?: Plain } {
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || isShortText(value)
  return (isPlain ? { [name]: value } : {}) as { [name in Name]?: Plain }
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_WORDS
}

function choicesOf(schema: JsonObject): Pick<ShortSchema, 'enum'> {
  const given = Object.hasOwn(schema, 'const') ? [schema.const] : listOf(schema.enum)
  const isChoice = (value: unknown): value is Plain | null =>
    value === null || typeof value === 'number' || typeof value === 'boolean' || isShortText(value)
  const choices = given.slice(0, MOST_CHOICES).filter(isChoice)
  // Of a part nobody could tell what else is allowed.
  return choices.length === 0 || choices.length < given.length ? {} : { enum: choices }
}

function membersOf(
  { properties, required }: JsonObject,
  { sent, answered }: MemberNames,
  { reading, inner }: { readonly reading: SchemaReading; readonly inner: (schema: unknown) => ShortSchema }
): Pick<ShortSchema, 'properties' | 'required'> {
  const members: [string, ShortSchema][] = []
  for (const name of sent) {
    if (reading.budget.left <= 0) break
    members.push([name, inner(member(properties, name))])
  }
  const asked = [...new Set(listOf(required).slice(0, MOST_REQUIRED).map(textOf))].filter(
    (name) => name !== '' && name.length <= LONGEST_NAME && !answered.has(name)
  )
  return {
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(asked.length > 0 && { required: asked })
  }
}

/** What holds of both. */
function joined(one: SchemaPart, other: SchemaPart): SchemaPart {
  const properties = { ...one.schema.properties, ...other.schema.properties }
  const answered = new Set([...one.answered, ...other.answered])
  const required = new Set([...(one.schema.required ?? []), ...(other.schema.required ?? [])])
  const asked = [...required].filter((name) => !answered.has(name) || Object.hasOwn(properties, name))
  const { required: _one, ...facts } = one.schema
  const { required: _other, ...others } = other.schema
  const schema = {
    ...facts,
    ...others,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(asked.length > 0 && { required: asked })
  }
  return { schema, answered }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
