import {
  defineComponent,
  isPlainObject,
  type JsonValue,
  SESSION_FIELD,
  sessionFaults,
  sessionName,
  sessionTemplate,
  writeJson
} from '../plugin-api.ts'

/** A turn of a person in the Playground. Wired, it prints what reaches it as such a turn. */
export const chatInput = defineComponent({
  type: 'chat-input',
  title: 'Chat Input',
  description: 'Starts the flow with a message that a person types in the Playground.',
  category: 'Triggers',
  icon: 'message-circle',
  keywords: ['chat trigger', 'question', 'user message', 'conversation', 'manual trigger', 'start'],
  example: 'Somebody types "Where is my parcel?" in the Playground, and the flow answers.',
  effects: 'pure',
  trigger: 'chat',
  fields: {
    text: {
      kind: 'text',
      title: 'Text',
      help: 'Used when the run brings no text of its own.',
      multiline: true
    },
    session: SESSION_FIELD
  },
  inputs: { text: { title: 'Text', type: 'text' } },
  outputs: { message: { title: 'Message', type: 'text' }, files: { title: 'Files', type: 'any' } },
  check: ({ session }) => sessionFaults(session),
  prepare: ({ session }) => sessionTemplate(session),
  run: ({ inputs, fields, prepared, run }) => {
    // What a wire brings counts even when it is empty: the payload is not what somebody typed.
    const text = 'text' in inputs ? (textOf(inputs.text) ?? '') : (textOf(run.input) ?? fields.text)
    const session = sessionName(prepared, inputs.text as JsonValue | undefined, run)
    run.say({ text, sender: 'User', session })
    const files = filesOf(run.input)
    return { message: text, ...(files !== undefined && { files }) }
  }
})

/** Pictures and documents that came with the message. */
function filesOf(input: JsonValue): readonly JsonValue[] | undefined {
  const files = isPlainObject(input) ? input.files : undefined
  return Array.isArray(files) && files.length > 0 ? files : undefined
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  if (isPlainObject(value) && typeof value.text === 'string') return value.text
  return writeJson(value)
}
