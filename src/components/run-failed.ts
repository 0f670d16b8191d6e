import { defineComponent } from '../plugin-api.ts'

/** Starts a run when a run of another flow has failed. The service starts it: see src/triggers. */
export const runFailed = defineComponent({
  type: 'run-failed',
  title: 'Run failed',
  description: 'Starts the flow when a run of another one has failed: to tell somebody, to open a ticket.',
  category: 'Triggers',
  icon: 'bell',
  keywords: [
    'error',
    'alert',
    'alarm',
    'error trigger',
    'error workflow',
    'catch',
    'failure',
    'notify',
    'on error'
  ],
  example: 'Flow {flow} failed: {error.message}. One message for each run that failed.',
  effects: 'pure',
  trigger: 'run-failed',
  startedBy: 'service',
  fields: {
    flows: {
      kind: 'list',
      title: 'Flows',
      item: 'flow',
      help: 'The slugs of those that are watched, in its context and below. None: all of them but itself.',
      maxItems: 200
    }
  },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'run_id, flow, error (node, code, message) and input.' }
  },
  check: ({ flows }) => {
    const empty = flows.findIndex((flow) => flow.trim() === '')
    return empty < 0
      ? []
      : [{ field: 'flows', message: `Flow ${empty + 1} is empty. Write its slug, or remove it.` }]
  },
  run: ({ run }) => ({ data: run.input })
})
