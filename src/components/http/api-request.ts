import {
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  type FieldValues,
  inTurns,
  isPlainObject,
  type JsonValue,
  type Step,
  scopeOf,
  type TemplateTree,
  templateTreeFaults
} from '../../plugin-api.ts'
import { type BodyType, bodySource, buildBody } from './build-body.ts'
import { buildHeaders, headerFaults } from './build-headers.ts'
import { buildUrl } from './build-url.ts'
import { FIELDS } from './fields.ts'
import { type PaginationKind, readPagination } from './paginate.ts'
import { paginationFaults } from './pagination-faults.ts'
import { boundaryOf, sendAndRead } from './send-request.ts'

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
  mainFields: ['url'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    body: { title: 'Body', type: 'any' },
    response: { title: 'Response', type: 'any' }
  },
  check: faultsOf,
  prepare: prepareRequest,
  acts: ({ method }, isOpen) => isOpen('method') || !READING.has(method),
  run: callAndRead
})

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

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
  return [...faults, ...paginationFaults(fields), ...headerFaults(fields.headers)]
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
  return sendAndRead({
    step,
    fields,
    pagination: prepared.pagination,
    method: fields.method,
    url,
    headers: given,
    body
  })
}
