import { literalText } from '../expressions/template-text.ts'
import type { Tool } from '../known-tools.ts'
import { type Members, membersOf, textOf } from '../values.ts'
import { plainText, rowsOf } from './flowise-node.ts'
import { valuesOf } from './writer.ts'

/** A tool that sends a request: what the model gives goes into its path, its query or its body, as its schema says. */
export function requestTool(name: string, config: Members): Tool {
  const method = name.replace(/^requests?/i, '').toUpperCase()
  const setting = (end: RegExp) => config[Object.keys(config).find((each) => end.test(each)) ?? '']
  const url = plainText(setting(/^url$|Url$/))
  const isWhole = url === '' || /^https?:/.test(url)
  const asked = askedIn(setting(/Schema$/))
  const isBody = method === 'POST' || method === 'PUT'
  const inQuery = isBody ? [] : asked.filter(({ isPath }) => !isPath)
  const inPath = isBody ? [] : asked.filter(({ isPath }) => isPath)
  const body = texts(valuesOf(setting(/Body$/)))
  const headers = texts(headersOf(setting(/Headers$/)))
  const given = Object.fromEntries(asked.map((each) => [each.name, `{${each.name}}`]))
  const fields = {
    ...(isWhole ? {} : { connection: 'api' }),
    method,
    url: url === '' ? '{url}' : withPath(url, inPath),
    ...(inQuery.length > 0 && {
      query: Object.fromEntries(inQuery.map((each) => [each.name, `{${each.name}?}`]))
    }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(isBody && Object.keys(body).length > 0 && { body: { ...body, ...given } })
  }
  return {
    description: textOf(setting(/Description$/)) || 'Sends a request and gives the answer.',
    asks: {
      ...(url === '' && { url: { type: 'string', description: 'The address' } }),
      ...Object.fromEntries(asked.map(({ name, type, description }) => [name, { type, description }]))
    },
    steps: [{ id: 'request', type: 'api-request', takes: 'data', gives: 'body', fields }],
    ...(isWhole ? {} : { connections: [{ name: 'api', kind: 'http' }] })
  }
}

interface Asked {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly isPath: boolean
}

/** Only names that a template can say. */
function askedIn(schema: unknown): Asked[] {
  return Object.entries(valuesOf(schema))
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .slice(0, 50)
    .map(([name, value]) => {
      const { type, description, in: place } = membersOf(value)
      const kind = /^(?:number|boolean|array|object)$/.exec(textOf(type))?.[0] ?? 'string'
      return { name, type: kind, description: textOf(description), isPath: place === 'path' }
    })
}

/** `:id` in it is what was given as id; what stands nowhere comes behind it. */
function withPath(url: string, inPath: readonly Asked[]): string {
  const named = new Set<string>()
  const written = literalText(url).replace(/:([A-Za-z_]\w*)/g, (whole, name: string) => {
    if (!inPath.some((each) => each.name === name)) return whole
    named.add(name)
    return `{${name}}`
  })
  const rest = inPath.filter(({ name }) => !named.has(name)).map(({ name }) => `/{${name}}`)
  return rest.length === 0 ? written : written.replace(/\/$/, '') + rest.join('')
}

function headersOf(value: unknown): Readonly<Record<string, unknown>> {
  const rows = rowsOf(value)
  return rows.length > 0
    ? Object.fromEntries(rows.map((row) => [textOf(row.key), row.value]))
    : valuesOf(value)
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name !== '')
      .map(([name, value]) => [name, typeof value === 'string' ? literalText(plainText(value)) : value])
  )
}
