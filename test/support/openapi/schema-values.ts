import fc from 'fast-check'
import { compileSchema } from '../../../src/components/schema/compile-schema.ts'
import { atOnce } from '../../../src/flows/in-turns.ts'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import { anyText } from '../any-text.ts'

/** As much of JSON Schema as the description of the API uses for what it takes. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Values that mean something to the service, by the name of the member they are sent as. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>

type Values = fc.Arbitrary<unknown>

type Fits = (value: unknown) => boolean

/** The same schema stands at many places of the description. */
const compiled = new WeakMap<Schema, Fits>()

/** Whether a value fits: judged by what no route of the service is checked with. */
export function fitsSchema(schema: Schema): Fits {
  const known = compiled.get(schema) ?? compiledFits(schema)
  compiled.set(schema, known)
  return known
}

function compiledFits(schema: Schema): Fits {
  const { judge } = compileSchema(schema as JsonValue)
  return (value) => atOnce(judge(value)).length === 0
}

/** Values that fit. */
export function fitting(schema: Schema, hints: Hints = {}): Values {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => fitting(one, hints)))
  switch (schema.type) {
    case 'object':
      return objects(schema, hints)
    case 'array':
      return arrays(schema, hints)
    case 'string':
      return texts(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum!, max: schema.maximum! })
    case 'number':
      return fc.double({ min: schema.minimum!, max: schema.maximum!, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objects(schema: Schema, hints: Hints): Values {
  const { properties = {}, required = [], additionalProperties = {}, patternProperties = {} } = schema
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, member(name, property, hints)])
  )
  const known = fc.record(model, { requiredKeys: [...required] })
  const [pattern, values] = Object.entries(patternProperties)[0] ?? []
  const isOpen = pattern !== undefined || additionalProperties !== false
  if (!isOpen) return known
  const names = pattern === undefined ? fc.string() : fc.stringMatching(new RegExp(pattern))
  const others = values ?? (additionalProperties === true ? {} : (additionalProperties as Schema))
  const free = names.filter((name) => !Object.hasOwn(properties, name))
  return fc
    .tuple(known, fc.dictionary(free, fitting(others, hints), { maxKeys: 3 }))
    .map(([own, more]) => ({ ...more, ...own }))
}

function member(name: string, schema: Schema, hints: Hints): Values {
  const any = fitting(schema, hints)
  const meant = meantBy(hints[name], schema)
  if (meant === undefined) return any
  return fc.oneof({ arbitrary: meant, weight: 3 }, { arbitrary: any, weight: 1 })
}

/** Those of the hint that fit; undefined where none does: the same name may mean something else elsewhere. */
export function meantBy(hint: Values | undefined, schema: Schema): Values | undefined {
  const fits = fitsSchema(schema)
  return hint !== undefined && fc.sample(hint, 30).some(fits) ? hint.filter(fits) : undefined
}

function arrays({ items = {}, minItems = 0, maxItems = 3, uniqueItems }: Schema, hints: Hints): Values {
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) }
  const item = fitting(items, hints)
  if (uniqueItems !== true) return fc.array(item, bounds)
  return fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
}

const LONGEST = 20_000

function texts(schema: Schema): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  if (format === 'date-time') return times()
  if (format === 'date') return days()
  const some = anyText({ minLength, maxLength: Math.min(maxLength, 30) })
  const plain = maxLength > LONGEST ? some : fc.oneof(some, fc.constant('x'.repeat(maxLength)))
  if (pattern === undefined) return plain
  // Patterns of the description are JavaScript's. RE2, by which the schemas of flows are judged, takes \r for any other character.
  const written = new RegExp(pattern, 'u')
  const fits = fitsSchema(schema)
  const matching = fc.oneof(fc.stringMatching(written), plain)
  return matching.filter((text) => written.test(text) && fits(text))
}

const SPAN = { min: new Date('1970-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z') }

function days(): fc.Arbitrary<string> {
  return fc.date({ ...SPAN, noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
}

function times(): fc.Arbitrary<string> {
  const zones = fc.constantFrom('Z', '+00:00', '-23:59', '+05:30', 'z')
  return fc
    .tuple(fc.date({ ...SPAN, noInvalidDate: true }), zones)
    .map(([date, zone]) => date.toISOString().replace('Z', zone))
}

/** Values with one thing wrong; undefined where none can be wrong. */
export function misfitting(schema: Schema, hints: Hints = {}): Values | undefined {
  const candidates = [...wrongKinds(schema), ...wrongParts(schema, hints)]
  return candidates.length === 0 ? undefined : fc.oneof(...candidates)
}

const KINDS = [null, true, 7, 1.5, -1, 'some text', '', [], [1], {}, { a: 1 }]

function wrongKinds(schema: Schema): Values[] {
  const fits = fitsSchema(schema)
  const { minimum, maximum, minLength, maxLength } = schema
  const edges = [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum * 2]),
    ...(minLength === undefined || minLength === 0 ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined || maxLength > LONGEST ? [] : ['x'.repeat(maxLength + 1)])
  ]
  const wrong = [...KINDS, ...edges].filter((value) => !fits(value))
  return wrong.length === 0 ? [] : [fc.constantFrom(...wrong)]
}

function wrongParts(schema: Schema, hints: Hints): Values[] {
  const { anyOf, type } = schema
  const parts =
    anyOf?.flatMap((one) => wrongParts(one, hints)) ??
    (type === 'object' ? wrongMembers(schema, hints) : type === 'array' ? wrongItems(schema, hints) : [])
  const fits = fitsSchema(schema)
  // What is wrong for one of several may be right for another.
  return anyOf === undefined ? parts : parts.map((part) => part.filter((value) => !fits(value)))
}

function wrongMembers(schema: Schema, hints: Hints): Values[] {
  const { properties = {}, required = [], additionalProperties } = schema
  const sound = fitting(schema, hints) as fc.Arbitrary<Record<string, unknown>>
  const without = required.map((name) =>
    sound.map(({ [name]: _, ...others }): Record<string, unknown> => others)
  )
  const unknown =
    additionalProperties === false ? [sound.map((value) => ({ ...value, 'no such member': 1 }))] : []
  const broken = Object.entries(properties).flatMap(([name, property]) => {
    const wrong = misfitting(property, hints)
    if (wrong === undefined) return []
    return [fc.tuple(sound, wrong).map(([value, part]) => ({ ...value, [name]: part }))]
  })
  return [...without, ...unknown, ...broken, ...wrongOthers(additionalProperties, sound, hints)]
}

function wrongOthers(others: Schema['additionalProperties'], sound: Values, hints: Hints): Values[] {
  const wrong = typeof others === 'object' ? misfitting(others, hints) : undefined
  if (wrong === undefined) return []
  return [fc.tuple(sound, wrong).map(([value, part]) => ({ ...(value as object), another: part }))]
}

/** Longer lists take long to make and to send. */
const MOST_ITEMS = 600

function wrongItems(schema: Schema, hints: Hints): Values[] {
  const { items = {}, minItems = 0, maxItems = MOST_ITEMS, uniqueItems } = schema
  const sound = fitting(items, hints)
  const wrong = misfitting(items, hints)
  return [
    ...(minItems > 0 ? [fc.array(sound, { maxLength: minItems - 1 })] : []),
    ...(maxItems < MOST_ITEMS ? [sound.map((item) => Array.from({ length: maxItems + 1 }, () => item))] : []),
    ...(uniqueItems === true ? [sound.map((item) => [item, item])] : []),
    ...(wrong === undefined ? [] : [wrong.map((item) => [item])])
  ]
}
