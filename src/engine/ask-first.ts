import type { AnyComponent, Step } from '../flows/component/component.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import { writeJson } from '../flows/json/exact-json.ts'
import type { Woken } from '../flows/step/step-wait.ts'
import { plainText } from '../flows/template/plain-words.ts'
import type { ToolCall } from '../flows/tools/tool.ts'
import { CALL_PORT } from './plan-node.ts'
import { StepError } from './step-error.ts'

const APPROVE = 'Approve'
const CHOICES = [APPROVE, 'Reject']

/** In characters, as of any question. */
const LONGEST_QUESTION = 20_000

interface Answer {
  readonly choice: string
  readonly comment: string | null
}

/**
 * Asks a person whether a tool may act. What is asked about is what the run of the call began with, and what the tool gets: nothing
 * can change it between.
 */
export function askFirst({ id, title = id }: FlowNode): AnyComponent {
  return {
    type: 'agent',
    title: 'Ask first',
    effects: 'pure',
    run: ({ inputs, wait }: Step) => {
      const { name, arguments: given } = inputs[CALL_PORT] as ToolCall
      const text = `"${title}" wants to call ${name} with:\n${writeJson(given, 2)}`
      if (text.length > LONGEST_QUESTION) throw tooLong()
      return wait({ kind: 'answer', question: { text: plainText(text), choices: CHOICES } })
    },
    resume: ({ inputs }: Step, { value }: Woken) => {
      const answer = value as Answer | null
      if (answer?.choice === APPROVE) return { [CALL_PORT]: inputs[CALL_PORT] }
      throw new StepError(whyNot(answer), { code: 'tool_rejected', retryable: false })
    }
  }
}

/** Null where somebody ended the wait without an answer. */
function whyNot(answer: Answer | null): string {
  if (answer === null) return 'A person was asked, and the wait was ended before anybody answered.'
  const { comment } = answer
  return `A person was asked and said no${comment === null ? '.' : `: ${comment}`}`
}

function tooLong(): StepError {
  return new StepError(
    `A person is asked before this tool acts, and the arguments have more than ${LONGEST_QUESTION} characters: nobody reads that. Send less at once.`,
    { code: 'question_too_long', retryable: false }
  )
}
