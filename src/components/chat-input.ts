import {
  BoundedText,
  compileTemplate,
  defineComponent,
  type FieldFault,
  inFieldTurns,
  inTurns,
  isPlainObject,
  type JsonValue,
  originFault,
  SESSION_FIELD,
  type Step,
  scopeOf,
  sessionFaults,
  sessionName,
  sessionTemplate,
  type Template,
  type Turns,
  templateFault,
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
      kind: 'template',
      title: 'Text',
      help: 'What the person says in the data that is wired, such as {message.text}. Also used when the run brings no text of its own.'
    },
    session: SESSION_FIELD,
    public: {
      kind: 'boolean',
      title: 'Public',
      help: 'Anyone who opens the address /chat/ and the slug of the flow can talk to what is published.'
    },
    origins: {
      kind: 'list',
      title: 'Origins',
      help: 'Sites that may show the public chat, by the script /chat/…/widget.js: https://shop.example.com; * are all.',
      item: 'origin',
      maxItems: 100,
      hidden: true
    },
    welcome: {
      kind: 'text',
      title: 'Welcome',
      help: 'What the public chat begins with.',
      multiline: true,
      hidden: true
    },
    rate_limit: {
      kind: 'number',
      title: 'Rate limit',
      help: 'Messages that the public chat takes per minute, and a quarter of that from one address; 0 sets no limit.',
      default: 60,
      min: 0,
      max: 1_000_000,
      integer: true,
      hidden: true
    }
  },
  inputs: {
    text: { title: 'Text', type: 'text' },
    data: { title: 'Data', type: 'any', help: 'What a sender posted: Text says where the words are in it.' }
  },
  outputs: { message: { title: 'Message', type: 'text' }, files: { title: 'Files', type: 'any' } },
  check: ({ text, session, origins }) => [
    ...textFaults(text),
    ...sessionFaults(session),
    ...originFaults(origins)
  ],
  prepare: ({ text, session }) => ({ text: compileTemplate(text), session: sessionTemplate(session) }),
  run: (step) => inTurns(say(step), step)
})

type ChatInputStep = Pick<Step, 'outputLimit' | 'run'> & {
  readonly inputs: { readonly text?: unknown; readonly data?: unknown }
  readonly prepared: { readonly text: Template; readonly session: Template | null }
}

function* say(step: ChatInputStep): Turns<{ message: string; files?: readonly JsonValue[] }> {
  const { inputs, prepared, run } = step
  const text = yield* textSaid(step)
  const session = sessionName(prepared.session, (inputs.data ?? inputs.text) as JsonValue | undefined, run)
  run.say({ text, sender: 'User', session })
  const files = filesOf(run.input)
  return { message: text, ...(files !== undefined && { files }) }
}

function originFaults(origins: readonly string[]): FieldFault[] {
  const faults = origins.map(originFault).filter((fault) => fault !== undefined)
  return faults.map((message) => ({ field: 'origins', message }))
}

/** Pictures and documents that came with the message. */
function filesOf(input: JsonValue): readonly JsonValue[] | undefined {
  const files = isPlainObject(input) ? input.files : undefined
  return Array.isArray(files) && files.length > 0 ? files : undefined
}

function* textSaid(step: ChatInputStep): Turns<string> {
  const { inputs, prepared, run } = step
  const [text, data] = [inputs.text, inputs.data] as (JsonValue | undefined)[]
  // What a wire brings counts even when it is empty: the payload is not what somebody typed.
  if (text !== undefined) return textOf(text) ?? ''
  if (data !== undefined)
    return prepared.text.source === '' ? (textOf(data) ?? '') : yield* render(step, data)
  return textOf(run.input) ?? (yield* render(step, run.input))
}

function* render({ prepared, run, outputLimit }: ChatInputStep, value: JsonValue): Turns<string> {
  const text = new BoundedText(outputLimit.bytes)
  const { data, variables } = scopeOf(value, run.variables)
  yield* inFieldTurns('text', prepared.text.renderTo(text, data, variables))
  return text.toString()
}

function textFaults(text: string): FieldFault[] {
  const fault = templateFault(text)
  return fault === undefined ? [] : [{ field: 'text', ...fault }]
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  if (isPlainObject(value) && typeof value.text === 'string') return value.text
  return writeJson(value)
}
