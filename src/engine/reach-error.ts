import { messageOf } from '../errors.ts'
import { StepError } from './step-error.ts'

/** What went wrong on the way to somebody else, in words for whoever has to act. */
interface Trouble {
  readonly code: string
  readonly retryable: boolean
  /** What the system and libraries call it. A star ends the beginning of a family, which grows with every release. */
  readonly causes: readonly string[]
  readonly say: (who: string) => string
}

const UNREACHABLE = { code: 'upstream_unreachable', retryable: true }

const CUT_OFF: Trouble = {
  code: 'upstream_cut_off',
  retryable: true,
  causes: [
    ...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'],
    ...['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR']
  ],
  say: (who) =>
    `${who} closed the connection before its answer was complete. Give the node more attempts (retry), or ask whoever runs it.`
}

const TROUBLES: readonly Trouble[] = [
  {
    ...UNREACHABLE,
    causes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
    say: (who) => `${who} is not a name that can be looked up. Check its spelling.`
  },
  {
    ...UNREACHABLE,
    causes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'EADDRNOTAVAIL'],
    say: (who) =>
      `${who} cannot be reached: nobody answers there. Check host and port, and whether it is running.`
  },
  {
    ...UNREACHABLE,
    causes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    say: (who) =>
      `${who} did not take the connection in time. Check host and port, and any firewall in between.`
  },
  CUT_OFF,
  {
    code: 'response_not_decodable',
    retryable: false,
    causes: [
      ...['ERR_BUFFER_TOO_LARGE', 'Z_DATA_ERROR', 'Z_NEED_DICT'],
      ...['ERR__ERROR_FORMAT_*', 'ERR_BROTLI*', 'ZSTD_error*']
    ],
    say: (who) =>
      `The answer of ${who} is not compressed as it says. Ask for it plain: set the header Accept-Encoding to identity.`
  },
  {
    code: 'certificate_expired',
    retryable: false,
    causes: ['CERT_HAS_EXPIRED'],
    say: (who) => `The certificate of ${who} has expired. Whoever runs it has to renew it.`
  },
  {
    code: 'certificate_invalid',
    retryable: false,
    causes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
    say: (who) => `The certificate of ${who} is for another host. Use the name that it is for.`
  },
  {
    code: 'certificate_invalid',
    retryable: false,
    causes: [
      ...['CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_REJECTED', 'CERT_UNTRUSTED', 'CERT_SIGNATURE_FAILURE'],
      ...['CERT_CHAIN_TOO_LONG', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
      ...[
        'UNABLE_TO_GET_ISSUER_CERT',
        'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
      ],
      ...['INVALID_PURPOSE', 'INVALID_CA']
    ],
    say: (who) =>
      `The certificate of ${who} is not one that this machine trusts. Start the service with NODE_EXTRA_CA_CERTS set to the certificate file of its authority, or have the certificate fixed.`
  },
  {
    code: 'tls_failed',
    retryable: false,
    causes: ['EPROTO', 'ERR_SSL_*', 'ERR_TLS_*'],
    say: (who) =>
      `${who} does not speak TLS as it should. Check the port, and whether the URL should begin with http://.`
  },
  {
    code: 'upstream_not_http',
    retryable: false,
    causes: ['HPE_*'],
    say: (who) =>
      `${who} answered with something that is not HTTP. Check the port, and whether the URL should begin with https://.`
  },
  {
    code: 'upstream_not_http',
    retryable: false,
    causes: ['UND_ERR_HEADERS_OVERFLOW'],
    say: (who) => `${who} answered with more than 16 kB of headers. Whoever runs it has to send less.`
  }
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
  const isFamily = (cause: string) => cause.endsWith('*') && code.startsWith(cause.slice(0, -1))
  return (
    TROUBLES.find(({ causes }) => causes.includes(code)) ??
    TROUBLES.find(({ causes }) => causes.some(isFamily))
  )
}

function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  // Of its many codes some are unknown to the library itself.
  if (name === 'HTTPParserError') return 'HPE_'
  return typeof code === 'string' ? code : ''
}
