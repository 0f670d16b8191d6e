import {
  compileTemplate,
  defineComponent,
  inFieldTurns,
  inTurns,
  type JsonValue,
  renderForPeople,
  type Step,
  StepError,
  type StepWait,
  scopeOf,
  type Template,
  TextTooLong,
  type Turns,
  templateFault
} from '../../plugin-api.ts'
import { TIMEOUT_FIELD, timeoutFaults, timeoutOf } from './timeout.ts'

/** What somebody answered: `wake` is given it, and `resume` gets it. */
interface GivenAnswer {
  readonly choice: string
  readonly comment: string | null
  readonly by: string | null
}

/** In characters: enough for a question with all that it is about. */
const LONGEST_QUESTION = 20_000

/** Asks a person. */
export const approve = defineComponent({
  type: 'approve',
  title: 'Approve',
  description:
    'Asks a person and waits for the answer, which each have a way out. People answer under Approvals, or, without a key, at the link that {$approve.<this node>} gives in any template.',
  category: 'Waiting',
  icon: 'user-check',
  keywords: ['approval', 'human', 'human in the loop', 'ask', 'confirm', 'review', 'decision', 'form'],
  example: 'Refund {total} €? Approve pays it, Reject writes to the customer.',
  effects: 'pure',
  fields: {
    question: {
      kind: 'template',
      title: 'Question',
      help: 'What is asked. It may name what it is about.',
      placeholder: 'Refund {total} € to {customer}?'
    },
    choices: {
      kind: 'list',
      title: 'Choices',
      item: 'choice',
      help: 'Each is an output.',
      default: ['Approve', 'Reject'],
      maxItems: 20
    },
    timeout: TIMEOUT_FIELD
  },
  mainFields: ['question'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { timed_out: { title: 'Timed out', type: 'any', help: 'Where nobody answered in time.' } },
  outputsFromList: 'choices',
  check: ({ question, choices, timeout }) => {
    const fault = templateFault(question)
    if (fault !== undefined) return [{ field: 'question', ...fault }]
    if (question.trim() === '')
      return [{ field: 'question', message: 'It is empty. Write what is asked, such as Refund {total} €?' }]
    const wrong = wrongChoices(choices)
    return wrong === undefined ? timeoutFaults(timeout) : [{ field: 'choices', message: wrong }]
  },
  prepare: ({ question }) => compileTemplate(question),
  run: (step) => inTurns(ask(step), step),
  resume: ({ inputs, fields, listedOutputs }, { by, at, value }) => {
    const data = inputs.data ?? null
    const when = new Date(at).toISOString()
    if (by !== 'answer') return { timed_out: { data, choice: null, comment: null, by: null, at: when } }
    const { choice, comment, by: who } = value as unknown as GivenAnswer
    const output = listedOutputs[fields.choices.indexOf(choice)]
    if (output === undefined) throw noChoice(choice)
    return { [output]: { data, choice, comment, by: who, at: when } }
  }
})

type ApproveStep = Pick<Step, 'run' | 'wait'> & {
  readonly inputs: { readonly data?: unknown }
  readonly fields: { readonly timeout: string; readonly choices: readonly string[] }
  readonly prepared: Template
}

function* ask({ inputs, fields, prepared, run, wait }: ApproveStep): Turns<StepWait> {
  const { data, variables } = scopeOf(inputs.data as JsonValue | undefined, run.variables)
  const options = { keepsLines: true, most: LONGEST_QUESTION }
  try {
    const text = yield* inFieldTurns('question', renderForPeople(prepared, data, variables, options))
    const question = { text, choices: fields.choices }
    return wait({ kind: 'answer', ...timeoutOf(fields.timeout), question })
  } catch (error) {
    throw isTooLong(error) ? tooLong() : error
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof StepError && error.cause instanceof TextTooLong
}

function wrongChoices(choices: readonly string[]): string | undefined {
  if (choices.length === 0) return 'There is nothing to choose. Write at least one choice.'
  const empty = choices.findIndex((text) => text.trim() === '')
  if (empty >= 0) return `Choice ${empty + 1} is empty. Write its text, or remove it.`
  const double = choices.find((text, at) => choices.indexOf(text) < at)
  return double === undefined ? undefined : `"${double}" is there twice. Remove one of them.`
}

function tooLong(): StepError {
  return new StepError(
    `The question has more than ${LONGEST_QUESTION} characters. Ask about less of the data.`,
    { code: 'question_too_long', retryable: false }
  )
}

function noChoice(choice: string): StepError {
  return new StepError(`"${choice}" is not a choice.`, { code: 'no_output', retryable: false })
}
