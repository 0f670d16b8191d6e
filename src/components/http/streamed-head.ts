import { answerFault, compileTemplateTree, type JsonValue, StepError, scopeOf } from '../../plugin-api.ts'
import { buildHeaders } from './build-headers.ts'
import { withCharset } from './with-charset.ts'

interface FixedAnswer {
  readonly status: number
  /** As the field has them. */
  readonly headers: Readonly<Record<string, JsonValue>>
  readonly contentType: string
}

/** These have no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

/**
 * What an answer begins with whose body is text that is still coming. That cannot be taken back, so it has to be known before: an answer
 * with a template in its headers is sent as a whole.
 */
export function streamedHead({ status, headers, contentType }: FixedAnswer) {
  if (WITHOUT_BODY.includes(status) || /[{}]/.test(JSON.stringify(Object.values(headers)))) return undefined
  const fixed = headersOf(headers)
  const type = contentType || (fixed?.['content-type'] ?? 'text/plain')
  if (fixed === undefined || !isText(type)) return undefined
  const head = { status, headers: { ...fixed, 'content-type': withCharset(type) } }
  return answerFault({ ...head, body: '' }) === undefined ? ({ input: 'data', ...head } as const) : undefined
}

/** Undefined where one cannot be sent: the step says so when it runs. */
function headersOf(headers: FixedAnswer['headers']) {
  try {
    return buildHeaders(compileTemplateTree(headers), scopeOf(null, {}))
  } catch (error) {
    if (error instanceof StepError) return undefined
    throw error
  }
}

/** Text as it is; whoever asks for events gets them whatever the node says. */
function isText(type: string): boolean {
  return /^text\/(?!event-stream)/i.test(type)
}
