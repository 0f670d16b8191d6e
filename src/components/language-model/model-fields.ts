import { type Fields, type Ports, SESSION_FIELD } from '../../plugin-api.ts'
import { MODEL_KINDS } from './model-kinds.ts'

/** What the providers take where nothing is said; then nothing is. */
export const USUAL_TEMPERATURE = 1

export const FIELDS = {
  connection: {
    kind: 'connection',
    title: 'Connection',
    kinds: MODEL_KINDS,
    help: 'The provider, with its key.'
  },
  model: {
    kind: 'text',
    title: 'Model',
    placeholder: 'gpt-5-mini',
    help: 'Name of a model that the provider offers.'
  },
  system: {
    kind: 'template',
    title: 'System',
    help: 'Who the model is and how it answers. {key} reads from the data.'
  },
  prompt: {
    kind: 'template',
    title: 'Prompt',
    help: '{key} reads from the data, {text} is the text. Empty: the text itself, else the data.'
  },
  schema: {
    kind: 'json',
    title: 'Schema',
    help: 'JSON Schema of the answer; the validated answer leaves by the output data.',
    hidden: true
  },
  session: {
    ...SESSION_FIELD,
    help: 'Whose turns are sent along, such as {chat_id}: {key} reads from the data, else from the input of the run. Empty means the session of the run.'
  },
  history: {
    kind: 'number',
    title: 'History',
    integer: true,
    min: 0,
    max: 200,
    help: 'How many earlier turns of the session are sent along.',
    hidden: true
  },
  history_tokens: {
    kind: 'number',
    title: 'History, in tokens',
    integer: true,
    min: 0,
    max: 10_000_000,
    help: 'Of these turns, as many of the last as have about so many tokens together; 0 sets no bound. With this alone, up to 200 turns.',
    hidden: true
  },
  summarize: {
    kind: 'boolean',
    title: 'Sum up older turns',
    default: false,
    help: 'Turns before those are sent as a summary. The model makes it now and then, and it is kept with the session.',
    hidden: true
  },
  temperature: {
    kind: 'number',
    title: 'Temperature',
    min: 0,
    max: 2,
    default: USUAL_TEMPERATURE,
    help: 'From 0 (focused) to 2 (varied); 1 leaves it to the model.',
    hidden: true
  },
  max_tokens: {
    kind: 'number',
    title: 'Most tokens',
    integer: true,
    min: 0,
    max: 100_000_000,
    help: 'Longest answer in tokens; 0 leaves it to the model.',
    hidden: true
  },
  images: {
    kind: 'template',
    title: 'Images',
    help: 'Pictures and PDFs for models that take them: files such as {photo}, or addresses (https: or data:); one per line or as a JSON list.',
    hidden: true
  },
  fallback_connection: {
    kind: 'connection',
    title: 'Fallback connection',
    kinds: MODEL_KINDS,
    optional: true,
    help: 'Asked when the first one fails.',
    hidden: true
  },
  fallback_model: {
    kind: 'text',
    title: 'Fallback model',
    help: 'The model at the fallback; empty means the same name.',
    hidden: true
  }
} as const satisfies Fields

export const INPUTS = {
  text: { title: 'Text', type: 'text' },
  data: { title: 'Data', type: 'any' }
} as const satisfies Ports
