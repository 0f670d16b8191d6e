import { type IncomingAnswer, reachError, StepError, type Verdict } from '../../plugin-api.ts'
import { upstreamCode, withoutQuery } from './refused-answer.ts'
import { retryAfter } from './retry-after.ts'

/** It says that nobody is to come again. */
const GONE = 410

/** About what was sent, and not about the receiver: another delivery may well be taken. */
const OF_THE_CONTENT = [400, 409, 413, 415, 422]

/** Thrown at every answer but 2xx. All but 410 are tried again: receivers are mended, and this is what the hours are for. */
export class DeliveryRefused extends StepError {
  readonly status: number

  constructor(answer: IncomingAnswer, said: string, now: number) {
    const { status, headers, url } = answer
    const retryAfterMs = retryAfter(headers, now)
    const words = said.trim() === '' ? '' : ` and said: ${said.trim()}`
    super(`${withoutQuery(url)} answered ${status}${words}\n${remedyOf(status)}`, {
      code: status === GONE ? 'destination_gone' : upstreamCode(status),
      retryable: status !== GONE,
      ...(retryAfterMs !== undefined && { retryAfterMs })
    })
    this.status = status
  }
}

function remedyOf(status: number): string {
  if (status === GONE) return 'It wants no more of these: take the node out, or change the address.'
  if (status === 401 || status === 403) return 'Check that both sides have the same signing secret.'
  if (status >= 300 && status < 400) return 'Redirects are not followed: write the address that it leads to.'
  return status >= 500
    ? 'Its own logs say why.'
    : 'Check the address, and compare the body with what it expects.'
}

/** What is wrong with the way there passes too: certificates are renewed, names come back. */
export function asDeliveryError(thrown: unknown, who: string): StepError {
  const error = reachError(thrown, who)
  const isOfTheWay = /^(?:upstream_|certificate_|tls_|response_)/.test(error.code)
  return isOfTheWay ? Object.assign(error, { retryable: true }) : error
}

/** What a failed delivery says of its receiver. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof DeliveryRefused) return OF_THE_CONTENT.includes(error.status) ? 'up' : 'down'
  const { code = '' } = Object(error) as { code?: string }
  if (code === 'step_timeout' || /^(?:upstream_|certificate_|tls_|response_)/.test(code)) return 'down'
  return 'unknown'
}
