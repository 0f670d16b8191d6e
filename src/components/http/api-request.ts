import {
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  type FieldValues,
  inTurns,
  isPlainObject,
  type JsonValue,
  type OpenConnection,
  type Step,
  scopeOf,
  type TemplateTree,
  templateTreeFaults
} from '../../plugin-api.ts'
import { type BodyType, bodySource, buildBody } from './build-body.ts'
import { buildHeaders, type Headers, headerFaults } from './build-headers.ts'
import { buildUrl } from './build-url.ts'
import { call } from './call.ts'
import { FIELDS } from './fields.ts'
import { type PaginationKind, pauseFault, readPages, readPagination } from './paginate.ts'
import { ByteAllowance } from './read-bytes.ts'
import { sendable } from './streamed-body.ts'

type Values = FieldValues<typeof FIELDS>

/** Calls an address over HTTP, and gives out what it answers. */
export const apiRequest = defineComponent({
  type: 'api-request',
  title: 'API Request',
  description: 'Calls an HTTP API and returns the response.',
  category: 'Reach out',
  icon: 'world',
  keywords: [
    'http',
    'https',
    'http request',
    'rest',
    'fetch',
    'curl',
    'url',
    'web',
    'call',
    'get',
    'post',
    'graphql',
    'axios'
  ],
  example: 'GET /customers/{customer_id} of the shop, with the key of a connection.',
  fields: FIELDS,
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    body: { title: 'Body', type: 'any' },
    response: { title: 'Response', type: 'any' }
  },
  check: faultsOf,
  prepare: prepareRequest,
  run: callAndRead
})

function faultsOf(fields: Values): FieldFault[] {
  const faults: FieldFault[] = []
  const isAbsolute = /^\s*(?:https?:\/\/|\{)/i.test(fields.url)
  if (fields.connection === '' && !isAbsolute) {
    const message =
      'Without a connection the URL begins with http:// or https://. Write a whole one, or choose a connection.'
    faults.push({ field: 'url', code: 'url_invalid', message })
  }
  if (/^\s*https?:\/\/[^/?#]*@/i.test(fields.url)) {
    const message = 'It holds a user or a password. Take them out, and keep them in a connection.'
    faults.push({ field: 'url', code: 'url_invalid', message })
  }
  for (const field of ['query', 'headers'] as const) {
    const value = fields[field]
    if (value === null || value === '' || isPlainObject(value)) continue
    faults.push({
      field,
      message: 'It takes an object whose texts are templates, such as { "name": "{value}" }.'
    })
  }
  for (const field of ['url', 'query', 'headers', 'body', 'items', 'next'] as const) {
    faults.push(...templateTreeFaults(fields[field]).map((fault) => ({ field, ...fault })))
  }
  if (fields.pagination === 'Cursor' && fields.next.trim() === '') {
    faults.push({
      field: 'next',
      message: 'Say where an answer names the cursor of the next page, such as {body.next_cursor?}.'
    })
  }
  const wrongPause = pauseFault(fields.pause)
  if (wrongPause !== undefined) faults.push({ field: 'pause', message: wrongPause })
  return [...faults, ...headerFaults(fields.headers)]
}

/** The fields as they are needed for each request. */
function prepareRequest(fields: Values) {
  return {
    url: compileTemplate(fields.url.trim()),
    query: treeIn(fields.query),
    headers: treeIn(fields.headers),
    body: bodySource(fields.body),
    pagination: readPagination({ ...fields, pagination: fields.pagination as PaginationKind })
  }
}

function treeIn(value: JsonValue): TemplateTree | undefined {
  return isPlainObject(value) && Object.keys(value).length > 0 ? compileTemplateTree(value) : undefined
}

type RequestStep = Step<
  typeof FIELDS,
  { readonly data: { readonly title: string; readonly type: 'any' } },
  ReturnType<typeof prepareRequest>
>

async function callAndRead(step: RequestStep) {
  const { fields, prepared, inputs, run } = step
  const data = inputs.data as JsonValue | undefined
  const scope = scopeOf(data, run.variables)
  const hasConnection = fields.connection !== ''
  const url = buildUrl({ url: prepared.url, query: prepared.query, hasConnection }, scope)
  const given = buildHeaders(prepared.headers, scope)
  const body = await inTurns(
    buildBody({
      source: prepared.body,
      type: fields.body_type as BodyType,
      method: fields.method,
      headers: given,
      data,
      scope,
      boundary: boundaryOf(step.idempotencyKey)
    }),
    step
  )
  const content = body === null ? null : await sendable(body.content, step)
  const headers = completed(given, body === null ? undefined : body.contentType)
  const connection = hasConnection ? step.connection(fields.connection, ['http']) : undefined
  const send = connection?.request ?? step.request
  const allowance = new ByteAllowance(fields.max_bytes, step.outputLimit)
  const ask = (at: string, page: number) =>
    call({
      send,
      url: at,
      method: fields.method,
      headers: keyed(headers, step.idempotencyKey, page),
      body: content,
      fields,
      allowance,
      step
    })
  if (prepared.pagination === undefined) {
    const response = await ask(url, 1)
    return { body: response.body, response }
  }
  const { items, count, last } = await readPages(prepared.pagination, url, {
    ask,
    origins: connection && originsOf(connection, url),
    carried: step.carried,
    allowance,
    signal: step.signal
  })
  return { body: items, response: { ...last, body: items, pages: count } }
}

/** The connection's own, and the one that the flow itself names. */
function originsOf({ settings }: OpenConnection, url: string): ReadonlySet<string> {
  const urls = [URL.parse(String(settings.base_url)), URL.parse(url)]
  return new Set(urls.flatMap((each) => (each === null ? [] : [each.origin])))
}

/** What every request carries, unless the node says otherwise; an empty value takes it out. */
function completed(given: Headers, contentType: string | undefined): Headers {
  const headers: Headers = {
    'user-agent': 'Millrace',
    accept: 'application/json, text/plain;q=0.9, */*;q=0.8'
  }
  if (contentType !== undefined) headers['content-type'] = contentType
  return { ...headers, ...given }
}

/** Each page is a request of its own: one key for all would be answered with the first page again. */
function keyed(headers: Headers, key: string, page: number): Headers {
  const all: Headers = { 'idempotency-key': page === 1 ? key : `${key}/${page}`, ...headers }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** The key is known to nobody who could put the boundary into a value. */
function boundaryOf(key: string): string {
  return `millrace-${key.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 50)}`
}
