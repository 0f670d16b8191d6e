import {
  BoundedText,
  defineComponent,
  inTurns,
  type JsonValue,
  type OutputLimit,
  outputTooLarge,
  SESSION_FIELD,
  type Step,
  StepError,
  sessionFaults,
  sessionName,
  sessionTemplate,
  type Template,
  TextTooLong,
  type Turns,
  writeJsonTo
} from '../plugin-api.ts'

/** Shows text in the Playground. */
export const chatOutput = defineComponent({
  type: 'chat-output',
  title: 'Chat Output',
  description: 'Shows the text that reaches it in the Playground.',
  category: 'Outputs',
  icon: 'message-square',
  keywords: ['print', 'log', 'debug', 'console', 'answer', 'reply', 'show', 'display', 'send message'],
  example: 'Shows "Order 7 from Ann" in the Playground.',
  effects: 'pure',
  fields: {
    session: SESSION_FIELD
  },
  inputs: { text: { title: 'Text', type: 'text' } },
  outputs: { message: { title: 'Message', type: 'text' } },
  prints: 'text',
  check: ({ session }) => sessionFaults(session),
  prepare: ({ session }) => sessionTemplate(session),
  run: (step) => {
    const { inputs } = step
    return typeof inputs.text === 'string' ? say(step, inputs.text) : inTurns(sayAsText(step), step)
  }
})

type ChatOutputStep = Pick<Step, 'outputLimit' | 'run'> & {
  readonly inputs: { readonly text?: unknown }
  readonly prepared: Template | null
}

function say({ inputs, prepared, run }: ChatOutputStep, text: string): { message: string } {
  const session = sessionName(prepared, inputs.text as JsonValue, run)
  run.say({ text, sender: 'Machine', session })
  return { message: text }
}

function* sayAsText(step: ChatOutputStep): Turns<{ message: string }> {
  const value = step.inputs.text
  if (value === undefined || value === null) {
    throw new StepError('No text reaches it. Wire a Text output to its input "text".', {
      code: 'no_data',
      retryable: false
    })
  }
  return say(step, yield* textOf(value, step.outputLimit))
}

function* textOf(value: unknown, outputLimit: OutputLimit): Turns<string> {
  const text = new BoundedText(outputLimit.bytes)
  try {
    yield* writeJsonTo(text, value, 2)
  } catch (error) {
    throw error instanceof TextTooLong ? outputTooLarge(outputLimit, { advice: 'Send it less data' }) : error
  }
  return text.toString()
}
