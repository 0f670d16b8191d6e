import {
  type FieldValues,
  type IncomingAnswer,
  reachError,
  type SendRequest,
  type Step,
  StepError,
  type StreamedBody
} from '../../plugin-api.ts'
import type { Headers } from './build-headers.ts'
import type { ANSWER_FIELDS } from './fields.ts'
import { mayRepeat } from './may-repeat.ts'
import type { Answer } from './paginate.ts'
import type { ResponseType } from './parse-body.ts'
import { readAnswer } from './read-answer.ts'
import { type ByteAllowance, readBeginning } from './read-bytes.ts'
import { statusError } from './status-error.ts'

/** Of the node: how answers are read, and by which connection they come. */
export type AnswerFields = FieldValues<typeof ANSWER_FIELDS> & { readonly connection: string }

interface Call {
  readonly send: SendRequest
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string | Uint8Array | StreamedBody | null
  readonly fields: AnswerFields
  readonly allowance: ByteAllowance
  readonly step: Pick<Step, 'ifTimedOut' | 'pause' | 'files'>
}

/** One request, and its answer whole. */
export async function call({
  send,
  url,
  method,
  headers,
  body,
  fields,
  allowance,
  step
}: Call): Promise<Answer> {
  const sent = { method, mayRepeat: mayRepeat(method, headers) }
  if (!sent.mayRepeat) step.ifTimedOut(sentAndUnanswered(method))
  const redirect = fields.follow_redirects ? 'follow' : 'manual'
  let answer: IncomingAnswer | undefined
  try {
    answer = await send(url, { method, headers, body, redirect })
    if (fields.fail_on_status && answer.status >= 400) {
      throw statusError(answer, await readBeginning(answer, SHOWN), sent, Date.now())
    }
    const as = fields.response_type as ResponseType
    const read = await readAnswer(answer, { method, as, allowance, step })
    return { status: answer.status, headers: { ...answer.headers }, url: answer.url, body: read }
  } catch (error) {
    throw repeatable(reachError(error, hostOf(answer?.url ?? url, fields.connection)), sent.mayRepeat)
  }
}

/** How much of an answer an error shows, in bytes. */
const SHOWN = 500

/** An answer that was cut off belongs to a request that may have been done: that is repeated only where it may be. */
function repeatable(error: StepError, isAllowed: boolean): StepError {
  if (error.code !== 'upstream_cut_off' || isAllowed) return error
  return Object.assign(error, { retryable: false })
}

/** Nobody knows what came of it: to send it once more could do it twice. */
function sentAndUnanswered(method: string): StepError {
  return new StepError(
    `The ${method} was sent and may have been done, and without an Idempotency-Key it is not sent again. Ask the other side whether it was done; raise the node's timeout_ms, or let the request carry the key.`,
    { code: 'step_timeout', retryable: false }
  )
}

function hostOf(url: string, connection: string): string {
  return URL.parse(url)?.host ?? `the address of the connection "${connection}"`
}
