import { single } from '../become.ts'
import { connectionName } from '../connection-names.ts'
import type { ImportHelp } from '../imported-flow.ts'
import { arxiv, CALCULATOR, NOW, READ_PAGE, WEB_SEARCH, WIKIPEDIA } from '../known-tools.ts'
import { placeholderFor } from '../placeholder.ts'
import { givesTool, type ToolFlow, toolFlow } from '../tool-flow.ts'
import { type Members, textOf } from '../values.ts'
import { rowsOf } from './flowise-node.ts'
import { requestTool } from './request-tool.ts'
import type { Tool } from './step.ts'

const KNOWN: readonly (readonly [names: RegExp, tool: Omit<ToolFlow, 'name'>])[] = [
  [/^calculator$/i, CALCULATOR],
  [
    /^(?:serpAPI|serper|googleCustomSearch|tavilyAPI|tavily|braveSearchAPI|exaSearch|searXNG|searchApi|duckDuckGo\w*|webBrowser)$/i,
    WEB_SEARCH
  ],
  [/^(?:webScraperTool|webScraper)$/i, READ_PAGE],
  [/^wikipedia/i, WIKIPEDIA],
  [/^arxiv/i, arxiv()],
  [/^currentDateTime$/i, NOW]
]

/** A tool of an agent, by its name and its settings. */
export function toolOf(name: string, config: Members, title: string, help: ImportHelp): Tool {
  const known = KNOWN.find(([names]) => names.test(name))?.[1] ?? written(name, config)
  if (known !== undefined) {
    const note = known === WEB_SEARCH ? 'It searches by SerpAPI, with the connection of that name.' : ''
    const flow = toolFlow(
      {
        ...known,
        name: title,
        description: textOf(config.description) || textOf(config.toolDesc) || known.description
      },
      help
    )
    return { title, become: givesTool(flow, note), flow }
  }
  if (/mcp/i.test(name)) return mcp(name, title)
  return {
    title,
    become: placeholderFor({
      was: `The tool ${title} (${name}) of Flowise`,
      settings: config,
      nearest: 'Make a flow that does its work, and give it to the agent by a Run flow.',
      outputs: [],
      inputs: [],
      isTool: true
    })
  }
}

/** Knowledge that the agent may ask. */
export function knowledgeTool(collection: string, title: string): Tool {
  return {
    title,
    become: {
      ...single(
        { type: 'knowledge-search', fields: { collection } },
        { takes: 'data' },
        { note: `Make the collection "${collection}", and write into it what lies in the store there.` }
      ),
      gives: () => 'main.tools'
    }
  }
}

/** Tools of a server of tools. */
function mcp(name: string, title: string): Tool {
  const connection = connectionName(name.replace(/MCP$/i, ''), 'mcp')
  return {
    title,
    become: {
      ...single(
        { type: 'mcp-tools', fields: { connection } },
        {},
        { note: `Its server is the connection "${connection}".` }
      ),
      gives: () => 'main.tools',
      connections: [{ name: connection, kind: 'mcp' }]
    }
  }
}

/** Tools that people wrote: code with what it asks for, or a request. */
function written(name: string, config: Members): Omit<ToolFlow, 'name'> | undefined {
  if (/^requests?(?:Get|Post|Put|Delete)$/i.test(name)) return requestTool(name, config)
  if (!/^customTool$/i.test(name)) return undefined
  const code = textOf(config.customToolFunc) || textOf(config.func)
  const rows = rowsOf(config.customToolSchema ?? config.schema)
  const asks = Object.fromEntries(
    rows
      .filter(({ property }) => textOf(property) !== '')
      .map(({ property, type, description }) => [
        textOf(property),
        {
          type: /^(?:number|boolean|array|object)$/.test(textOf(type)) ? textOf(type) : 'string',
          description: textOf(description)
        }
      ])
  )
  const names = Object.keys(asks).filter((each) => /^[A-Za-z_]\w*$/.test(each))
  const head = names.map((each) => `const $${each} = data.${each}`).join('\n')
  const body = code === '' ? 'return data' : code
  return {
    description: textOf(config.customToolDesc) || 'A tool that was written for it: say here what it does.',
    asks: names.length === 0 ? { input: { type: 'string', description: 'What is asked' } } : asks,
    steps: [
      {
        id: 'tool',
        type: 'code',
        takes: 'data',
        gives: 'result',
        fields: { code: `${head}\n${body}`.trim() }
      }
    ]
  }
}
