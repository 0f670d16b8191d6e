import { type IncomingAnswer, StepError } from '../../plugin-api.ts'
import { upstreamCode, withoutQuery } from './refused-answer.ts'
import { retryAfter } from './retry-after.ts'

/** What was sent, as far as an error has to know. */
interface Sent {
  readonly method: string
  /** Whether a second request is taken for the first one; see may-repeat.ts. */
  readonly mayRepeat: boolean
}

/** Statuses that say: not now. Whoever sends one has not done what was asked. */
const NOT_TAKEN = [408, 425, 429, 503]

function remedyOf(status: number): string {
  if (status === 401 || status === 403)
    return 'Check the secret of the connection and what it may do; without a connection, choose one.'
  if (status === 429)
    return 'Call it less often, or give the node more attempts (retry): the wait that it asks for is kept.'
  if (status === 404 || status === 410) return 'Check the URL and the values in it.'
  if (status < 500) return 'Compare method, headers and body with what it expects.'
  return 'Its own logs say why. If it is temporary, give the node more attempts (retry).'
}

/** The error of a step whose answer has a status of 400 or more. `said` is how its body begins. */
export function statusError(
  answer: IncomingAnswer,
  said: string,
  { method, mayRepeat }: Sent,
  now: number
): StepError {
  const { status, url, headers } = answer
  const retryAfterMs = retryAfter(headers, now)
  const isPassing =
    NOT_TAKEN.includes(status) || (status >= 500 && status !== 501 && status !== 505 && mayRepeat)
  const words = said.trim() === '' ? '' : ` and said: ${said.trim()}`
  const wait = retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`
  return new StepError(
    `${method} ${withoutQuery(url)} was answered ${status}${words}\n${remedyOf(status)}${wait}`,
    {
      code: upstreamCode(status),
      retryable: isPassing,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs })
    }
  )
}
