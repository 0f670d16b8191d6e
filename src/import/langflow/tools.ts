import type { Become } from '../become.ts'
import { literalText } from '../expressions/template-text.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import {
  arxiv,
  CALCULATOR,
  COMPANY_NEWS,
  feed,
  NOW,
  READ_FEED,
  READ_PAGE,
  type Tool,
  WEB_SEARCH,
  WIKIPEDIA
} from '../known-tools.ts'
import { givesTool, toolFlow } from '../tool-flow.ts'
import { listOf, textOf } from '../values.ts'
import { type LangflowNode, tableOf, textIn, valueIn } from './langflow-node.ts'

const SEARCHES =
  /^(?:UnifiedWebSearch|WebSearch|WebSearchNoAPI|TavilySearchComponent|TavilyAISearch|Tavily|SearchComponent|SerpAPI|Serp|GoogleSearchAPI\w*|GoogleSerperAPI\w*|DuckDuckGoSearch\w*|BingSearchAPI|ExaSearch\w*|GoogleSearch|SearchAPI\w*|SearXNGTool)$/

const TOOLS: readonly [types: RegExp, tool: Tool | ((node: LangflowNode) => Tool)][] = [
  [/^Calculator/, CALCULATOR],
  [SEARCHES, WEB_SEARCH],
  [/^URL/, READ_PAGE],
  [/^Wikipedia|^WikipediaAPI/, WIKIPEDIA],
  [/^ArXiv/i, articles],
  [/^RSSReader/, READ_FEED],
  [/^YFinanceTool$/, COMPANY_NEWS],
  [/^CurrentDate/, NOW]
]

function toolKnown(node: LangflowNode): Tool | undefined {
  if (/^NewsSearch/.test(node.type)) return textIn(node, 'topic', 'location') === '' ? news(node) : undefined
  const tool = TOOLS.find(([types]) => types.test(node.type))?.[1]
  return typeof tool === 'function' ? tool(node) : tool
}

/** The work of a tool as a step of the flow itself. */
export function toolStep(node: LangflowNode): Become | undefined {
  const found = toolKnown(node)
  if (found === undefined) return undefined
  const [asked] = Object.keys(found.asks)
  const set = textIn(node, 'query', 'input_value', 'search_query', 'expression', 'rss_url')
  const given =
    set === ''
      ? '{ $name: $ }'.replace('$name', JSON.stringify(asked ?? 'input'))
      : JSON.stringify({ [asked ?? 'input']: set })
  const parts = Object.fromEntries(
    found.steps.map(({ id, type, fields, title }, at) => [
      at === 0 ? 'main' : id,
      { type, fields, ...(title && { title }) }
    ])
  )
  const names = Object.keys(parts)
  const links = found.steps
    .slice(1)
    .map(({ takes }, at) => [`${names[at]}.${found.steps[at]!.gives}`, `${names[at + 1]}.${takes}`] as const)
  const last = found.steps.length - 1
  return {
    verdict: 'adapted',
    note: noteOf(node) || 'It became several nodes, one after the other.',
    parts: { ...parts, asked: { type: 'transform', title: 'What is asked', fields: { expression: given } } },
    links: [['asked.data', `main.${found.steps[0]!.takes}`], ...links],
    takes: () => 'asked.data',
    gives: () => `${names[last]}.${found.steps[last]!.gives}`,
    ...(found.connections && { connections: found.connections })
  }
}

const NOTES: readonly [types: RegExp, note: string][] = [
  [SEARCHES, 'It searches by SerpAPI, with the connection of that name; another search is another address.'],
  [
    /^(?:ArXiv|RSSReader|NewsSearch|YFinance)/i,
    'Articles are items of a feed: "title", "link", "content" and "published".'
  ]
]

function noteOf({ type }: LangflowNode): string {
  return NOTES.find(([types]) => types.test(type))?.[1] ?? ''
}

/** The flow that an agent's tool becomes; undefined where nothing here does its work. */
export function toolFor(
  node: LangflowNode,
  help: ImportHelp
): { become: Become; flow: ImportedFlow } | undefined {
  const found = toolKnown(node) ?? requestTool(node)
  if (found === undefined) return undefined
  const flow = toolFlow({ name: node.title || node.type, ...found }, help)
  return { become: givesTool(flow, noteOf(node)), flow }
}

function requestTool(node: LangflowNode): Tool | undefined {
  if (node.type === 'APIRequest') {
    const url = textIn(node, 'url_input', 'urls', 'url')
    const method = (textIn(node, 'method') || 'GET').toUpperCase()
    const headers = Object.fromEntries(
      Object.entries(tableOf(node, 'headers')).map(([name, value]) => [name, literalText(value)])
    )
    const asks = url === '' ? { url: { type: 'string', description: 'The address' } } : {}
    const fields = {
      method,
      url: url === '' ? '{url}' : literalText(url),
      ...(Object.keys(headers).length > 0 && { headers })
    }
    return {
      description: textIn(node, 'tool_description') || 'Sends a request and gives the answer.',
      asks,
      steps: [{ id: 'request', type: 'api-request', takes: 'data', gives: 'body', fields }]
    }
  }
  if (!/^SQL/.test(node.type)) return undefined
  const query = listOf(valueIn(node, 'query')).map(textOf)[0] ?? textIn(node, 'query')
  // The model wrote the statement: no step runs a statement that it is given.
  if (query.trim() === '') return undefined
  return {
    description: 'Asks the database.',
    asks: {},
    steps: [
      { id: 'query', type: 'sql', takes: 'data', gives: 'rows', fields: { connection: 'database', query } }
    ],
    connections: [{ name: 'database', kind: 'postgres' }]
  }
}

const ARXIV_FIELDS: Readonly<Record<string, string>> = {
  title: 'ti',
  abstract: 'abs',
  author: 'au',
  cat: 'cat'
}

/** Where it looks, and how many it gives, is set at the node. */
function articles(node: LangflowNode): Tool {
  return arxiv(ARXIV_FIELDS[textIn(node, 'search_type')], textIn(node, 'max_results') || undefined)
}

/** The feed that Langflow asks too. */
function news(node: LangflowNode): Tool {
  const language = textIn(node, 'hl') || 'en-US'
  const country = textIn(node, 'gl') || 'US'
  const edition = textIn(node, 'ceid') || `${country}:${language.split('-')[0]}`
  return feed(
    {
      description: 'Searches the news, and gives articles.',
      asks: { query: { type: 'string', description: 'What to search for' } }
    },
    'https://news.google.com/rss/search',
    { q: '{query}', hl: literalText(language), gl: literalText(country), ceid: literalText(edition) }
  )
}
