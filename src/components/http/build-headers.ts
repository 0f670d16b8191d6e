import {
  atOnce,
  BoundedText,
  type FieldFault,
  inField,
  isPlainObject,
  type JsonValue,
  MESSAGE_HEADERS,
  StepError,
  type TemplateScope,
  type TemplateTree,
  type Turns
} from '../../plugin-api.ts'
import { printedWithin } from './build-url.ts'

/** Names in lower case. */
export type Headers = Record<string, string>

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header cannot hold
const NOT_IN_VALUE = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/

/** What is wrong with the names; what the templates give is known only when they are filled in. */
export function headerFaults(headers: JsonValue): FieldFault[] {
  if (!isPlainObject(headers)) return []
  return Object.keys(headers).flatMap((name) => {
    const message = nameFault(name)
    return message === undefined ? [] : [{ field: 'headers', message }]
  })
}

function nameFault(name: string): string | undefined {
  if (!NAME.test(name))
    return `${JSON.stringify(name)} cannot be the name of a header. Use letters, digits and hyphens.`
  if (!MESSAGE_HEADERS.includes(name.toLowerCase())) return undefined
  return `The header ${name} is set by Millrace. Leave it out; the host is a part of the URL.`
}

/** Of all values together, in characters: no server takes as many. */
const MOST_CHARACTERS = 64 * 1024

/** A list is one header with all of its items. An empty value leaves its header out, also one that Millrace would send by itself. */
export function buildHeaders(templates: TemplateTree | undefined, scope: TemplateScope): Headers {
  const given =
    templates === undefined
      ? {}
      : inField('headers', () => templates.render(scope.data, scope.variables, MOST_CHARACTERS))
  const headers: Headers = {}
  if (!isPlainObject(given)) return headers
  for (const [name, value] of Object.entries(given)) {
    headers[name.toLowerCase()] = checkHeader(
      name,
      inField('headers', () => atOnce(headerText(value)))
    )
  }
  return headers
}

/** A value as a header holds it; throws where none can. */
export function checkHeader(name: string, value: string): string {
  const text = value.trim()
  if (NOT_IN_VALUE.test(text)) throw notInHeader(name)
  return text
}

function* headerText(value: JsonValue): Turns<string> {
  if (!Array.isArray(value)) return yield* printedWithin(value, MOST_CHARACTERS)
  const text = new BoundedText(MOST_CHARACTERS)
  for (const [at, item] of value.entries())
    text.add((at === 0 ? '' : ', ') + (yield* printedWithin(item, MOST_CHARACTERS)))
  return text.toString()
}

function notInHeader(name: string): StepError {
  return new StepError(
    `Field "headers": the value of ${name} holds a line break or a letter that no header can hold. Take it out, or send it in the body.`,
    { code: 'header_invalid', retryable: false }
  )
}
