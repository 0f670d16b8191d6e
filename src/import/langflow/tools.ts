import type { Become } from '../become.ts'
import { literalText } from '../expressions/template-text.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { givesTool, type ToolFlow, toolFlow } from '../tool-flow.ts'
import { listOf, textOf } from '../values.ts'
import { type LangflowNode, tableOf, textIn, valueIn } from './langflow-node.ts'

/** Arithmetic of numbers alone, read sign by sign: nothing that a model writes is run as code. */
const CALCULATE = `const text = String(data.expression)
const signs = text.match(/\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+|\\*\\*|[-+*/%()^]/g) ?? []
if (signs.join('') !== text.replace(/\\s+/g, '')) throw new Error('Only numbers and + - * / % ** ( ) can be calculated.')
let at = 0
const atom = () => {
  const sign = signs[at++]
  if (sign === '-') return -power()
  if (sign === '+') return power()
  if (sign !== '(') return Number(sign)
  const value = sum()
  at++
  return value
}
const power = () => { const base = atom(); return signs[at] === '**' || signs[at] === '^' ? (at++, base ** power()) : base }
const product = () => { let value = power(); while ('*/%'.includes(signs[at] ?? ' ')) { const sign = signs[at++], by = power(); value = sign === '*' ? value * by : sign === '/' ? value / by : value % by } return value }
const sum = () => { let value = product(); while (signs[at] === '+' || signs[at] === '-') value += signs[at++] === '+' ? product() : -product(); return value }
return { result: sum() }`

export const CALCULATOR: Omit<ToolFlow, 'name'> = {
  description: 'Calculates the value of an arithmetic expression.',
  asks: { expression: { type: 'string', description: 'Such as 2 * (3 + 4)' } },
  steps: [{ id: 'calculate', type: 'code', takes: 'data', gives: 'result', fields: { code: CALCULATE } }]
}

export const WEB_SEARCH: Omit<ToolFlow, 'name'> = {
  description: 'Searches the web, and gives titles, links and extracts.',
  asks: { query: { type: 'string', description: 'What to search for' } },
  steps: [
    {
      id: 'search',
      type: 'api-request',
      takes: 'data',
      gives: 'body',
      fields: {
        connection: 'SerpAPI',
        method: 'GET',
        url: '/search.json',
        query: { engine: 'google', q: '{query}' }
      }
    },
    {
      id: 'found',
      type: 'transform',
      takes: 'data',
      gives: 'data',
      fields: { expression: '[organic_results.{ "title": title, "link": link, "text": snippet }]' }
    }
  ],
  connections: [{ name: 'SerpAPI', kind: 'http', preset: 'serpapi' }]
}

export const READ_PAGE: Omit<ToolFlow, 'name'> = {
  description: 'Reads a web page and gives its text.',
  asks: { url: { type: 'string', description: 'The address of the page' } },
  steps: [
    {
      id: 'page',
      type: 'api-request',
      takes: 'data',
      gives: 'body',
      fields: { method: 'GET', url: '{url}', response_type: 'Text' }
    },
    { id: 'text', type: 'convert', takes: 'data', gives: 'data', fields: { mode: 'HTML to text' } }
  ]
}

export const WIKIPEDIA: Omit<ToolFlow, 'name'> = {
  description: 'Looks something up in Wikipedia.',
  asks: { query: { type: 'string', description: 'What to look up' } },
  steps: [
    {
      id: 'article',
      type: 'api-request',
      takes: 'data',
      gives: 'body',
      fields: {
        method: 'GET',
        url: 'https://en.wikipedia.org/w/api.php',
        query: {
          action: 'query',
          format: 'json',
          generator: 'search',
          gsrsearch: '{query}',
          gsrlimit: '3',
          prop: 'extracts',
          exintro: '1',
          explaintext: '1',
          exlimit: '3'
        }
      }
    }
  ]
}
const ARXIV_FIELDS: Readonly<Record<string, string>> = {
  title: 'ti',
  abstract: 'abs',
  author: 'au',
  cat: 'cat'
}

