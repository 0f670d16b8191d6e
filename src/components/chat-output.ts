import {
  BoundedText,
  defineComponent,
  inTurns,
  type OutputLimit,
  outputTooLarge,
  type Step,
  StepError,
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
    session: {
      kind: 'text',
      title: 'Session',
      help: 'The conversation that the message belongs to; empty means the session of the run.',
      hidden: true
    }
  },
  inputs: { text: { title: 'Text', type: 'text' } },
  outputs: { message: { title: 'Message', type: 'text' } },
  run: (step) => {
    const { inputs } = step
    return typeof inputs.text === 'string' ? say(step, inputs.text) : inTurns(sayAsText(step), step)
  }
})

type ChatOutputStep = Pick<Step, 'outputLimit' | 'run'> & {
  readonly inputs: { readonly text?: unknown }
  readonly fields: { readonly session: string }
}

function say({ fields, run }: Pick<ChatOutputStep, 'fields' | 'run'>, text: string): { message: string } {
  run.say({ text, sender: 'Machine', session: fields.session || run.session })
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
