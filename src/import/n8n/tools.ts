import { slugify } from '../../flows/slug.ts'
import type { Become } from '../become.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { CALCULATOR, WEB_SEARCH, WIKIPEDIA } from '../known-tools.ts'
import { placeholderFor } from '../placeholder.ts'
import { givesTool, type ToolFlow, toolFlow } from '../tool-flow.ts'
import { bounded, listOf, membersIn, membersOf, textOf } from '../values.ts'
import { becomeOf } from './become-of.ts'
import { collectionOf } from './chains.ts'
import { jsonTree, requestFields } from './http.ts'
import type { Place } from './mapping.ts'
import { chosen, type N8nNode } from './n8n-node.ts'
import type { Writer } from './writer.ts'

interface Tool {
  readonly become: Become
  readonly flow?: ImportedFlow
}

/** What an agent can use. */
export function toolOf(node: N8nNode, write: Writer, place: Place, help: ImportHelp): Tool {
  const { type, params } = node
  if (type === 'ai:toolWorkflow') return { become: workflowTool(node, place) }
  if (type === 'ai:toolVectorStore' || /^ai:vectorStore/.test(type))
    return { become: searchTool(node, place) }
  if (/^ai:mcpClientTool/.test(type)) return { become: mcpTool(node, write) }
  const flow = flowOf(node, write, place)
  if (flow === undefined)
    return {
      become: placeholderFor({
        was: `${node.name} (${node.fullType.split('.').at(-1)}) of n8n`,
        settings: params,
        nearest: 'Make a flow that does its work, and give it to the agent by a Run flow.',
        outputs: [],
        inputs: [],
        isTool: true
      })
    }
  const { values } = write
  const made = toolFlow({ ...flow, ...(values !== undefined && { values }) }, help)
  return { flow: made, become: givesTool(made, write.note) }
}

function workflowTool(node: N8nNode, place: Place): Become {
  const id = textOf(chosen(node.params.workflowId))
  const name = textOf(membersOf(node.params.workflowId).cachedResultName) || node.name
  const flow = place.slugOf(id) ?? slugify(name)
  return {
    verdict: 'adapted',
    note: `The agent runs the flow with the slug "${flow}", and reads what it is for in its description${place.slugOf(id) === undefined ? ': import that too, or choose another' : ''}.`,
    parts: { main: { type: 'run-flow', fields: { flow } } },
    takes: () => 'main.data',
    gives: () => 'main.tools'
  }
}

function searchTool(node: N8nNode, place: Place): Become {
  const collection = collectionOf(place.lent('ai_vectorStore')[0], node)
  const limit = bounded(node.params.topK, 1, 100) ?? 4
  return {
    verdict: 'adapted',
    note: `Make the collection "${collection}"; what lies in the store there is to be written anew.`,
    parts: { main: { type: 'knowledge-search', fields: { collection, limit } } },
    takes: () => 'main.data',
    gives: () => 'main.tools'
  }
}

function mcpTool(node: N8nNode, write: Writer): Become {
  const tools = listOf(node.params.includeTools)
    .map(textOf)
    .filter((name) => name !== '')
  const connection = write.lentConnection(node, 'mcp', 'mcp')
  return {
    verdict: 'exact',
    note: '',
    parts: { main: { type: 'mcp-tools', fields: { connection, ...(tools.length > 0 && { tools }) } } },
    takes: () => undefined,
    gives: () => 'main.tools',
    connections: write.connections
  }
}

