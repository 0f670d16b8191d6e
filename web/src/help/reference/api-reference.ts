import type { LinkTo } from './help-links.ts'
import { code, type Html, html, type Reference, sentence, table } from './html.ts'
import type { ApiDescription, ApiOperation, ApiResponse, Parameter } from './openapi-document.ts'
import { type FoundOperation, operationsOf, toldOnce } from './openapi-document.ts'
import { resolved, schemaTable, typeOf } from './schema-table.ts'
import { exampleBody } from './tried-request.ts'

/** All operations of the API, by what they are about. */
export function apiList(api: ApiDescription, linkTo: LinkTo): Reference {
  const operations = operationsOf(api)
  const groups = api.tags.map(({ name, description }) => ({
    id: idOf(name),
    name,
    description,
    members: operations.filter(({ operation }) => operation.tags?.includes(name) === true)
  }))
  const body = groups.map(
    ({
      id,
      name,
      description,
      members
    }) => html`<h2 id="${id}" tabindex="-1">${name}</h2><p class="quiet">${description}</p>
${table(
  ['Operation', 'Request'],
  toldOnce(members).map((same) => [
    html`<a href="${linkTo(`api/${same[0]!.operation.operationId}`)}">${same[0]!.operation.summary}</a>`,
    html`${requestsOf(same, linkTo)}`
  ])
)}`
  )
  return {
    title: 'API',
    html: html`<h1>API</h1><p>${sentence(api.info.description)}</p><p>All of it as OpenAPI 3.1: <code>GET /api/v1/openapi.json</code>. Send a key in <code>x-api-key</code>.</p>${body}`
      .text,
    headings: groups.map(({ id, name }) => ({ id, text: name, level: 2 }))
  }
}

/** A line for each path, with its methods; where there are several, each leads to its own page. */
function requestsOf(same: readonly FoundOperation[], linkTo: LinkTo): Html[] {
  return [...Map.groupBy(same, ({ path }) => path)].map(([path, found]) => {
    const methods = found.map(({ method, operation }) =>
      same.length === 1
        ? html`<span class="badge">${method}</span> `
        : html`<a class="badge" href="${linkTo(`api/${operation.operationId}`)}">${method}</a> `
    )
    return html`<div>${methods}<code>${path}</code></div>`
  })
}

function idOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
}

/** One operation: what it takes and what it answers; `service` is where its readers find it. */
export function apiPage(
  api: ApiDescription,
  id: string,
  linkTo: LinkTo,
  service = 'http://127.0.0.1:7860'
): Reference | undefined {
  const found = operationsOf(api).find(({ operation }) => operation.operationId === id)
  if (found === undefined) return undefined
  const { method, path, operation } = found
  const parts = [
    { id: 'parameters', title: 'Parameters', body: parameterTable(operation.parameters ?? [], api) },
    { id: 'body', title: 'Body', body: bodyOf(operation, api) },
    { id: 'answers', title: 'Answers', body: html`${answersOf(operation, api)}` },
    { id: 'refusals', title: 'Refusals', body: refusalsOf(operation, linkTo) },
    { id: 'curl', title: 'By curl', body: code(curlOf(found, api, service)) }
  ].filter(({ body }) => body.text !== '')
  return {
    title: operation.summary,
    html: html`<h1>${operation.summary}</h1><p><span class="badge">${method}</span> <code>${path}</code></p>
${operation.description === undefined ? undefined : html`<p>${sentence(operation.description)}</p>`}
${parts.map((part) => html`<h2 id="${part.id}" tabindex="-1">${part.title}</h2>${part.body}`)}`.text,
    headings: parts.map((part) => ({ id: part.id, text: part.title, level: 2 }))
  }
}

function parameterTable(parameters: readonly Parameter[], api: ApiDescription): Html {
  return table(
    ['Name', 'In', 'Type', 'What it is'],
    parameters.map(({ name, in: place, required, schema, description }) => [
      html`<code>${name}</code>${required === true ? ' *' : ''}`,
      place,
      typeOf(schema, api),
      sentence(description ?? resolved(schema, api).description ?? '')
    ])
  )
}

function bodyOf({ requestBody }: ApiOperation, api: ApiDescription): Html {
  const contents = Object.entries(requestBody?.content ?? {})
  if (requestBody === undefined || contents.length === 0) return html``
  return html`${requestBody.description === undefined ? undefined : html`<p>${sentence(requestBody.description)}</p>`}${contents.map(
    ([type, { schema }]) =>
      html`<p><code>${type}</code></p>${schema === undefined ? undefined : schemaTable(schema, api)}`
  )}`
}

function answersOf({ responses }: ApiOperation, api: ApiDescription): Html[] {
  return Object.entries(responses ?? {})
    .filter(([status]) => /^[123]/.test(status))
    .map(([status, answer]) => {
      const { description, content } = answerOf(answer, api)
      return html`<h3><span class="badge">${status}</span> ${description ?? ''}</h3>${Object.entries(
        content ?? {}
      ).map(
        ([type, { schema }]) =>
          html`<p><code>${type}</code></p>${schema === undefined ? undefined : schemaTable(schema, api)}`
      )}`
    })
}

/** A shared answer is named by the codes that it refuses with. */
function refusalsOf({ responses }: ApiOperation, linkTo: LinkTo): Html {
  const rows = Object.entries(responses ?? {})
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, answer]) => {
      const codes = (answer.$ref?.split('/').at(-1) ?? '').split('.').filter((one) => one !== '')
      return [
        html`<span class="badge">${status}</span>`,
        html`${codes.map((one) => html`<a href="${linkTo(`errors#${one}`)}"><code>${one}</code></a> `)}`
      ]
    })
  return table(['Status', 'Codes'], rows)
}

function answerOf(answer: ApiResponse, api: ApiDescription): ApiResponse {
  const name = answer.$ref?.split('/').at(-1)
  return name === undefined ? answer : (api.components?.responses?.[name] ?? {})
}

/** With variables of a shell in the path: curl would read braces itself. */
function curlOf({ method, path, operation }: FoundOperation, api: ApiDescription, service: string): string {
  const content = operation.requestBody?.content ?? {}
  const json = content['application/json']
  const address = `"${service}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  const head = method === 'GET' ? `curl ${address}` : `curl -X ${method} ${address}`
  const lines = [`${head} -H "x-api-key: $KEY"`]
  const sent = JSON.stringify(exampleBody(json?.schema ?? {}, api)).replaceAll("'", "'\\''")
  if (json !== undefined) lines.push(`-H "content-type: application/json" -d '${sent}'`)
  else if (Object.keys(content).length > 0) lines.push('--data-binary @file')
  return lines.join(' \\\n  ')
}
