import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import type { Right } from '../../keys/rights.ts'
import type { McpTool } from './flow-tools.ts'

type Args = Readonly<Record<string, JsonValue>>

/** A call of our own API, in the name of whoever calls the tool: its rights, checks and words are those of the API. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: JsonValue
  /** What of the answer is told; all of it where it is left out. */
  readonly told?: (answer: JsonValue, page?: string) => JsonValue
}

interface BuildingTool extends McpTool {
  readonly rights: readonly Right[]
  readonly call: (args: Args) => ApiCall
}

const FLOW = { type: 'string', description: 'Id or slug of the flow' }

const text = (value: JsonValue | undefined) => encodeURIComponent(typeof value === 'string' ? value : '')

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required
})

/** With these an assistant builds a flow, and proves it. None of them acts outside but a test, and none goes live but the last. */
export const BUILDING_TOOLS: readonly BuildingTool[] = [
  {
    name: 'millrace_list_components',
    title: 'List components',
    description:
      'What flows are made of. Without "type": all types with a line of each. With it: one component with its fields, inputs and outputs.',
    inputSchema: object({
      context: {
        type: 'string',
        description: 'Path of the context that the flow lives in; / where left out'
      },
      type: { type: 'string', description: 'One component, as a whole' }
    }),
    rights: ['read'],
    call: ({ context = '/', type }) => ({
      method: 'GET',
      path: `/api/v1/components?context=${text(context)}`,
      told: (answer) => componentsIn(answer, type)
    })
  },
  {
    name: 'millrace_list_flows',
    title: 'List flows',
    description: 'The flows, each with its id, slug, name, context and version.',
    inputSchema: object({}),
    rights: ['read'],
    call: () => ({ method: 'GET', path: '/api/v1/flows', told: flowsIn })
  },
  {
    name: 'millrace_read_flow',
    title: 'Read a flow',
    description: 'The document of a flow as it is live, or of its draft.',
    inputSchema: object({ flow: FLOW, draft: { type: 'boolean' } }, ['flow']),
    rights: ['read'],
    call: ({ flow, draft }) => ({
      method: 'GET',
      path: `/api/v1/flows/${text(flow)}${draft === true ? '/draft' : ''}`
    })
  },
  {
    name: 'millrace_create_flow',
    title: 'Create a flow',
    description: 'An empty flow, which does nothing until a draft of it is published.',
    inputSchema: object({ name: { type: 'string' }, context: { type: 'string' } }, ['name']),
    rights: ['write', 'read'],
    call: ({ name = '', context = '/' }) => ({
      method: 'POST',
      path: '/api/v1/flows',
      body: { name, context, nodes: [], edges: [] }
    })
  },
  {
    name: 'millrace_save_draft',
    title: 'Save a draft',
    description:
      'Saves a document as the draft of a flow, and tells its faults: keep saving until "errors" is empty. Edges are {"from":"node.output","to":"node.input"}. Nothing goes live.',
    inputSchema: object(
      {
        flow: FLOW,
        document: { type: 'object', description: 'name, context, nodes and edges' },
        revision: { type: 'integer', description: 'Of the draft that was read; left out for the first one' }
      },
      ['flow', 'document']
    ),
    rights: ['write', 'read'],
    call: ({ flow, document, revision }) => ({
      method: 'PUT',
      path: `/api/v1/flows/${text(flow)}/draft`,
      body: { ...Object(document), ...(revision !== undefined && { revision }) }
    })
  },
  {
    name: 'millrace_test_draft',
    title: 'Test a draft',
    description:
      'Runs the draft with an input and tells the finished run, step by step. Its steps act: they send, write and call as they would live.',
    inputSchema: object({ flow: FLOW, input: { description: 'The payload' } }, ['flow']),
    rights: ['write', 'trigger', 'read'],
    call: ({ flow, input = null }) => ({
      method: 'POST',
      path: `/api/v1/flows/${text(flow)}/test`,
      body: { input }
    })
  },
  {
    name: 'millrace_rehearse_draft',
    title: 'Rehearse a draft',
    description:
      'Runs the draft on what started the last live runs, without acting. millrace_read_rehearsal tells how many came to the same.',
    inputSchema: object(
      { flow: FLOW, runs: { type: 'integer', description: 'On how many of the last; 100 where left out' } },
      ['flow']
    ),
    rights: ['write', 'trigger', 'read'],
    call: ({ flow, runs }) => ({
      method: 'POST',
      path: `/api/v1/flows/${text(flow)}/draft/rehearsal`,
      body: runs === undefined ? {} : { runs }
    })
  },
  {
    name: 'millrace_read_rehearsal',
    title: 'Read the rehearsal',
    description:
      'The last rehearsal of a flow, as far as it has come: what would be the same, differ or fail, and where.',
    inputSchema: object({ flow: FLOW }, ['flow']),
    rights: ['read'],
    call: ({ flow }) => ({ method: 'GET', path: `/api/v1/flows/${text(flow)}/draft/rehearsal` })
  },
  {
    name: 'millrace_list_runs',
    title: 'List runs',
    description: 'The newest runs, of one flow or of all, without their steps.',
    inputSchema: object({ flow_id: { type: 'string' }, status: { type: 'string' } }),
    rights: ['read'],
    call: ({ flow_id, status }) => ({
      method: 'GET',
      path: `/api/v1/runs?limit=20&flow_id=${text(flow_id)}&status=${text(status)}`
    })
  },
  {
    name: 'millrace_read_run',
    title: 'Read a run',
    description: 'A run with its steps, what each put out, and what went wrong.',
    inputSchema: object({ run: { type: 'string', description: 'Its id' } }, ['run']),
    rights: ['read'],
    call: ({ run }) => ({ method: 'GET', path: `/api/v1/runs/${text(run)}` })
  },
  {
    name: 'millrace_ask_to_publish',
    title: 'Ask a person to publish',
    description:
      'Tells where a person publishes the draft of a flow: pass that on to them. Nothing goes live before they have looked at it.',
    inputSchema: object({ flow: FLOW }, ['flow']),
    rights: ['write', 'read'],
    call: ({ flow }) => ({
      method: 'GET',
      path: `/api/v1/flows/${text(flow)}/draft`,
      told: (draft, page = '') => askToPublish(draft, `${page}/flows/${text(flow)}`)
    })
  },
  {
    name: 'millrace_publish',
    title: 'Publish a draft',
    description: 'Makes the draft of a flow what is live. Ask a person first.',
    inputSchema: object({ flow: FLOW, revision: { type: 'integer' }, note: { type: 'string' } }, [
      'flow',
      'revision'
    ]),
    rights: ['write', 'read', 'admin'],
    call: ({ flow, revision = null, note = '' }) => ({
      method: 'POST',
      path: `/api/v1/flows/${text(flow)}/publish`,
      body: { revision, note }
    })
  }
]

/** A link that opens the draft, for whoever may publish. */
function askToPublish(draft: JsonValue, address: string): JsonValue {
  const { revision = null, errors } = isPlainObject(draft) ? draft : {}
  const faults = Array.isArray(errors) ? errors.length : 0
  if (faults > 0) return `The draft has ${faults} faults. Mend them first: millrace_read_flow tells them.`
  return `Ask a person to publish revision ${revision}: they look at it at ${address}, and press Publish there. It is not live before.`
}

function componentsIn(answer: JsonValue, type: JsonValue | undefined): JsonValue {
  const components = listIn(answer, 'components')
  if (type !== undefined) return components.find((component) => component.type === type) ?? null
  return components.map(({ type, title = '', description = '' }) => ({ type: type!, title, description }))
}

function flowsIn(answer: JsonValue): JsonValue {
  const flows = listIn(answer, 'flows')
  return flows.map(({ id, slug, name, context, version, description = '' }) => ({
    ...{ id: id!, slug: slug!, name: name!, context: context!, version: version! },
    description
  }))
}

function listIn(answer: JsonValue, name: string): Args[] {
  const list = isPlainObject(answer) ? answer[name] : undefined
  return Array.isArray(list) ? list.filter(isPlainObject) : []
}
