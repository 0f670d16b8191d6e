import { type IncomingAnswer, StepError } from '../../plugin-api.ts'
import { retryAfter } from './retry-after.ts'

/** What was sent, as far as an error has to know. */
export interface Sent {
  readonly method: string
  /** Whether a second request is taken for the first one; see may-repeat.ts. */
  readonly mayRepeat: boolean
}

/** Statuses that say: not now. Whoever sends one has not done what was asked. */
const NOT_TAKEN = [408, 425, 429, 503]

interface Verdict {
  readonly code: string
  readonly remedy: string
}

function verdictOf(status: number): Verdict {
  if (status === 401 || status === 403) {
    return {
      code: 'upstream_unauthorized',
      remedy: 'Check the secret of the connection and what it may do; without a connection, choose one.'
    }
  }
  if (status === 429) {
    return {
      code: 'upstream_rate_limited',
      remedy: 'Call it less often, or give the node more attempts (retry): the wait that it asks for is kept.'
    }
  }
  if (status === 404 || status === 410) {
    return { code: 'upstream_refused', remedy: 'Check the URL and the values in it.' }
  }
  if (status < 500) {
    return { code: 'upstream_refused', remedy: 'Compare method, headers and body with what it expects.' }
  }
  return {
    code: 'upstream_failed',
    remedy: 'Its own logs say why. If it is temporary, give the node more attempts (retry).'
  }
}

/** The error of a step whose answer has a status of 400 or more. `said` is how its body begins. */
export function statusError(
  answer: IncomingAnswer,
  said: string,
  { method, mayRepeat }: Sent,
  now: number
): StepError {
  const { status, url, headers } = answer
  const { code, remedy } = verdictOf(status)
  const retryAfterMs = retryAfter(headers, now)
  const isPassing =
    NOT_TAKEN.includes(status) || (status >= 500 && status !== 501 && status !== 505 && mayRepeat)
  const words = said.trim() === '' ? '' : ` and said: ${said.trim()}`
  const wait = retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`
  return new StepError(`${method} ${withoutQuery(url)} was answered ${status}${words}\n${remedy}${wait}`, {
    code,
    retryable: isPassing,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
}

/** A query may hold what is nobody's business. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
