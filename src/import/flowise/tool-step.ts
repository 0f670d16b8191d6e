import type { Part } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { membersOf, textOf } from '../values.ts'
import { rowsOf } from './flowise-node.ts'
import { type Mapping, made, TEXT_OR_DATA } from './step.ts'
import { toolOf } from './tools.ts'

/** A tool as a step: what it is given stands in its settings. */
export const toolStep: Mapping = (node, write, { help }) => {
  const { inputs } = node
  const name = textOf(inputs.toolAgentflowSelectedTool)
  const tool = toolOf(name, membersOf(inputs.toolAgentflowSelectedToolConfig), node.title, help)
  const given = Object.fromEntries(
    rowsOf(inputs.toolInputArgs).map((row) => [textOf(row.inputArgName), write.template(row.inputArgValue)])
  )
  if (/mcp/i.test(name)) {
    const connection = `${name.replace(/MCP$/i, '')}`
    const [action = ''] =
      /\w+/.exec(textOf(membersOf(inputs.toolAgentflowSelectedToolConfig).mcpActions)) ?? []
    write.tell(`Its server is the connection "${connection}".`)
    return {
      become: made(
        { main: { type: 'mcp-call', fields: { connection, tool: action || name, arguments: given } } },
        write,
        {
          gives: TEXT_OR_DATA,
          connections: [{ name: connection, kind: 'mcp' }]
        }
      )
    }
  }
  if (tool.flow === undefined) return undefined
  write.tell(`It runs the flow "${tool.flow.slug}", which was made of it.`)
  const parts: Record<string, Part> = {
    main: { type: 'run-flow', fields: { flow: tool.flow.slug } },
    ...argumentParts(given)
  }
  const become = made(parts, write, {
    takes: 'once.data',
    gives: () => 'main.data',
    links: argumentLinks(given)
  })
  return { become, flows: [tool.flow] }
}

/** Each argument is written by a Parser, and code puts them together. */
function argumentParts(given: Readonly<Record<string, string>>): Record<string, Part> {
  const names = Object.keys(given).slice(0, 20)
  const lines = names.map(
    (name, at) => `${JSON.stringify(name)}: nodes["${OWN_ID}-value${at + 1}"]?.parsed_text`
  )
  return {
    arguments: {
      type: 'code',
      title: 'What it is given',
      fields: { code: `return { ${lines.join(', ')} }` }
    },
    ...Object.fromEntries(
      names.map((name, at) => [
        `value${at + 1}`,
        { type: 'parser', title: name.slice(0, 200), fields: { template: given[name] || ' ' } }
      ])
    ),
    once: { type: 'code', title: 'Once', fields: { code: 'return { data }' } }
  }
}

function argumentLinks(given: Readonly<Record<string, string>>): [string, string][] {
  const names = Object.keys(given).slice(0, 20)
  return [
    ...names.flatMap((_, at): [string, string][] => [
      ['once.result', `value${at + 1}.data`],
      [`value${at + 1}.parsed_text`, 'arguments.data']
    ]),
    ...(names.length === 0 ? [['once.result', 'arguments.data'] as [string, string]] : []),
    ['arguments.result', 'main.data']
  ]
}
