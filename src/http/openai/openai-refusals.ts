import type { FastifyInstance } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Refusals } from '../operations/refusals.ts'
import { asMillraceError } from '../problem.ts'

/** As clients of OpenAI know them, by ours. */
const CODES: Readonly<Record<string, string>> = {
  unauthorized: 'invalid_api_key',
  flow_not_found: 'model_not_found',
  flow_without_chat_input: 'model_not_found',
  rate_limited: 'rate_limit_exceeded',
  keys_limited: 'rate_limit_exceeded'
}

interface OpenAiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
}

/** An error as those clients read it. */
export function openAiError({ code, message, status, extras }: MillraceError): OpenAiError {
  const known = CODES[code] ?? code
  const param = known === 'model_not_found' ? 'model' : paramOf(extras.errors?.[0]?.path)
  return { message, type: typeOf(status), param, code: known }
}

function paramOf(path = ''): string | null {
  return path === '' ? null : path.slice(1).replaceAll('/', '.')
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** What is refused is a problem as everywhere, which holds the error that clients of OpenAI look for. */
export function answerAsOpenAi(scope: FastifyInstance, refusals: Refusals): void {
  scope.setErrorHandler((error, _request, reply) => {
    const known = asMillraceError(error, reply.statusCode)
    if (known === undefined) throw error
    const members = { ...known.extras.members, error: openAiError(known) }
    return refusals.send(reply, new MillraceError(known.code, known.message, { ...known.extras, members }))
  })
}
