import type { Part } from '../become.ts'
import { isMembers, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { ownLineNote } from './apps/own-line.ts'
import { handedOn, type OnEmpty } from './emptiness.ts'
import { type Mapping, several } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import { paginationOf } from './pagination.ts'
import type { Writer } from './writer.ts'

/** Of an answer that is text, or a file, n8n makes an item of its own. */
function asItem(params: Members, onEmpty: OnEmpty): Part {
  const response = membersOf(membersOf(membersOf(params.options).response).response)
  const isFile = responseOf(params).format === 'Binary'
  const name = JSON.stringify(
    textOf(response.outputPropertyName) || textOf(params.dataPropertyName) || 'data'
  )
  const code = isFile
    ? `return { [${name}]: data }`
    : `if (Array.isArray(data)) { ${handedOn('data', onEmpty).replace('\n', '; ')} }
return typeof data === 'string' ? { [${name}]: data } : data`
  return { type: 'code', title: 'As n8n gives it', fields: { code } }
}

const request: Mapping = (node, write, { onEmpty }) => {
  const fields = requestFields(node, write)
  const { isWhole } = responseOf(node.params)
  const item: Part = isWhole
    ? {
        type: 'code',
        title: 'As n8n gives it',
        fields: { code: 'return { body: data.body, headers: data.headers, statusCode: data.status }' }
      }
    : asItem(node.params, onEmpty)
  write.tell('A list that is answered goes on as one list; n8n makes an item of each of its members.')
  return several({ main: { type: 'api-request', fields }, item }, write, { takes: 'data', gives: 'result' }, [
    [isWhole ? 'main.response' : 'main.body', 'item.data']
  ])
}

/** What all versions say of a request. */
export function requestFields(node: N8nNode, write: Writer): Record<string, unknown> {
  const { params } = node
  const options = membersOf(params.options)
  const method = methodOf(textOf(params.method) || textOf(params.requestMethod) || 'GET')
  const query = tableOf(node, 'query', write)
  const headers = withoutTypes(tableOf(node, 'header', write))
  const { neverFails, format } = responseOf(params)
  const connection = connectionOf(node, write)
  const retryable = membersOf(options.redirect)
  const redirects = membersOf(retryable.redirect).followRedirects ?? options.followRedirect
  return {
    ...(connection !== undefined && { connection }),
    method,
    url: write.address(params.url),
    ...(query !== undefined && { query }),
    ...(headers !== undefined && { headers }),
    ...bodyOf(node, method, write),
    ...(neverFails && { fail_on_status: false }),
    ...(format !== undefined && { response_type: format }),
    ...(redirects === false && { follow_redirects: false }),
    ...paginationOf(options, write)
  }
}

function methodOf(method: string): string {
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
  return known.find((each) => each === method.toUpperCase()) ?? 'GET'
}

/** Credentials of its own kinds are a connection. */
function connectionOf(node: N8nNode, write: Writer): string | undefined {
  const by = textOf(node.params.authentication) || textOf(node.params.nodeCredentialType)
  if (Object.keys(node.credentials).length === 0 && (by === '' || by === 'none')) return undefined
  const type = textOf(node.params.nodeCredentialType) || textOf(node.params.genericAuthType)
  return write.connection('http', undefined, type || 'http')
}

/** Parameters as rows, or as JSON. */
function tableOf(node: N8nNode, which: 'query' | 'header' | 'body', write: Writer): unknown {
  const { params } = node
  const title = `${which[0]!.toUpperCase()}${which.slice(1)}`
  const isAsked = node.version < 3 || params[`send${which === 'header' ? 'Headers' : title}`] === true
  if (!isAsked) return undefined
  const json = params[`json${which === 'header' ? 'Headers' : title}`] ?? params[`${which}ParametersJson`]
  const isJson =
    params[`specify${which === 'header' ? 'Headers' : title}`] === 'json' || params.jsonParameters === true
  if (isJson && json !== undefined)
    return which === 'body' ? jsonTree(json, write) : (membersWritten(json, write) ?? jsonTree(json, write))
  const rows = membersIn(
    membersOf(params[`${which}Parameters`] ?? params[`parameters${title}`]).parameters ??
      membersOf(params[`parameters${title}`]).values ??
      membersOf(params[`${which}ParametersUi`]).parameter
  )
  const named = rows.filter(({ name }) => textOf(name) !== '')
  if (named.length === 0) return undefined
  return Object.fromEntries(
    named.map(({ name, value }) => [textOf(name).replace(/^=/, ''), write.template(value)])
  )
}

/** JSON whose texts hold expressions, as an object of templates; undefined where it is none without them. */
function membersWritten(value: unknown, write: Writer): Members | undefined {
  if (typeof value !== 'string' || !isWritten(value)) return undefined
  try {
    const read: unknown = JSON.parse(value.slice(1))
    if (!isMembers(read)) return undefined
    const written = (each: unknown) => (typeof each === 'string' ? `=${each}` : each)
    return Object.fromEntries(Object.entries(read).map(([name, each]) => [name, write.tree(written(each))]))
  } catch {
    return undefined
  }
}

/** JSON in which expressions stand: an object of templates where it is one, else one template. */
export function jsonTree(value: unknown, write: Writer): unknown {
  if (typeof value !== 'string') return write.tree(value)
  if (isWritten(value)) return objectOf(value, write) ?? write.template(value)
  try {
    const read: unknown = JSON.parse(value)
    return isMembers(read) || Array.isArray(read) ? write.tree(read) : write.template(value)
  } catch {
    return write.template(value)
  }
}

/** `={{ { a: $json.b } }}` and others that are no text are computed. */
function objectOf(value: string, write: Writer): unknown {
  const inner = /^=\s*\{\{([\s\S]*)\}\}\s*$/.exec(value)?.[1]
  return inner === undefined || inner.includes('}}') || inner.includes('{{')
    ? undefined
    : write.template(value)
}

function withoutTypes(headers: unknown): unknown {
  if (!isMembers(headers)) return headers
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !/^(?:content-length|connection|host|transfer-encoding|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/i.test(
        name
      )
  )
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

function bodyOf(node: N8nNode, method: string, write: Writer): Record<string, unknown> {
  const { params } = node
  const sends = node.version >= 3 ? params.sendBody === true : method !== 'GET' && method !== 'HEAD'
  const type = textOf(params.contentType) || textOf(params.bodyContentType) || 'json'
  if (!sends) return ['POST', 'PUT', 'PATCH'].includes(method) ? { body_type: 'None' } : {}
  if (params.sendBinaryData === true || type === 'binaryData') {
    const field = textOf(params.inputDataFieldName) || textOf(params.binaryPropertyName) || 'data'
    write.tell(`The body is the file that stands at "${field}" of the data.`)
    return { body: `{[${field.replaceAll(']', '')}]?}`, body_type: 'Binary' }
  }
  if (type === 'raw') return { body: write.template(params.body), body_type: 'Text' }
  const given = tableOf(node, 'body', write)
  const whole =
    given ??
    (params.jsonBody === undefined
      ? params.body && write.template(params.body)
      : jsonTree(params.jsonBody, write))
  if (whole === undefined || whole === '') return node.version >= 3 ? { body: {} } : { body_type: 'None' }
  return { body: whole, ...bodyType(type) }
}

function bodyType(type: string): { body_type?: string } {
  if (type === 'form-urlencoded') return { body_type: 'Form' }
  if (type === 'multipart-form-data') return { body_type: 'Multipart' }
  return type === 'json' ? { body_type: 'JSON' } : {}
}

function responseOf(params: Members): { isWhole: boolean; neverFails: boolean; format: string | undefined } {
  const options = membersOf(params.options)
  const response = membersOf(membersOf(options.response).response)
  const format = textOf(response.responseFormat) || textOf(params.responseFormat)
  const formats: Readonly<Record<string, string>> = { file: 'Binary', text: 'Text', string: 'Text' }
  return {
    isWhole: response.fullResponse === true || options.fullResponse === true,
    neverFails: response.neverError === true || options.ignoreResponseCode === true,
    format: formats[format]
  }
}

const graphql: Mapping = (node, write) => {
  const connection = connectionOf(node, write)
  const fields = {
    ...(connection !== undefined && { connection }),
    method: 'POST',
    url: write.template(node.params.endpoint),
    body: {
      query: write.template(node.params.query),
      variables: jsonTree(node.params.variables ?? {}, write)
    }
  }
  return several({ main: { type: 'api-request', fields } }, write, { takes: 'data', gives: 'body' })
}

const feed: Mapping = (node, write) =>
  several(
    {
      main: {
        type: 'api-request',
        fields: { method: 'GET', url: write.template(node.params.url), response_type: 'Text' }
      },
      items: { type: 'convert', fields: { mode: 'Feed to items' } }
    },
    write,
    { takes: 'data', gives: 'data' },
    [['main.body', 'items.data']]
  )

const email: Mapping = (node, write) => {
  const { params } = node
  const options = membersOf(params.options)
  if (params.operation === 'sendAndWait') return sendAndWait(node, write)
  write.tell(ownLineNote(node, 'email/send'))
  const isText = params.emailFormat === 'text'
  const html = params.html ?? (isText ? undefined : params.message)
  const fields = {
    connection: write.connection('smtp'),
    to: write.template(params.toEmail ?? params.sendTo),
    subject: write.template(params.subject),
    ...(params.fromEmail !== undefined && { from: write.template(params.fromEmail) }),
    ...((params.ccEmail ?? options.ccEmail) !== undefined && {
      cc: write.template(params.ccEmail ?? options.ccEmail)
    }),
    ...((params.bccEmail ?? options.bccEmail) !== undefined && {
      bcc: write.template(params.bccEmail ?? options.bccEmail)
    }),
    ...(options.replyTo !== undefined && { reply_to: write.template(options.replyTo) }),
    ...(params.text !== undefined && { text: write.template(params.text) }),
    ...(html !== undefined && { html: write.template(html) })
  }
  return several({ main: { type: 'send-email', fields } }, write, { takes: 'data', gives: 'result' })
}

/** Whoever is asked answers by a link. */
function sendAndWait(node: N8nNode, write: Writer): ReturnType<Mapping> {
  const question = write.template(node.params.message ?? node.params.subject) || 'Approve?'
  return {
    ...several(
      { main: { type: 'approve', fields: { question } } },
      write,
      { takes: 'data' },
      [],
      'Whoever answers does so by a link or on the page of approvals; send the link {$approve.…} by a step before it. What was asked by a free form has two choices here.'
    ),
    gives: () => 'main.approve'
  }
}

export const HTTP: Readonly<Record<string, Mapping>> = {
  httpRequest: request,
  graphql,
  rssFeedRead: feed,
  emailSend: email
}
