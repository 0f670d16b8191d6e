import type { FastifyError, FastifyReply } from 'fastify'
import { MillraceError, messageOf, problems } from '../errors.ts'
import { type SchemaError, shapeFaults } from '../flows/json/shape-faults.ts'
import { PATTERN_REMEDIES } from '../flows/validate/pattern-remedies.ts'
import { apiHeaders } from './api-headers.ts'

const RETRY_AFTER_SECONDS = '5'
const CAUSE_IN_LOG = 'The log of Millrace says why.'

/** Errors leave as problem documents (RFC 9457), each with a stable code. */
export function sendProblem(reply: FastifyReply, error: MillraceError): FastifyReply {
  const { status, headers, text } = problemAnswer(error, reply.request.actor != null)
  return reply.code(status).headers(headers).send(text)
}

interface ProblemAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** `isToInsider`: to a caller that has shown a good key. */
export function problemAnswer(error: MillraceError, isToInsider = false): ProblemAnswer {
  const { code, status, extras } = error
  return {
    status,
    headers: {
      // The store, which knows nothing of HTTP, does not say when to come back.
      ...(status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
      ...extras.headers,
      ...apiHeaders,
      'content-type': 'application/problem+json'
    },
    text: JSON.stringify({
      type: 'about:blank',
      title: problems[code].title,
      status,
      code,
      detail: isToInsider ? error.message : publicMessageOf(error),
      ...extras.members,
      ...(extras.errors === undefined ? {} : { errors: extras.errors })
    })
  }
}

/** Where the store is, and what its files or its database are called, is not for anybody outside. */
function publicMessageOf({ code, message, extras }: MillraceError): string {
  if (extras.publicMessage !== undefined) return extras.publicMessage
  return code === 'store_unwritable' ? `The store cannot be written. ${CAUSE_IN_LOG}` : message
}

/** For whatever is a bug: the caller learns that, and no more. */
export function internalError(): MillraceError {
  return new MillraceError(
    'internal_error',
    'Something went wrong inside Millrace. Its log has the cause; nothing that was accepted is lost.'
  )
}

type Known = 'body_too_large' | 'unsupported_media_type' | 'uri_too_long' | 'bad_request'

const FASTIFY_CODES: Readonly<Record<string, Known>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_BAD_URL: 'bad_request'
}

/** In our words: Fastify's name its own parts, and repeat an address however long it is. */
const DETAILS: Readonly<Record<Known, string>> = {
  body_too_large: 'The body is larger than this address takes. Send less, or raise MILLRACE_BODY_LIMIT.',
  unsupported_media_type: 'Send the body as JSON, with the header Content-Type: application/json.',
  uri_too_long: 'A part of the address is longer than any id or name. Look at what was put into the address.',
  bad_request:
    'The address cannot be decoded. Write it in UTF-8, percent-encoded, and a percent sign itself as %25.'
}

/** What Millrace itself refuses, or Fastify for it; undefined where a plugin, a host or a bug did. */
export function ownRefusal(error: unknown): MillraceError | undefined {
  if (error instanceof MillraceError) return error
  const { code } = Object(error) as Partial<FastifyError>
  const known = code === undefined ? undefined : FASTIFY_CODES[code]
  return known === undefined ? undefined : new MillraceError(known, DETAILS[known])
}

/** What went wrong, as something a client can act on; undefined for a bug. `set` is the status of the reply so far. */
export function asMillraceError(error: unknown, set = 200): MillraceError | undefined {
  const own = ownRefusal(error)
  if (own !== undefined) return own
  const { validation, validationContext, statusCode, message } = Object(error) as Partial<FastifyError>
  if (validation !== undefined) {
    const { sent } = error as { readonly sent?: unknown }
    return invalidRequest(validation as SchemaError[], validationContext ?? 'body', sent)
  }
  const status = statusCode ?? set
  if (status === 400) return new MillraceError('bad_request', message ?? 'The request cannot be read.')
  return status > 400 && status < 600 && status !== 500 ? refusedByPlugin(error, status) : undefined
}

/** A guard of a plugin says by the status what it means, as hooks of Fastify do: 401, 403, 429 or another. */
function refusedByPlugin(error: unknown, status: number): MillraceError {
  const { headers } = error as { readonly headers?: Readonly<Record<string, string>> }
  const extras = { status, cause: error, ...(headers === undefined ? {} : { headers }) }
  return new MillraceError('refused_by_plugin', messageOf(error), extras)
}

function invalidRequest(errors: readonly SchemaError[], part: string, sent: unknown): MillraceError {
  if (part === 'body' && sent == null) return withoutBody()
  const faults = shapeFaults(
    errors,
    sent,
    PATTERN_REMEDIES,
    `The ${part === 'querystring' ? 'query' : part} `
  )
  return new MillraceError('invalid_request', faults[0]?.message ?? 'The request is not valid.', {
    errors: faults
  })
}

/** A body that was left out, or is the word null. */
function withoutBody(): MillraceError {
  const message = 'The body is empty. Send a JSON object, with the header Content-Type: application/json.'
  return new MillraceError('invalid_request', message, {
    errors: [{ code: 'invalid_shape', path: '', message }]
  })
}
