import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  type JsonValue,
  sessionFaults,
  sessionTemplate,
  templateFault
} from '../../plugin-api.ts'
import { compileSchema, schemaFault } from '../schema/compile-schema.ts'
import type { Prepared } from './answer-question.ts'
import { FIELDS, INPUTS } from './model-fields.ts'

const TEMPLATES = ['system', 'prompt', 'images'] as const

/** Asks a language model, and tells its answer as it comes. */
export const languageModel = defineComponent({
  type: 'language-model',
  title: 'Language Model',
  description:
    'Asks a model of OpenAI, Anthropic, Google or any OpenAI-compatible address; the answer streams.',
  category: 'Models',
  icon: 'sparkles',
  keywords: [
    'llm',
    'gpt',
    'chatgpt',
    'openai',
    'claude',
    'anthropic',
    'gemini',
    'mistral',
    'ollama',
    'ai',
    'chat model',
    'completion',
    'summarize',
    'classify'
  ],
  example: 'Summarize this complaint in one sentence: {text}',
  fields: FIELDS,
  inputs: INPUTS,
  outputs: {
    text: { title: 'Text', type: 'text' },
    data: { title: 'Data', type: 'any' },
    usage: { title: 'Usage', type: 'any' }
  },
  reportsUsage: true,
  emits: 'text',
  acts: () => false,
  retry: { attempts: 3, backoffMs: 1_000, maxBackoffMs: 30_000 },
  timeoutMs: 300_000,
  check: (fields) => [
    ...TEMPLATES.flatMap((field): FieldFault[] => {
      const fault = templateFault(fields[field])
      return fault === undefined ? [] : [{ field, ...fault }]
    }),
    ...sessionFaults(fields.session),
    ...schemaFaults(fields.schema),
    ...(fields.model.trim() === '' ? [noModel()] : [])
  ],
  prepare: ({ system, prompt, images, schema, session }): Prepared => ({
    system: compileTemplate(system),
    prompt: compileTemplate(prompt),
    images: compileTemplate(images),
    session: sessionTemplate(session),
    schema: schema === null ? null : compileSchema(schema)
  }),
  // Loaded with the first question: a service that asks no model is to stay small.
  run: async (step) => (await import('./answer-question.ts')).answerQuestion(step)
})

function schemaFaults(schema: JsonValue): FieldFault[] {
  const fault = schema === null ? undefined : schemaFault(schema)
  return fault === undefined ? [] : [{ field: 'schema', message: `The field "Schema" ${fault}` }]
}

function noModel(): FieldFault {
  return { field: 'model', message: 'No model is named. Choose one that the connection offers.' }
}
