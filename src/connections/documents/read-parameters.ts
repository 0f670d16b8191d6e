import { MESSAGE_HEADERS } from '../../flows/message-headers.ts'
import type { ApiParameter, ParameterPlace, ValueStyle } from '../../flows/step/api-operation.ts'
import { type JsonObject, member, shortened, textOf } from './document-fault.ts'
import { listOf, type SchemaReading, type ShortSchemas } from './short-schema.ts'

export interface OperationReading extends SchemaReading {
  readonly document: JsonObject
  readonly schemas: ShortSchemas
  readonly isSwagger: boolean
}

const PLACES: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie']
const MOST_PARAMETERS = 200
const LONGEST_NAME = 200
const MOST_WORDS = 600
/** They are said elsewhere: by what is sent, and by the connection (OpenAPI 3.1, 4.8.12). */
const NOT_PARAMETERS = ['accept', 'content-type', 'authorization', ...MESSAGE_HEADERS]

const STYLES: Readonly<Record<ParameterPlace, readonly ApiParameter['style'][]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form']
}

/** Swagger 2. */
const COLLECTIONS: Readonly<Record<string, ValueStyle>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  tsv: { style: 'tabDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true }
}

/** All that are given for an operation, its own after those of its path; what is no object is none. */
export function givenParameters(
  { references }: Pick<OperationReading, 'references'>,
  ...lists: readonly unknown[]
): JsonObject[] {
  const found = new Map<string, JsonObject>()
  for (const one of lists.flatMap((list) => listOf(list).slice(0, MOST_PARAMETERS * 2))) {
    const value = references.valueOf(one)
    const [name, place] = [textOf(member(value, 'name')), textOf(member(value, 'in'))]
    if (name !== '' && name.length <= LONGEST_NAME) found.set(`${place} ${name}`, value as JsonObject)
  }
  return [...found.values()].slice(0, MOST_PARAMETERS)
}

export function readParameters(given: readonly JsonObject[], path: string, reading: OperationReading) {
  const sent = given.filter(isParameter)
  const named = PLACES.flatMap((place) => sent.filter((one) => one.in === place))
  const inPath = pathNames(path)
  // A document that forgets one of them still has it in its path.
  const told = new Set(named.flatMap((one) => (one.in === 'path' ? [one.name] : [])))
  const untold = inPath.filter((name) => !told.has(name)).map((name) => ({ name, in: 'path' }))
  const all = [...untold, ...named.filter((one) => one.in !== 'path' || inPath.includes(textOf(one.name)))]
  const names = new Set<string>()
  return all.map((one) => {
    const parameter = readParameter(one, reading)
    const { name } = parameter
    if (!names.has(name)) {
      names.add(name)
      return parameter
    }
    names.add(`${parameter.in}.${name}`)
    return { ...parameter, name: `${parameter.in}.${name}`, sent_as: name }
  })
}

/** The names between the braces of a path. */
function pathNames(path: string): string[] {
  return [...new Set([...path.matchAll(/\{([^{}/]{1,200})\}/g)].map(([, name]) => name!))]
}

function isParameter(one: JsonObject): boolean {
  if (!PLACES.includes(one.in as ParameterPlace)) return false
  return one.in !== 'header' || !NOT_PARAMETERS.includes(textOf(one.name).toLowerCase())
}

function readParameter(one: JsonObject, reading: OperationReading): ApiParameter {
  const place = one.in as ParameterPlace
  const [contentSchema] = contentOf(one)
  const schema = reading.isSwagger ? one : (contentSchema ?? one.schema)
  const short = reading.schemas.read({ value: schema, by: [] }, reading)
  // Swagger 2 writes both in the same place.
  const { description: _, required: __, ...said } = short
  return {
    name: textOf(one.name),
    in: place,
    required: place === 'path' || one.required === true,
    description: shortened(one.description, MOST_WORDS) || (short.description ?? ''),
    ...(contentSchema === undefined ? styleOf(one, place, reading) : { style: 'json', explode: false }),
    ...(one.allowReserved === true && { allow_reserved: true as const }),
    schema: reading.isSwagger ? said : short
  }
}

/** A parameter that is a value of a media type; only JSON is such a value. */
function contentOf({ content }: JsonObject): unknown[] {
  const [type] = Object.keys((content as object | null) ?? {})
  return type === undefined ? [] : [member(member(content, type), 'schema') ?? {}]
}

/** How Swagger 2 writes a list in a query or a form. */
export function collectionStyle({ collectionFormat }: JsonObject): ValueStyle {
  return COLLECTIONS[textOf(collectionFormat)] ?? COLLECTIONS.csv!
}

function styleOf(one: JsonObject, place: ParameterPlace, { isSwagger }: OperationReading): ValueStyle {
  if (isSwagger && place === 'query') return collectionStyle(one)
  const style = STYLES[place].find((known) => known === one.style) ?? STYLES[place][0]!
  return { style, explode: typeof one.explode === 'boolean' ? one.explode : style === 'form' }
}