function flowOf(node: N8nNode, write: Writer, place: Place): ToolFlow | undefined {
  const { type, params } = node
  const name = textOf(params.name) || node.name
  const description =
    write.template(params.toolDescription ?? params.description ?? params.descriptionType) || node.name
  if (type === 'ai:toolCalculator') return { name, ...CALCULATOR }
  if (/^ai:tool(?:SerpApi|SearXng|Wikipedia|WolframAlpha)/.test(type))
    return type === 'ai:toolWikipedia' ? { name, ...WIKIPEDIA } : { name, ...WEB_SEARCH }
  if (type === 'ai:toolHttpRequest' || type === 'httpRequestTool')
    return { name, ...requestTool(node, write, description) }
  if (type === 'ai:toolCode') {
    const code = write.code(`const query = data.query\n${textOf(params.jsCode)}`)
    return {
      name,
      description,
      asks: { query: { type: 'string', description: 'What is asked' } },
      steps: [{ id: 'code', type: 'code', takes: 'data', gives: 'result', fields: { code } }]
    }
  }
  return /Tool$/.test(type)
    ? appTool({ ...node, type: type.replace(/Tool$/, '') }, { write, place, name, description })
    : undefined
}

/** A node of n8n as a tool: what the model fills in stands in its settings. */
function appTool(
  node: N8nNode,
  { write, place, name, description }: { write: Writer; place: Place; name: string; description: string }
): ToolFlow | undefined {
  const become = becomeOf(node, write, place)
  if (become.verdict === 'placeholder') return undefined
  const gives = become.gives('0')
  const takes = become.takes('0')
  if (gives === undefined || takes === undefined) return undefined
  const whole = { parts: become.parts, links: become.links ?? [], takes, gives }
  return { name, description, asks: asksOf(write), steps: [], whole, connections: become.connections ?? [] }
}

function asksOf(write: Writer): ToolFlow['asks'] {
  return Object.fromEntries(write.asked)
}

function requestTool(node: N8nNode, write: Writer, description: string): Omit<ToolFlow, 'name'> {
  const { params } = node
  const known = membersIn(membersOf(params.placeholderDefinitions).values)
  const named = new Map(
    known.map((row) => [
      textOf(row.name),
      { type: textOf(row.type) === 'number' ? 'number' : 'string', description: textOf(row.description) }
    ])
  )
  const asked = new Map<string, { type: string; description: string }>()
  // What the model gives stands between braces there, as it does here.
  const opened = (template: string) =>
    template.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (whole, name: string) => {
      if (named.size > 0 && !named.has(name)) return whole
      asked.set(name, named.get(name) ?? { type: 'string', description: '' })
      return `{${name}}`
    })
  const fields = requestFields({ ...node, version: 4 }, write)
  const inModel = [...rowsBy('queryParameters', params), ...rowsBy('parametersQuery', params)]
  const query = Object.fromEntries(
    inModel.map((row) => {
      asked.set(textOf(row.name), { type: 'string', description: textOf(row.description) })
      return [textOf(row.name), `{[${textOf(row.name)}]?}`]
    })
  )
  const body =
    params.sendBody === true && params.jsonBody !== undefined ? jsonTree(params.jsonBody, write) : fields.body
  const request = JSON.parse(JSON.stringify({ ...fields, body })) as Record<string, unknown>
  const open = (value: unknown): unknown =>
    typeof value === 'string'
      ? opened(value)
      : Array.isArray(value)
        ? value.map(open)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, open(inner)]))
          : value
  const step = {
    ...request,
    url: open(request.url),
    query: open({ ...membersOf(request.query), ...query }),
    ...(request.headers !== undefined && { headers: open(request.headers) }),
    ...(request.body !== undefined && { body: open(request.body) })
  }
  return {
    description,
    asks: { ...asksOf(write), ...Object.fromEntries(asked) },
    steps: [{ id: 'request', type: 'api-request', takes: 'data', gives: 'body', fields: step }],
    connections: write.connections
  }
}

/** Parameters that the model gives as it thinks fit. */
function rowsBy(name: string, params: Readonly<Record<string, unknown>>) {
  return membersIn(membersOf(params[name]).values).filter(
    ({ valueProvider }) => /^model/.test(textOf(valueProvider)) || valueProvider === undefined
  )
}
