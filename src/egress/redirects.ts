import { StepError } from '../engine/step-error.ts'

/** One request on its way, which a redirect may turn into another. */
export interface Hop {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether there is a body to send. */
  readonly hasBody: boolean
}

const MOST_REDIRECTS = 10

/** What is meant for one origin and nobody else. */
const FOR_ONE_ORIGIN = ['authorization', 'cookie', 'proxy-authorization']
const ABOUT_THE_BODY = [
  'content-length',
  'content-type',
  'content-encoding',
  'content-language',
  'content-location'
]

/**
 * The request that follows a redirect, by the rules of the web: 303 asks for the answer by GET, and so do 301 and 302
 * after a POST; 307 and 308 repeat the request as it was. Undefined where the answer is no redirect.
 */
export function redirected(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const url = URL.parse(location, hop.url.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw leadsNowhere(hop.url, location)
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST')
  const dropped = [
    ...(url.origin === hop.url.origin ? [] : FOR_ONE_ORIGIN),
    ...(becomesGet ? ABOUT_THE_BODY : [])
  ]
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: without(hop.headers, dropped),
    hasBody: hop.hasBody && !becomesGet
  }
}

/** Counts them: a server may lead in circles. */
export function countRedirect(made: number, from: URL): number {
  if (made < MOST_REDIRECTS) return made + 1
  throw new StepError(
    `${from.origin} redirected more than ${MOST_REDIRECTS} times. Give the address that it leads to in the end.`,
    { code: 'too_many_redirects', retryable: false }
  )
}

function without(
  headers: Readonly<Record<string, string>>,
  names: readonly string[]
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

function leadsNowhere(from: URL, location: string): StepError {
  return new StepError(`${from.origin} redirected to ${location}, which is not an HTTP address.`, {
    code: 'bad_redirect',
    retryable: false
  })
}
