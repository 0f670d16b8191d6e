import { defineComponent, type FlowFacts, StepError } from '../../plugin-api.ts'

const IN_CALLERS = "The caller's context"

/** Runs another flow with what reaches it, as a run of its own below this one. */
export const runFlow = defineComponent({
  type: 'run-flow',
  title: 'Run flow',
  description: 'Runs another flow, and goes on with what that gives back.',
  category: 'Logic',
  icon: 'workflow',
  keywords: [
    'subflow',
    'sub-flow',
    'execute workflow',
    'call flow',
    'function',
    'link',
    'invoke',
    'child',
    'nested'
  ],
  example:
    'Gives an order to the flow "ship-order", and goes on with the parcel number that its Return gave.',
  // The run that it starts is known by its place below this one: it is started once, whatever happens.
  effects: 'external',
  fields: {
    flow: {
      kind: 'text',
      title: 'Flow',
      help: 'The slug or id of a flow in this context or in one above it.',
      placeholder: 'ship-order'
    },
    wait: {
      kind: 'boolean',
      title: 'Wait for its end',
      help: 'Off: it runs beside this flow, and this one goes on at once.',
      default: true
    },
    run_in: {
      kind: 'choice',
      title: 'Run in',
      help: 'Where the called flow finds connections, variables and components: in the context that it lives in, or in that of this flow.',
      choices: ['Its own context', IN_CALLERS],
      default: 'Its own context',
      hidden: true
    }
  },
  mainFields: ['flow'],
  inputs: { data: { title: 'Data', type: 'any', help: 'What the other flow is started with.' } },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'What its Return gave, else the text of its Chat Output.' },
    run: { title: 'Run', type: 'any', help: 'Its run: id and status.' },
    tools: {
      title: 'Tools',
      type: 'tools',
      help: 'The flow as a tool for an agent. Wired by nothing else, only the agent runs it.'
    }
  },
  check: ({ flow }) =>
    flow.trim() === '' ? [{ field: 'flow', message: 'Choose the flow to run: its slug or id.' }] : [],
  run: async (step) => {
    const { fields, inputs, children } = step
    const flow = fields.flow.trim()
    const place = fields.run_in === IN_CALLERS ? 'caller' : 'own'
    const id = await children.startFlow(flow, inputs.data, fields.wait, place)
    return fields.wait ? children.wait() : { run: { id, status: 'queued' } }
  },
  tools: {
    offer: ({ fields, children }) => {
      const facts = children.aboutFlow(fields.flow.trim())
      return [{ name: facts.slug, description: describe(facts), parameters: facts.input ?? ANYTHING }]
    }
  },
  // What it does outside is for the flow that does it to ask about.
  acts: () => false,
  resume: async (step) => {
    const { fields, inputs, children } = step
    for await (const { runId: id, status, output, error } of children.results(() => inputs.data)) {
      if (status === 'succeeded') return { data: output, run: { id, status } }
      const why = error === null ? 'It was cancelled.' : error.message
      const isCancelled = status === 'cancelled'
      // Another attempt would open again what somebody has cancelled.
      throw new StepError(`The flow "${fields.flow}" ${status} (run ${id}): ${why}`, {
        code: isCancelled ? 'flow_cancelled' : 'flow_failed',
        retryable: !isCancelled
      })
    }
    throw new StepError(`The run of the flow "${fields.flow}" is not there any more: it was deleted.`, {
      code: 'flow_run_gone',
      retryable: false
    })
  }
})

/** What may be said of a flow that says nothing of itself. */
function describe({ name, description }: FlowFacts): string {
  return description === '' ? `Runs the flow "${name}".` : description
}

const ANYTHING = { type: 'object', properties: {}, additionalProperties: true } as const
