import {
  ExactNumber,
  isPlainObject,
  type JsonValue,
  parseJsonInTurns,
  type ShortSchema,
  StepError,
  type Turns,
  WorkMeter,
  writeJson
} from '../../../plugin-api.ts'

type SchemaType = NonNullable<ShortSchema['type']>

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const INTEGER = /^-?(?:0|[1-9]\d*)$/

/**
 * A value as the operation wants it: texts that templates made become the numbers, truth values, lists and objects that its schema
 * names. What fits, and of what nothing is said, stays as it is. Undefined where an empty text stands for no value.
 */
export function* fitValue(
  value: JsonValue,
  schema: ShortSchema,
  where: string,
  meter = new WorkMeter()
): Turns<JsonValue | undefined> {
  if (meter.isTurnOver(typeof value === 'string' ? value.length : 16)) yield
  const wanted = wantedOf(schema)
  if (wanted.length === 0 || value === null) return value
  const fitting = yield* fitKind(value, wanted, where)
  if (fitting === undefined || fitting === null) return fitting
  if (Array.isArray(fitting)) return yield* fitItems(fitting, schema, where, meter)
  return isPlainObject(fitting) ? yield* fitMembers(fitting, schema, where, meter) : fitting
}

function wantedOf({ type, any_of = [] }: ShortSchema): readonly SchemaType[] {
  if (type !== undefined) return [type]
  // One of them may be anything.
  return any_of.some((way) => way.type === undefined) ? [] : any_of.map((way) => way.type!)
}

function* fitKind(
  value: NonNullable<JsonValue>,
  wanted: readonly SchemaType[],
  where: string
): Turns<JsonValue | undefined> {
  if (wanted.some((type) => isOf(value, type))) return value
  if (typeof value === 'string') return yield* fitText(value, wanted, where)
  if (wanted.includes('array')) return [value]
  if (wanted.includes('string')) return isPlainObject(value) && !isNumber(value) ? value : writeJson(value)
  // Whoever is asked knows better than a document that may be wrong.
  return value
}

function isOf(value: NonNullable<JsonValue>, type: SchemaType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isPlainObject(value)
  if (type === 'integer' || type === 'number') return isNumber(value)
  return typeof value === type
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

function* fitText(text: string, wanted: readonly SchemaType[], where: string): Turns<JsonValue | undefined> {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (wanted.includes('number') ? NUMBER.test(trimmed) : wanted.includes('integer') && INTEGER.test(trimmed))
    return yield* parseJsonInTurns(trimmed)
  if (wanted.includes('boolean') && /^(?:true|false)$/i.test(trimmed)) return /^true$/i.test(trimmed)
  if (wanted.includes('array')) return trimmed.startsWith('[') ? yield* parsed(trimmed, where) : [text]
  if (wanted.includes('object') && trimmed.startsWith('{')) return yield* parsed(trimmed, where)
  throw new StepError(
    `${where} has to be ${wanted.map((type) => NAMES[type]).join(' or ')}, and is the text ${JSON.stringify(trimmed.slice(0, 100))}. Check what the template gives.`,
    { code: 'parameter_invalid', retryable: false }
  )
}

const NAMES: Readonly<Record<SchemaType, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object'
}

function* parsed(text: string, where: string): Turns<JsonValue> {
  try {
    return yield* parseJsonInTurns(text)
  } catch (error) {
    throw new StepError(`${where} begins as JSON and is none: ${(error as Error).message}.`, {
      code: 'parameter_invalid',
      retryable: false
    })
  }
}

function* fitItems(
  items: readonly JsonValue[],
  { items: schema }: ShortSchema,
  where: string,
  meter: WorkMeter
): Turns<JsonValue> {
  if (schema === undefined) return [...items]
  const fitted: JsonValue[] = []
  for (const [at, item] of items.entries())
    fitted.push((yield* fitValue(item, schema, `${where}[${at}]`, meter)) ?? null)
  return fitted
}

function* fitMembers(
  members: { readonly [name: string]: JsonValue },
  { properties }: ShortSchema,
  where: string,
  meter: WorkMeter
): Turns<JsonValue> {
  if (properties === undefined) return members
  const fitted: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(members)) {
    const schema = Object.hasOwn(properties, name) ? properties[name]! : {}
    const fit = yield* fitValue(value, schema, `${where}.${name}`, meter)
    if (fit !== undefined) fitted.push([name, fit])
  }
  // Not assigned one by one: a key may be called __proto__.
  return Object.fromEntries(fitted)
}
