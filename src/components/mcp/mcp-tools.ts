import { createHash } from 'node:crypto'
import { defineComponent, type OfferedTool, StepError } from '../../plugin-api.ts'
import { callTool } from './call-tool.ts'
import { MCP_KIND, withServer } from './mcp-session.ts'
import { type ServerTool, toolsOf } from './server-tools.ts'

const ASKING = ['What the server says', 'Always', 'Never'] as const

/** Offers the tools of a server to agents. */
export const mcpTools = defineComponent({
  type: 'mcp-tools',
  title: 'MCP Tools',
  description: 'Offers the tools of an MCP server to an agent.',
  category: 'Models',
  icon: 'plug',
  keywords: ['mcp', 'model context protocol', 'mcp client', 'tools', 'server', 'agent tools', 'connector'],
  example: 'The tools of a help desk’s server, wired to an Agent that answers tickets.',
  fields: {
    connection: {
      kind: 'connection',
      title: 'Connection',
      kinds: MCP_KIND,
      help: 'The server, with its token.'
    },
    tools: {
      kind: 'list',
      title: 'Only these',
      item: 'tool',
      help: 'Names of the tools that are offered. Empty: all that the server has.',
      maxItems: 500
    },
    ask_first: {
      kind: 'choice',
      title: 'Ask first',
      help: 'Whether a person is asked before a tool acts. What the server says: always, but where it says that the tool only reads.',
      choices: ASKING,
      default: 'What the server says'
    }
  },
  outputs: { tools: { title: 'Tools', type: 'tools', help: 'For an agent, which alone calls them.' } },
  run: () => undefined,
  tools: {
    offer: (step) =>
      withServer(step, step.fields.connection, async (ask) => {
        const { tools, ask_first } = step.fields
        const all = await toolsOf(ask)
        const missing = tools.find((name) => !all.some((tool) => tool.name === name))
        if (missing !== undefined) throw noTool(missing, all)
        const chosen = tools.length === 0 ? all : all.filter(({ name }) => tools.includes(name))
        return named(chosen).map(([name, { description, parameters, acts }]): OfferedTool => {
          const asks = ask_first === 'Always' || (ask_first === 'What the server says' && acts)
          return { name, description, parameters, by_others: true, ...(asks && { ask_first: true }) }
        })
      }),
    call: (step, { name, arguments: given }) =>
      withServer(step, step.fields.connection, async (ask) => {
        const { data, text } = await callTool(ask, await nameThere(name, () => toolsOf(ask)), given, step)
        // The first is what the agent is told.
        return { text: text === '' ? JSON.stringify(data) : text, data } as Record<string, unknown>
      })
  }
})

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/

/** By names that providers of models take. */
function named(tools: readonly ServerTool[]): [string, ServerTool][] {
  return tools.map((tool) => [plainName(tool.name), tool])
}

/** Two that are made alike, or cut, stay two: else one that the author chose would stand for one that is not offered. */
function plainName(name: string): string {
  if (PLAIN.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 53)}_${hash}_x`
}

/** A name that was made plain for the model is looked up: few servers have any. */
async function nameThere(name: string, list: () => Promise<readonly ServerTool[]>): Promise<string> {
  if (!name.endsWith('_x')) return name
  return (await list()).find((tool) => plainName(tool.name) === name)?.name ?? name
}

function noTool(name: string, all: readonly ServerTool[]): StepError {
  const known = all
    .slice(0, 20)
    .map((tool) => tool.name)
    .join(', ')
  return new StepError(`The MCP server has no tool "${name}". It has: ${known || 'none'}.`, {
    code: 'mcp_tool_missing',
    retryable: false
  })
}
