import type { FileValue } from '../file-value.ts'
import { MESSAGE_HEADERS } from '../message-headers.ts'

/** What a step answers to whoever called the flow and waits for it. */
export interface StepAnswer {
  /** 200 to 599. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body is the bytes that its text stands for. */
  readonly isBase64?: true
  /** Its bytes are the body, in place of the text. */
  readonly file?: FileValue
}

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header cannot hold
const NOT_IN_VALUE = /[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/

const OF_THE_MESSAGE = new Set([
  ...MESSAGE_HEADERS,
  'date',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection'
])

/**
 * What a browser keeps for the whole origin, and the page of the service is at the same one: by a cookie, a flow could sign its callers in as
 * somebody else.
 */
const OF_THE_ORIGIN = new Set([
  'alt-svc',
  'clear-site-data',
  'content-security-policy-report-only',
  'nel',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
  'x-content-type-options'
])

/** Why an answer cannot have a header of this name; undefined where it can. */
export function answerNameFault(name: string): string | undefined {
  const lower = name.toLowerCase()
  if (!NAME.test(name))
    return `${JSON.stringify(name)} cannot be the name of a header. Use letters, digits and hyphens.`
  if (OF_THE_MESSAGE.has(lower)) return `The header ${name} is set by Millrace. Leave it out.`
  if (lower.startsWith('access-control-'))
    return `The header ${name} is set by Millrace, for the origins that the Webhook names. Leave it out.`
  if (OF_THE_ORIGIN.has(lower))
    return `The header ${name} would hold for all of Millrace, and not for this answer alone. Leave it out.`
  return undefined
}

/** Why an answer cannot have this status; undefined where it can. */
export function statusFault(status: number): string | undefined {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return undefined
  return `The status is ${String(status)}. Write a number from 200 to 599.`
}

/** What is wrong with an answer; undefined where nothing is. */
export function answerFault({ status, headers }: StepAnswer): string | undefined {
  const wrong = statusFault(status)
  if (wrong !== undefined) return wrong
  for (const name in headers) {
    const fault = answerNameFault(name)
    if (fault !== undefined) return fault
    if (NOT_IN_VALUE.test(headers[name]!))
      return `The value of the header ${name} holds a line break or a letter that no header can hold. Take it out, or send it in the body.`
  }
  return undefined
}
