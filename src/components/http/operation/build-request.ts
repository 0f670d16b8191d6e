import {
  type ApiOperation,
  type ApiParameter,
  didYouMean,
  type JsonValue,
  StepError,
  TextTooLong,
  type Turns
} from '../../../plugin-api.ts'
import { checkHeader, type Headers } from '../build-headers.ts'
import { LONGEST_URL } from '../build-url.ts'
import { fitValue } from './fit-value.ts'
import { encodeReserved, writeAsPairs, writeInHeader, writeInPath } from './write-parameter.ts'

interface BuiltRequest {
  /** Below the base URL of the connection. */
  readonly url: string
  readonly headers: Headers
}

type Values = { readonly [name: string]: JsonValue }

interface Given {
  readonly parameter: ApiParameter
  readonly value: JsonValue
}

/** Where the request goes and what its headers say, by the parameters of the node. Throws before anything is sent. */
export function* buildOperationRequest(operation: ApiOperation, values: Values): Turns<BuiltRequest> {
  assertKnown(operation, Object.keys(values))
  const given = yield* givenValues(operation, values)
  const headers: Headers = {}
  for (const { parameter, value } of inPlace(given, 'header'))
    headers[sentName(parameter).toLowerCase()] = checkHeader(
      sentName(parameter),
      yield* writeInHeader(value, parameter)
    )
  const cookies = yield* pairsOf(inPlace(given, 'cookie'))
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  const path = yield* pathOf(operation, inPlace(given, 'path'))
  const query = (yield* pairsOf(inPlace(given, 'query'))).join('&')
  const url = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  if (url.length > LONGEST_URL) throw new TextTooLong(LONGEST_URL)
  return { url, headers }
}

function sentName({ name, sent_as }: ApiParameter): string {
  return sent_as ?? name
}

function inPlace(given: readonly Given[], place: ApiParameter['in']): Given[] {
  return given.filter(({ parameter }) => parameter.in === place)
}

function assertKnown({ id, parameters }: ApiOperation, names: readonly string[]): void {
  const known = parameters.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const has = known.length === 0 ? 'It has none.' : `It has ${known.slice(0, 30).join(', ')}.`
  throw new StepError(
    `The operation "${id}" has no parameter "${unknown.slice(0, 100)}".${didYouMean(unknown, known)} ${has}`,
    { code: 'parameter_unknown', retryable: false }
  )
}

function* givenValues({ id, parameters }: ApiOperation, values: Values): Turns<Given[]> {
  const given: Given[] = []
  const missing: string[] = []
  for (const parameter of parameters) {
    const { name, schema, required } = parameter
    const value = Object.hasOwn(values, name) ? values[name]! : null
    const fitted = yield* fitValue(value, schema, `The parameter "${name}"`)
    const isAbsent = fitted === undefined || fitted === null || (fitted === '' && parameter.in === 'path')
    if (!isAbsent) given.push({ parameter, value: fitted })
    else if (required) missing.push(name)
  }
  if (missing.length === 0) return given
  throw new StepError(
    `The operation "${id}" needs ${missing.map((name) => `"${name}"`).join(', ')}, and got no value. Give it among the parameters, and check what its template reads.`,
    { code: 'parameter_missing', retryable: false }
  )
}

function* pairsOf(given: readonly Given[]): Turns<string[]> {
  const written: string[] = []
  for (const { parameter, value } of given) {
    const encode = parameter.allow_reserved ? encodeReserved : undefined
    for (const [name, one] of yield* writeAsPairs(sentName(parameter), value, parameter, encode))
      written.push(`${name}=${one}`)
  }
  return written
}

function* pathOf({ path }: ApiOperation, given: readonly Given[]): Turns<string> {
  const written = new Map<string, string>()
  for (const { parameter, value } of given) {
    const text = yield* writeInPath(sentName(parameter), value, parameter)
    // The one thing that cannot be encoded: every reader of URLs takes %2e for a dot, and goes up with two of them.
    if (/^\.*$/.test(text)) throw leadsElsewhere(parameter.name, text)
    written.set(sentName(parameter), text)
  }
  return path.replaceAll(/\{([^{}/]{1,200})\}/g, (whole, name: string) => written.get(name) ?? whole)
}

function leadsElsewhere(name: string, text: string): StepError {
  return new StepError(
    `The parameter "${name}" is "${text}", which would lead to another path. Check what the data holds.`,
    { code: 'url_invalid', retryable: false }
  )
}
