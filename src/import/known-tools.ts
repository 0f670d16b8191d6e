import type { ToolFlow } from './tool-flow.ts'

/** What a tool of an agent does; its name is that of the node. */
export type Tool = Omit<ToolFlow, 'name'>

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

export const CALCULATOR: Tool = {
  description: 'Calculates the value of an arithmetic expression.',
  asks: { expression: { type: 'string', description: 'Such as 2 * (3 + 4)' } },
  steps: [{ id: 'calculate', type: 'code', takes: 'data', gives: 'result', fields: { code: CALCULATE } }]
}

export const WEB_SEARCH: Tool = {
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

export const READ_PAGE: Tool = {
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

export const WIKIPEDIA: Tool = {
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

/** `field` is where it looks, in arXiv's own short words. */
export function arxiv(field = 'all', most = '10'): Tool {
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
          query: { search_query: `${field}:{search_query}`, max_results: most },
          response_type: 'Text'
        }
      },
      { id: 'items', type: 'convert', takes: 'data', gives: 'data', fields: { mode: 'Feed to items' } }
    ]
  }
}

/** Items of a feed at an address. */
export function feed(told: Pick<Tool, 'description' | 'asks'>, url: string, query?: object): Tool {
  return {
    ...told,
    steps: [
      {
        id: 'feed',
        type: 'api-request',
        takes: 'data',
        gives: 'body',
        fields: { method: 'GET', url, ...(query && { query }), response_type: 'Text' }
      },
      { id: 'items', type: 'convert', takes: 'data', gives: 'data', fields: { mode: 'Feed to items' } }
    ]
  }
}

export const READ_FEED = feed(
  {
    description: 'Reads a feed, and gives its items.',
    asks: { rss_url: { type: 'string', description: 'The address of the feed' } }
  },
  '{rss_url}'
)

/** Yahoo's own feed of headlines. */
export const COMPANY_NEWS = feed(
  {
    description: 'Gives the headlines about a company, by its ticker.',
    asks: { query: { type: 'string', description: 'The ticker, such as AAPL' } }
  },
  'https://feeds.finance.yahoo.com/rss/2.0/headline',
  { s: '{query}', region: 'US', lang: 'en-US' }
)

export const NOW: Tool = {
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
