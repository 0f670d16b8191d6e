import type { ApiBody, ShortSchema, ValueStyle } from '../../flows/step/api-operation.ts'
import { isObject, type JsonObject, member, shortened, textOf } from './document-fault.ts'
import { collectionStyle, type OperationReading } from './read-parameters.ts'
import { listOf } from './short-schema.ts'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i
const MULTIPART = 'multipart/form-data'
const FORM = 'application/x-www-form-urlencoded'
const MOST_WORDS = 600
const LONGEST_TYPE = 100

/** What comes first of several. */
const PREFERRED: readonly ((type: string) => boolean)[] = [
  (type) => type === 'application/json',
  (type) => JSON_TYPE.test(type),
  (type) => type === MULTIPART,
  (type) => type === FORM,
  () => true
]

/** What OpenAPI 3 says of the body of an operation; null where it takes none. */
export function readBody(given: unknown, reading: OperationReading): ApiBody | null {
  const { references, schemas } = reading
  const value = references.valueOf(given)
  const content = member(value, 'content')
  const type = preferred(isObject(content) ? Object.keys(content) : [])
  if (type === undefined) return null
  const media = references.valueOf(member(content, type))
  const encoding = encodingOf(member(media, 'encoding'))
  return {
    required: member(value, 'required') === true,
    content_type: type === '*/*' ? 'application/octet-stream' : type,
    description: shortened(member(value, 'description'), MOST_WORDS),
    schema: schemas.read({ value: member(media, 'schema'), by: [] }, reading),
    ...(encoding !== undefined && { encoding })
  }
}

function preferred(types: readonly string[]): string | undefined {
  const short = types.filter((type) => type.length <= LONGEST_TYPE && type.includes('/'))
  return PREFERRED.flatMap((isIt) => short.find((type) => isIt(type.toLowerCase())) ?? [])[0]
}

function encodingOf(given: unknown): Readonly<Record<string, ValueStyle>> | undefined {
  if (!isObject(given)) return undefined
  const written = Object.entries(given)
    .slice(0, 500)
    .flatMap(([name, one]) => {
      const explode = member(one, 'explode') !== false
      const style = LIST_STYLES.find((known) => known === member(one, 'style')) ?? 'form'
      return unusual(name, { style, explode })
    })
  return written.length === 0 ? undefined : Object.fromEntries(written)
}

/** Where nothing is said a list repeats its name. */
function unusual(name: string, style: ValueStyle): (readonly [name: string, style: ValueStyle])[] {
  return style.style === 'form' && style.explode ? [] : [[name, style]]
}

const LIST_STYLES: readonly ValueStyle['style'][] = ['deepObject', 'spaceDelimited', 'pipeDelimited']

/** The same of Swagger 2, where the body and the members of a form are parameters. */
export function readSwaggerBody(
  given: readonly JsonObject[],
  consumes: unknown,
  reading: OperationReading
): ApiBody | null {
  const types = listOf(consumes).map(textOf)
  const body = given.find((one) => one.in === 'body')
  if (body !== undefined)
    return {
      required: body.required === true,
      content_type: preferred(types) ?? 'application/json',
      description: shortened(body.description, MOST_WORDS),
      schema: reading.schemas.read({ value: body.schema, by: [] }, reading)
    }
  const members = given.filter((one) => one.in === 'formData')
  if (members.length === 0) return null
  const lists = members.filter(({ type }) => type === 'array')
  const written = lists.flatMap((one) => unusual(textOf(one.name), collectionStyle(one)))
  const isMultipart = types.includes(MULTIPART) || members.some(({ type }) => type === 'file')
  return {
    required: members.some(({ required }) => required === true),
    content_type: isMultipart ? MULTIPART : FORM,
    description: '',
    schema: formSchema(members, reading),
    ...(!isMultipart && written.length > 0 && { encoding: Object.fromEntries(written) })
  }
}

function formSchema(members: readonly JsonObject[], reading: OperationReading): ShortSchema {
  const required = members.filter((one) => one.required === true).map(({ name }) => textOf(name))
  const properties = members.map((one) => {
    const { required: _, ...schema } = reading.schemas.read({ value: one, by: [] }, reading)
    return [textOf(one.name), one.type === 'file' ? { ...schema, format: 'binary' } : schema] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required })
  }
}
