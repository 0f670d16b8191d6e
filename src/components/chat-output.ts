import { defineComponent, StepError, writeJson } from '../plugin-api.ts'

/** Shows text in the Playground. */
export const chatOutput = defineComponent({
  type: 'chat-output',
  title: 'Chat Output',
  description: 'Shows the text that reaches it in the Playground.',
  category: 'Outputs',
  icon: 'message-square',
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
  run: ({ inputs, fields, run }) => {
    const value: unknown = inputs.text
    if (value === undefined || value === null) {
      throw new StepError('No text reaches it. Wire a Text output to its input "text".', {
        code: 'no_data',
        retryable: false
      })
    }
    const text = typeof value === 'string' ? value : writeJson(value, 2)
    run.say({ text, sender: 'Machine', session: fields.session || run.session })
    return { message: text }
  }
})