/** Where it looks, and how many it gives, is set at the node. */
function arxiv(node?: LangflowNode): Omit<ToolFlow, 'name'> {
  const [looksIn, most] = node === undefined ? [] : [textIn(node, 'search_type'), textIn(node, 'max_results')]
  const field = ARXIV_FIELDS[looksIn ?? ''] ?? 'all'
  return {
    description: 'Searches articles of arXiv.',
    asks: { search_query: { type: 'string', description: 'What to search for' } },
    steps: [
      {
        id: 'articles',
        type: 'api-request',
        takes: 'data',
        gives: 'body',
        fields: {
          method: 'GET',
          url: 'https://export.arxiv.org/api/query',
          query: { search_query: `${field}:{search_query}`, max_results: most || '10' },
          response_type: 'Text'
        }
      },
      { id: 'items', type: 'convert', takes: 'data', gives: 'data', fields: { mode: 'Feed to items' } }
    ]
  }
}

export const ARXIV = arxiv()
export const NOW: Omit<ToolFlow, 'name'> = {
  description: 'Gives the date and the time, in UTC.',
  asks: {},
  steps: [
    {
      id: 'now',
      type: 'code',
      takes: 'data',
      gives: 'result',
      fields: { code: 'return new Date().toISOString()' }
    }
  ]
}

const SEARCHES =
  /^(?:UnifiedWebSearch|WebSearch|WebSearchNoAPI|TavilySearchComponent|TavilyAISearch|Tavily|SearchComponent|SerpAPI|Serp|GoogleSearchAPI\w*|GoogleSerperAPI\w*|DuckDuckGoSearch\w*|BingSearchAPI|ExaSearch\w*|NewsSearch|GoogleSearch|SearXNGTool|YahooFinance\w*|RSSReader\w*)$/

type Tool = Omit<ToolFlow, 'name'>

const TOOLS: readonly [types: RegExp, tool: Tool | ((node: LangflowNode) => Tool)][] = [
  [/^Calculator/, CALCULATOR],
  [SEARCHES, WEB_SEARCH],
  [/^URL/, READ_PAGE],
  [/^Wikipedia|^WikipediaAPI/, WIKIPEDIA],
  [/^ArXiv/i, arxiv],
  [/^CurrentDate/, NOW]
]

function toolKnown(node: LangflowNode): Tool | undefined {
  const tool = TOOLS.find(([types]) => types.test(node.type))?.[1]
  return typeof tool === 'function' ? tool(node) : tool
}

/** The work of a tool as a step of the flow itself. */
export function toolStep(node: LangflowNode): Become | undefined {
  const found = toolKnown(node)
  if (found === undefined) return undefined
  const [asked] = Object.keys(found.asks)
  const set = textIn(node, 'query', 'input_value', 'search_query', 'expression')
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
    note: noteOf(node),
    parts: { ...parts, asked: { type: 'transform', title: 'What is asked', fields: { expression: given } } },
    links: [['asked.data', `main.${found.steps[0]!.takes}`], ...links],
    takes: () => 'asked.data',
    gives: () => `${names[last]}.${found.steps[last]!.gives}`,
    ...(found.connections && { connections: found.connections })
  }
}

function noteOf({ type }: LangflowNode): string {
  return SEARCHES.test(type)
    ? 'It searches by SerpAPI, with the connection of that name; another search is another address.'
    : /^ArXiv/i.test(type)
      ? 'Articles are items of a feed: "title", "link", "content" and "published".'
      : ''
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

function requestTool(node: LangflowNode): Omit<ToolFlow, 'name'> | undefined {
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
  return {
    description: 'Asks the database.',
    asks: {},
    steps: [
      { id: 'query', type: 'sql', takes: 'data', gives: 'rows', fields: { connection: 'database', query } }
    ],
    connections: [{ name: 'database', kind: 'postgres' }]
  }
}
