/**
 * Names of headers and query parameters by which senders prove who they are. Their values would open the sender's door
 * to whoever may read a run, so they are redacted from a request before it is stored.
 *
 * A name is looked at without regard to case and to what parts its words: `X-Auth-Token`, `authToken` and `auth_token`
 * are one. The user guide has this list in words.
 */
const SECRET_PARTS =
  /token|secret|passw|passphrase|pwd|signature|hmac|credential|authori[sz]ation|authentication|bearer|cookie|jwt/

/** A key of these is a secret; an `idempotency-key`, a `routing-key` and Jira's `issueKey` are not. */
const SECRET_KEYS =
  /(?:api|access|account|admin|app|application|auth|client|consumer|encryption|functions?|hook|host|integration|licen[sc]e|master|private|secret|security|service|shared|signing|subscription|webhook)keys?$/

const SECRET_NAMES = new Set(['auth', 'dpop', 'key', 'oidcdata', 'otp', 'pass', 'pw', 'sig', 'sign'])

/** Headers in which proxies and browsers pass on an address, with its query. */
const ADDRESS_HEADERS = new Set([
  'referer',
  'x-envoy-original-path',
  'x-forwarded-uri',
  'x-original-uri',
  'x-original-url',
  'x-request-uri',
  'x-rewrite-url'
])

/** Senders write few names, so those that were judged are remembered: this is done for every header of every run. */
const judged = new Map<string, boolean>()
const MOST_JUDGED = 2_000

export function isSecretName(name: string): boolean {
  let isSecret = judged.get(name)
  if (isSecret === undefined) {
    isSecret = judge(name)
    if (judged.size < MOST_JUDGED) judged.set(name, isSecret)
  }
  return isSecret
}

function judge(name: string): boolean {
  const compact = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const bare = compact.replace(/^x(?:amzn)?(?=.)/, '')
  return SECRET_PARTS.test(compact) || SECRET_KEYS.test(compact) || SECRET_NAMES.has(bare)
}

/** Whether the value of this header (in lower case) is an address. */
export function holdsAddress(header: string): boolean {
  return ADDRESS_HEADERS.has(header)
}

/** An address without the query parameters whose names are redacted. What stays is as it was written. */
export function redactQuery(address: string, isRedacted: (name: string) => boolean): string {
  const mark = address.indexOf('?')
  if (mark < 0) return address
  const end = address.indexOf('#', mark)
  const query = address.slice(mark + 1, end < 0 ? undefined : end)
  const fragment = end < 0 ? '' : address.slice(end)
  const kept = query.split('&').filter((pair) => !isRedacted(nameIn(pair)))
  return `${address.slice(0, mark)}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`
}

/** As whoever reads the query reads it, whatever was escaped. */
function nameIn(pair: string): string {
  for (const [name] of new URLSearchParams(pair)) return name
  return ''
}
