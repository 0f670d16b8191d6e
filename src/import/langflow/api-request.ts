import type { Become, Part } from '../become.ts'
import { literalText } from '../expressions/template-text.ts'
import { listOf, textOf } from '../values.ts'
import { type SourceOf, wiredTemplate } from './basic.ts'
import { type LangflowNode, tableOf, textIn, valueIn } from './langflow-node.ts'

/** What Langflow gives of an answer. */
const ANSWER: Part = {
  type: 'transform',
  title: 'As Langflow answers',
  fields: {
    expression: '{ "source": $.url, "result": $.body, "status_code": $.status, "headers": $.headers }'
  }
}

export function apiRequest(node: LangflowNode, sourceOf: SourceOf): Become {
  const method = (textIn(node, 'method') || 'GET').toUpperCase()
  const [url, ...others] = urlsOf(node, sourceOf)
  const headers = templates(tableOf(node, 'headers'))
  const query = templates(tableOf(node, 'query_params'))
  const body = SENDS_A_BODY.has(method) ? { body: bodyOf(node, sourceOf) } : {}
  const fields = {
    method,
    url: url ?? '',
    fail_on_status: false,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(query).length > 0 && { query }),
    ...body,
    ...(valueIn(node, 'follow_redirects') === false && { follow_redirects: false })
  }
  const note = notesOf(node, url ?? '', others)
  return {
    verdict: note === '' ? 'exact' : 'adapted',
    note,
    parts: { main: { type: 'api-request', fields }, answer: ANSWER },
    links: [['main.response', 'answer.data']],
    takes: () => 'main.data',
    gives: () => 'answer.data'
  }
}

const SENDS_A_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
const URLS = ['url_input', 'urls', 'url']

/** Older files have a list of them. */
function urlsOf(node: LangflowNode, sourceOf: SourceOf): string[] {
  const wired = URLS.find((name) => node.wired.has(name))
  if (wired !== undefined) return [wiredTemplate(node, wired, sourceOf)]
  const name = URLS.find((each) => Object.hasOwn(node.template, each)) ?? 'url'
  const several = listOf(valueIn(node, name)).map((url) => literalText(textOf(url)))
  return several.length > 0 ? several : [wiredTemplate(node, name, sourceOf)]
}

function templates(table: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, literalText(value)]))
}

/** A body that is not set is an empty object there. */
function bodyOf(node: LangflowNode, sourceOf: SourceOf): unknown {
  if (node.wired.has('body')) return wiredTemplate(node, 'body', sourceOf)
  return Object.fromEntries(
    Object.entries(tableOf(node, 'body')).map(([name, value]) => [name, jsonOrText(value)])
  )
}

const LONGEST_JSON = 4_000

/** Langflow reads each text that is JSON. */
function jsonOrText(text: string): unknown {
  if (text.length > LONGEST_JSON) return literalText(text)
  try {
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? literalText(value) : value))
  } catch {
    return literalText(text)
  }
}

function notesOf(node: LangflowNode, url: string, others: readonly string[]): string {
  const isCurl = textIn(node, 'mode') === 'cURL' || (url === '' && textIn(node, 'curl_input') !== '')
  const unsent = ['headers', 'query_params'].filter((name) => node.wired.has(name))
  return [
    isCurl ? 'It was made by a curl command: paste that into the API Request.' : '',
    others.length > 0
      ? `It asked ${others.length + 1} addresses; here it asks the first: copy it for ${others.join(', ').slice(0, 500)}.`
      : '',
    unsent.length > 0
      ? `Its ${unsent.join(' and ')} came by a wire, and are not sent: write each with {$nodes…} into the field.`
      : ''
  ]
    .filter((told) => told !== '')
    .join(' ')
}
