import type { StepCall } from '../../engine/effects.ts'
import { StepError } from '../../engine/step-error.ts'
import type { Step } from '../../flows/component/component.ts'
import { answerFault } from '../../flows/step/step-answer.ts'

/** Keeps with the call what the caller of the flow is to be answered. */
export function respondForStep(call: StepCall, now: () => number): Step['respond'] {
  return (answer) => {
    const fault = answerFault(answer)
    if (fault !== undefined) throw new StepError(fault, { code: 'answer_invalid', retryable: false })
    const { status, headers, body, isBase64, file } = answer
    const bytes = { ...(isBase64 && { isBase64 }), ...(file !== undefined && { file }) }
    call.answer = { status, headers, body, ...bytes, at: now() }
  }
}
