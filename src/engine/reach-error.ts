import { messageOf } from '../errors.ts'
import { StepError } from './step-error.ts'

/** What went wrong on the way to somebody else, in words for whoever has to act. */
interface Trouble {
  readonly code: string
  readonly retryable: boolean
  readonly say: (who: string) => string
}

const UNREACHABLE = 'upstream_unreachable'

const NOT_FOUND: Trouble = {
  code: UNREACHABLE,
  retryable: true,
  say: (who) => `${who} is not a name that can be looked up. Check its spelling.`
}
const NOBODY_ANSWERS: Trouble = {
  code: UNREACHABLE,
  retryable: true,
  say: (who) =>
    `${who} cannot be reached: nobody answers there. Check host and port, and whether it is running.`
}
const NO_CONNECTION_IN_TIME: Trouble = {
  code: UNREACHABLE,
  retryable: true,
  say: (who) =>
    `${who} did not take the connection in time. Check host and port, and any firewall in between.`
}
const CUT_OFF: Trouble = {
  code: 'upstream_cut_off',
  retryable: true,
  say: (who) =>
    `${who} closed the connection before its answer was complete. Give the node more attempts (retry), or ask whoever runs it.`
}
const EXPIRED: Trouble = {
  code: 'certificate_expired',
  retryable: false,
  say: (who) => `The certificate of ${who} has expired. Whoever runs it has to renew it.`
}
const OTHER_HOST: Trouble = {
  code: 'certificate_invalid',
  retryable: false,
  say: (who) => `The certificate of ${who} is for another host. Use the name that it is for.`
}
const NOT_TRUSTED: Trouble = {
  code: 'certificate_invalid',
  retryable: false,
  say: (who) =>
    `The certificate of ${who} is not one that this machine trusts. Start the service with NODE_EXTRA_CA_CERTS set to the certificate file of its authority, or have the certificate fixed.`
}
const NO_TLS: Trouble = {
  code: 'tls_failed',
  retryable: false,
  say: (who) =>
    `${who} does not speak TLS as it should. Check the port, and whether the URL should begin with http://.`
}
const NOT_HTTP: Trouble = {
  code: 'upstream_not_http',
  retryable: false,
  say: (who) =>
    `${who} answered with something that is not HTTP. Check the port, and whether the URL should begin with https://.`
}
const HEADERS_TOO_LONG: Trouble = {
  code: 'upstream_not_http',
  retryable: false,
  say: (who) => `${who} answered with more than 16 kB of headers. Whoever runs it has to send less.`
}
const NOT_DECODABLE: Trouble = {
  code: 'response_not_decodable',
  retryable: false,
  say: (who) =>
    `The answer of ${who} is not compressed as it says. Ask for it plain: set the header Accept-Encoding to identity.`
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  ENOTFOUND: NOT_FOUND,
  EAI_AGAIN: NOT_FOUND,
  EAI_NODATA: NOT_FOUND,
  ECONNREFUSED: NOBODY_ANSWERS,
  EHOSTUNREACH: NOBODY_ANSWERS,
  ENETUNREACH: NOBODY_ANSWERS,
  EHOSTDOWN: NOBODY_ANSWERS,
  EADDRNOTAVAIL: NOBODY_ANSWERS,
  ETIMEDOUT: NO_CONNECTION_IN_TIME,
  UND_ERR_CONNECT_TIMEOUT: NO_CONNECTION_IN_TIME,
  ECONNRESET: CUT_OFF,
  ECONNABORTED: CUT_OFF,
  EPIPE: CUT_OFF,
  UND_ERR_SOCKET: CUT_OFF,
  UND_ERR_CLOSED: CUT_OFF,
  UND_ERR_DESTROYED: CUT_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: CUT_OFF,
  ERR_STREAM_PREMATURE_CLOSE: CUT_OFF,
  Z_BUF_ERROR: CUT_OFF,
  ERR_BUFFER_TOO_LARGE: NOT_DECODABLE,
  Z_DATA_ERROR: NOT_DECODABLE,
  Z_NEED_DICT: NOT_DECODABLE,
  CERT_HAS_EXPIRED: EXPIRED,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_HOST,
  HOSTNAME_MISMATCH: OTHER_HOST,
  CERT_NOT_YET_VALID: NOT_TRUSTED,
  CERT_REVOKED: NOT_TRUSTED,
  CERT_REJECTED: NOT_TRUSTED,
  CERT_UNTRUSTED: NOT_TRUSTED,
  CERT_SIGNATURE_FAILURE: NOT_TRUSTED,
  CERT_CHAIN_TOO_LONG: NOT_TRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  INVALID_PURPOSE: NOT_TRUSTED,
  INVALID_CA: NOT_TRUSTED,
  EPROTO: NO_TLS,
  UND_ERR_HEADERS_OVERFLOW: HEADERS_TOO_LONG
}

/** Families of codes that grow with every release of what they come from. */
const TROUBLES_BY_BEGINNING: readonly (readonly [beginning: string, trouble: Trouble])[] = [
  ['ERR_SSL_', NO_TLS],
  ['ERR_TLS_', NO_TLS],
  ['HPE_', NOT_HTTP],
  ['ERR__ERROR_FORMAT_', NOT_DECODABLE],
  ['ERR_BROTLI', NOT_DECODABLE],
  ['ZSTD_error', NOT_DECODABLE]
]

/**
 * What a call to somebody else failed with, under a stable code and with what to do. A StepError is that already; what
 * nothing is known of is told as it is.
 */
export function reachError(thrown: unknown, who: string): StepError {
  for (let error = thrown, depth = 0; error !== undefined && depth < 5; depth++) {
    if (error instanceof StepError) return error
    const trouble = isAfterConnect(error) ? CUT_OFF : troubleOf(codeOf(error))
    if (trouble !== undefined) {
      const { code, retryable, say } = trouble
      return new StepError(say(who), { code, retryable, cause: thrown })
    }
    error = (Object(error) as { cause?: unknown }).cause
  }
  return new StepError(`The call to ${who} failed: ${messageOf(thrown)}`, {
    code: 'upstream_failed',
    cause: thrown
  })
}

/** Of a peer whose answer made the library that reads it fail. */
export function malformedAnswer(thrown: unknown, who: string): StepError {
  return new StepError(
    `${who} answered with something that cannot be understood (${messageOf(thrown)}). Check host and port, and whether it is what the connection says.`,
    { code: 'upstream_malformed', retryable: false, cause: thrown }
  )
}

const LATE_CODES: readonly string[] = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']

/** A network may also fail a connection that is open: by then the other side may have done what it was asked. */
function isAfterConnect(error: unknown): boolean {
  const { syscall } = Object(error) as { syscall?: unknown }
  return (syscall === 'read' || syscall === 'write') && LATE_CODES.includes(codeOf(error))
}

function troubleOf(code: string): Trouble | undefined {
  if (Object.hasOwn(TROUBLES, code)) return TROUBLES[code]
  return TROUBLES_BY_BEGINNING.find(([beginning]) => code.startsWith(beginning))?.[1]
}

function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  // Of its many codes some are unknown to the library itself.
  if (name === 'HTTPParserError') return 'HPE_'
  return typeof code === 'string' ? code : ''
}
