import fc from 'fast-check'
import type { Operation, Parameter } from '../routes.ts'
import { fitting, type Hints, meantBy, misfitting, type Schema } from './schema-values.ts'

/** A request to one operation. Where it says `{{kind:n}}`, the n-th thing of that kind is put in. */
export interface ApiRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined sends none; text goes as it is. */
  readonly body: string | undefined
  /** What is wrong with it; undefined where it fits the description. */
  readonly wrong: string | undefined
}

interface Parts {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body: string | undefined
}

/** Requests that fit the description of the operation. */
export function goodRequests(operation: Operation, hints: Hints): fc.Arbitrary<ApiRequest> {
  return partsOf(operation, hints).map((parts) => requestOf(operation, parts, undefined))
}

/** Requests with one thing in them that does not; undefined where there is nothing to get wrong. */
export function badRequests(operation: Operation, hints: Hints): fc.Arbitrary<ApiRequest> | undefined {
  const sound = partsOf(operation, hints)
  const parameters = (operation.description.parameters ?? []).flatMap((parameter) =>
    wrongTexts(parameter).map((wrong) =>
      fc.tuple(sound, wrong).map(([parts, text]) => {
        const { name, in: place } = parameter
        const changed = { ...parts[place], [name]: text }
        return requestOf(operation, { ...parts, [place]: changed }, `${place} ${name}`)
      })
    )
  )
  const bodies = wrongBodies(operation, hints).map((wrong) =>
    fc.tuple(sound, wrong).map(([parts, body]) => requestOf(operation, { ...parts, body }, 'body'))
  )
  return parameters.length + bodies.length === 0 ? undefined : fc.oneof(...parameters, ...bodies)
}

function partsOf(operation: Operation, hints: Hints): fc.Arbitrary<Parts> {
  const { parameters = [] } = operation.description
  const at = (place: string) => {
    const own = parameters.filter((parameter) => parameter.in === place)
    const model = Object.fromEntries(own.map((one) => [one.name, sentTexts(one, operation, hints)]))
    const requiredKeys = own.filter(({ required }) => required === true).map(({ name }) => name)
    return fc.record(model, { requiredKeys })
  }
  return fc.record({
    path: at('path'),
    query: at('query'),
    header: at('header'),
    body: bodiesOf(operation, hints)
  })
}

function sentTexts(parameter: Parameter, { path }: Operation, hints: Hints): fc.Arbitrary<string> {
  const { name, in: place, schema } = parameter
  const any = fitting(schema).map(String)
  if (place === 'header') return any.map((text) => text.replace(/[^\x21-\x7e]/g, 'x')).filter(isUsed)
  const blank = parameter.allowEmptyValue === true ? [fc.constant('')] : []
  const hint = meantBy(hints[place === 'path' ? (pathHint(path, name) ?? name) : name], schema)
  const meant = hint === undefined ? [] : [{ arbitrary: hint.map(String), weight: 5 }]
  return fc.oneof(...meant, place === 'path' ? any.filter(isSegment) : any, ...blank)
}

/** What an id in a path is the id of, such as `flows/{id}`. */
function pathHint(path: string, name: string): string | undefined {
  return new RegExp(`(\\w+/)\\{${name}\\}`).exec(path)?.[1]
}

const isUsed = (text: string) => text !== ''
/** What clients of HTTP do not resolve by themselves. */
const isSegment = (text: string) => !['', '.', '..'].includes(text) && text.isWellFormed()

const NEVER: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['yesterday', '2026-02-30T00:00:00Z'],
  date: ['yesterday', '2026-02-30', '2026-02-03T00:00:00Z']
}

function wrongTexts({ in: place, schema, required }: Parameter): fc.Arbitrary<string | undefined>[] {
  if (place === 'header') return []
  const isText = schema.type === 'string' || schema.enum?.every((one) => typeof one === 'string') === true
  const never = NEVER[schema.format ?? '']
  const asText = never === undefined ? undefined : fc.constantFrom(...never)
  const wrong = asText ?? (isText ? wrongPlainTexts(schema) : wrongNumbers(schema))
  const missing = place === 'query' && required === true ? [fc.constant(undefined)] : []
  return [...(wrong === undefined ? [] : [wrong]), ...missing]
}

function wrongPlainTexts(schema: Schema): fc.Arbitrary<string> | undefined {
  const wrong = misfitting(schema)
  const isWrittenSo = (value: unknown): value is string => typeof value === 'string' && value !== ''
  const canBe = schema.maxLength !== undefined || schema.enum !== undefined || schema.pattern !== undefined
  return wrong === undefined || !canBe ? undefined : wrong.filter(isWrittenSo)
}

function wrongNumbers({ minimum, maximum }: Schema): fc.Arbitrary<string> {
  return fc.constantFrom('x', '1.5', 'true', '0x1', `${minimum! - 1}`, `${maximum! + 1}`)
}

function schemaOf({ description }: Operation): Schema | undefined {
  return description.requestBody?.content['application/json']?.schema
}

function bodiesOf(operation: Operation, hints: Hints): fc.Arbitrary<string | undefined> {
  const schema = schemaOf(operation)
  if (schema === undefined) return fc.constant(undefined)
  const written = fitting(schema, hints).map((value) => JSON.stringify(value))
  return operation.description.requestBody?.required === true
    ? written
    : fc.option(written, { nil: undefined })
}

function wrongBodies(operation: Operation, hints: Hints): fc.Arbitrary<string | undefined>[] {
  const schema = schemaOf(operation)
  const wrong = schema === undefined ? undefined : misfitting(schema, hints)
  // What takes any value takes any bytes too.
  if (wrong === undefined) return []
  const written = wrong.map((value) => JSON.stringify(value))
  const unreadable = fc.constantFrom('{', '{"a":1}}', 'text', '\u0000')
  const none = operation.description.requestBody?.required === true ? [fc.constant(undefined)] : []
  return [written, written, written, unreadable, ...none]
}

function requestOf({ path }: Operation, parts: Parts, wrong: string | undefined): ApiRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(String(parts.path[name])))
  const query = Object.entries(parts.query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encoded(String(value))}`]
  )
  return {
    path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: parts.header as Record<string, string>,
    body: parts.body,
    wrong
  }
}

/** Marks of things to be put in stay as they are. */
function encoded(text: string): string {
  return /^\{\{\w+:\d+\}\}$/.test(text) ? text : encodeURIComponent(text.toWellFormed())
}
