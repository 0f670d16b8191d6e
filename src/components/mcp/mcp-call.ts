import {
  compileTemplateTree,
  defineComponent,
  isPlainObject,
  type JsonValue,
  StepError,
  scopeOf,
  templateTreeFaults
} from '../../plugin-api.ts'
import { callTool } from './call-tool.ts'
import { MCP_KIND, withServer } from './mcp-session.ts'

/** Calls one tool of a server, without a model. */
export const mcpCall = defineComponent({
  type: 'mcp-call',
  title: 'MCP Call',
  description: 'Calls a tool of an MCP server, and gives out what it answers.',
  category: 'Reach out',
  icon: 'plug',
  keywords: ['mcp', 'model context protocol', 'mcp client', 'tool call', 'server', 'connector'],
  example: 'create_ticket of the help desk, with {subject} and {text} of a mail.',
  fields: {
    connection: {
      kind: 'connection',
      title: 'Connection',
      kinds: MCP_KIND,
      help: 'The server, with its token.'
    },
    tool: {
      kind: 'text',
      title: 'Tool',
      help: 'Its name, as the server has it.',
      placeholder: 'create_ticket'
    },
    arguments: {
      kind: 'json',
      title: 'Arguments',
      help: 'An object of templates. "{id}" alone is the value itself, also where that is a number.',
      placeholder: '{ "subject": "{subject}" }',
      default: {}
    }
  },
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'What the tool gave as data, or as text that is JSON.' },
    text: { title: 'Text', type: 'text' }
  },
  check: ({ tool, arguments: given }) => [
    ...(tool.trim() === '' ? [{ field: 'tool', message: 'No tool is named. Write its name.' }] : []),
    ...(given === null || isPlainObject(given)
      ? []
      : [
          {
            field: 'arguments',
            message: 'It takes an object whose texts are templates, such as { "id": "{id}" }.'
          }
        ]),
    ...templateTreeFaults(given).map((fault) => ({ field: 'arguments', ...fault }))
  ],
  prepare: ({ arguments: given }) => compileTemplateTree(given ?? {}),
  run: async (step) => {
    const { data, variables } = scopeOf(step.inputs.data as JsonValue | undefined, step.run.variables)
    const given = step.prepared.render(data, variables)
    if (!isPlainObject(given))
      throw new StepError('The arguments are not an object.', {
        code: 'mcp_arguments_invalid',
        retryable: false
      })
    const call = { ...given } as Record<string, JsonValue>
    const answer = await withServer(step, step.fields.connection, (ask) =>
      callTool(ask, step.fields.tool.trim(), call, step)
    )
    return { ...answer }
  }
})
