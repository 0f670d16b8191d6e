import { MillraceError } from '../../../errors.ts'
import type { FileValue } from '../../../flows/file-value.ts'
import type { StepAnswer } from '../../../flows/step/step-answer.ts'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import { apiHeaders } from '../../api-headers.ts'
import { problemAnswer } from '../../problem.ts'
import { runAddress, startText } from '../start-response.ts'

/** What is sent to a caller that waited for what its flow answers. */
export interface AnswerParts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Its bytes are sent in place of the body. */
  readonly file?: FileValue
}

interface AnsweredRun {
  readonly runId: string
  readonly prefix: string
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Whatever a flow answers is at the address of the page, where somebody may be signed in: in a browser it is a document of no origin, that
 * reads nothing of the page and acts for nobody.
 */
const OF_A_FLOW = { ...apiHeaders, 'content-security-policy': 'sandbox' } as const

/** `answer` is undefined where the time was over first: then the run has started, as any other answer to a webhook says. */
export function answerParts(answer: FlowAnswer | undefined, { runId, prefix }: AnsweredRun): AnswerParts {
  const location = runAddress(prefix, runId)
  if (answer === undefined) return started(runId, location, 'in progress')
  switch (answer.by) {
    case 'step':
      return partsOfStep(answer.answer, location)
    case 'return':
      return {
        status: 200,
        headers: { ...OF_A_FLOW, location, 'content-type': JSON_TYPE },
        body: answer.body
      }
    case 'end':
      return answer.status === 'succeeded'
        ? { status: 204, headers: { ...OF_A_FLOW, location }, body: '' }
        : partsOfFailure(answer.status, runId, location)
  }
}

function started(runId: string, location: string, status: string): AnswerParts {
  return {
    status: 202,
    headers: { ...apiHeaders, location, 'content-type': JSON_TYPE },
    body: startText(runId, status)
  }
}

/** These have no body, whatever the flow says. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

function partsOfStep(
  { status, headers, body: text, isBase64, file }: StepAnswer,
  location: string
): AnswerParts {
  const isEmpty = WITHOUT_BODY.includes(status)
  const body = isBase64 === true ? Buffer.from(text, 'base64') : text
  const all: Record<string, string> = { ...OF_A_FLOW, location, ...headers }
  // One of its own holds besides, and cannot take this one back.
  if (headers['content-security-policy'] !== undefined)
    all['content-security-policy'] = `${headers['content-security-policy']}, sandbox`
  if (isEmpty) delete all['content-type']
  return { status, headers: all, body: isEmpty ? '' : body, ...(file && !isEmpty && { file }) }
}

const FAILURES = {
  failed: ['run_failed', 'The run failed before it answered.'],
  cancelled: ['run_cancelled', 'The run was cancelled before it answered.']
} as const

/** What went wrong is for those who may read the run. */
function partsOfFailure(how: keyof typeof FAILURES, runId: string, location: string): AnswerParts {
  const [code, message] = FAILURES[how]
  const { status, headers, text } = problemAnswer(
    new MillraceError(code, message, { members: { run_id: runId } })
  )
  return { status, headers: { ...headers, location }, body: text }
}
