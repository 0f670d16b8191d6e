import { compileTemplate, defineComponent, type Ports, sessionTemplate } from '../../../plugin-api.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { modelFaults } from '../model-faults.ts'
import { FIELDS, INPUTS } from '../model-fields.ts'

const AGENT_FIELDS = {
  ...FIELDS,
  max_steps: {
    kind: 'number',
    title: 'Most steps',
    integer: true,
    min: 1,
    max: 1_000,
    default: 20,
    help: 'How often the model is asked at most. When it still calls tools then, the step fails, and what it has done stays.'
  }
} as const

const AGENT_INPUTS = {
  ...INPUTS,
  tools: { title: 'Tools', type: 'tools', help: 'What it may call: any number of wires.' }
} as const satisfies Ports

/** Half an hour of models and tools; waiting for people does not count. */
const HALF_AN_HOUR_MS = 1_800_000

/** Asks a model that calls tools, until it has its answer. */
export const agent = defineComponent({
  type: 'agent',
  title: 'Agent',
  description:
    'A model that calls tools: it asks, acts and looks at the results until it has an answer. Each call is kept, so a restart repeats none.',
  category: 'Models',
  icon: 'bot',
  keywords: [
    'ai agent',
    'tools',
    'function calling',
    'tool calling',
    'assistant',
    'react',
    'autonomous',
    'llm',
    'gpt',
    'claude',
    'gemini',
    'langchain',
    'mcp'
  ],
  example: 'Looks an order up, asks a person, and refunds it, each by a tool that is wired to it.',
  fields: AGENT_FIELDS,
  mainFields: ['model'],
  inputs: AGENT_INPUTS,
  outputs: {
    text: { title: 'Text', type: 'text' },
    data: { title: 'Data', type: 'any' },
    steps: {
      title: 'Steps',
      type: 'any',
      help: 'What the model said and called, with the results, in order.'
    },
    usage: { title: 'Usage', type: 'any' }
  },
  emits: 'text',
  // What it does outside its tools do, which ask for themselves.
  acts: () => false,
  retry: { attempts: 3, backoffMs: 1_000, maxBackoffMs: 30_000 },
  timeoutMs: HALF_AN_HOUR_MS,
  check: modelFaults,
  prepare: ({ system, prompt, images, schema, session }) => ({
    system: compileTemplate(system),
    prompt: compileTemplate(prompt),
    images: compileTemplate(images),
    session: sessionTemplate(session),
    schema: schema === null ? null : compileSchema(schema)
  }),
  run: async (step) => (await import('./run-agent.ts')).runAgent(step),
  resume: async (step) => (await import('./run-agent.ts')).runAgent(step)
})
