import { compileTemplate, defineComponent, sessionTemplate } from '../../plugin-api.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Prepared } from './ask-either.ts'
import { modelFaults } from './model-faults.ts'
import { FIELDS, INPUTS } from './model-fields.ts'

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
  mainFields: ['model'],
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
  check: modelFaults,
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
