import type { Part } from '../become.ts'
import { literalText } from '../expressions/template-text.ts'
import { OWN_ID } from '../references.ts'
import { membersIn, numberOf, textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import { isMustache, MUSTACHE, mustacheCode } from './mustache.ts'
import type { Writer } from './writer.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The request as Node-RED gives it: `payload` is the query of a GET, and else the body. */
const httpIn: Mapping = (node, write, { isAnswered }) => {
  const { raw } = node
  const method = textOf(raw.method).toUpperCase() || 'GET'
  const url = textOf(raw.url)
  const named = [...url.matchAll(/:([A-Za-z_]\w*)/g)].map(([, name]) => name!)
  if (raw.upload === true) write.tell('Files of a form are in the payload, by their names.')
  write.tell(`Callers use the address of this flow, and not ${url || '/'}.`)
  if (named.length > 0)
    write.tell(`What stood in the path comes by the query: ${named.map((name) => `?${name}=`).join(', ')}`)
  const params = named.map((name) => `${JSON.stringify(name)}: query[${JSON.stringify(name)}]`).join(', ')
  const code = `const { headers = {}, query = {}, method = ${JSON.stringify(method)} } = nodes["${OWN_ID}"].request ?? {}
const type = headers['content-type'] ?? ''
const isText = data !== null && typeof data === 'object' && typeof data.payload === 'string' && Object.keys(data).length === 1 && !/json|form/.test(type)
const body = isText ? data.payload : data
const cookies = Object.fromEntries((headers.cookie ?? '').split(/; */).filter((each) => each.includes('=')).map((each) => [each.slice(0, each.indexOf('=')).trim(), each.slice(each.indexOf('=') + 1)]))
const req = { method, headers, query, params: { ${params} }, cookies, body: method === 'GET' ? {} : body, url: ${JSON.stringify(url)}, path: ${JSON.stringify(url)} }
return { _msgid: run.id, payload: method === 'GET' ? query : body, req, res: {} }`
  const fields = {
    methods: METHODS.includes(method) ? [method] : ['POST'],
    auth: 'None',
    ...(isAnswered && { respond: 'When the flow answers' })
  }
  return write.become(
    {
      main: { type: 'webhook', fields },
      message: { type: 'code', title: 'As Node-RED gives it', fields: { code } }
    },
    'message.result',
    [['main.data', 'message.data']]
  )
}

/** Headers that Respond and API Request set themselves, or refuse. */
const NOT_SENT =
  /^(?:content-type|content-length|connection|host|transfer-encoding|keep-alive|upgrade|expect|te|trailer|set-cookie|strict-transport-security|access-control-.*|proxy-.*|content-security-policy)$/i

const FIRST = `const msg = $list(data).flat(Infinity).find((each) => each !== null && each !== undefined)
if (msg === undefined) return`

const httpResponse: Mapping = (node, write, { headers, isList }) => {
  const { raw } = node
  const own = Object.entries((raw.headers ?? {}) as Record<string, unknown>)
  const set = own.map(([name, value]) => [name.toLowerCase(), textOf(value)] as const)
  const names = [...new Set([...set.map(([name]) => name), ...headers])].filter(
    (name) => !NOT_SENT.test(name)
  )
  const left = set.filter(([name]) => NOT_SENT.test(name) && name !== 'content-type').map(([name]) => name)
  if (left.length > 0)
    write.tell(`It does not send ${left.join(', ')}: Millrace sets or refuses that itself.`)
  const status = numberOf(raw.statusCode)
  if (isList) write.tell('It answers with the first message, once all of them have come.')
  const code = write.code(`${isList ? FIRST : 'const msg = data'}
const headers = { ...Object.fromEntries(Object.entries(msg.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])), ...${JSON.stringify(Object.fromEntries(set))} }
const { payload } = msg
const isText = typeof payload !== 'object' || payload === null
return { status: ${status ?? 'msg.statusCode ?? 200'}, headers, body: payload === undefined || payload === null ? '' : isText ? String(payload) : payload, type: headers['content-type'] ?? (isText ? 'text/html' : payload.content_type ?? 'application/json') }`)
  const part: Part = {
    type: 'respond',
    fields: {
      status: status === undefined ? '{status}' : String(status),
      body: '{body}',
      headers: {
        'content-type': '{type}',
        ...Object.fromEntries(names.map((name) => [name, `{headers[${name}]?}`]))
      }
    }
  }
  return write.become(
    { main: part, answer: { type: 'code', title: 'What is answered', fields: { code } } },
    'main.data',
    [['answer.result', 'main.data']],
    { takes: 'answer.data' }
  )
}

/** The answer becomes the payload of the message that asked. */
const httpRequest: Mapping = (node, write, { headers }) => {
  const { raw } = node
  const asked = textOf(raw.method).toUpperCase() || 'GET'
  const isKnown = [...METHODS, 'HEAD', 'OPTIONS'].includes(asked)
  if (!isKnown) write.tell('The message said which method: choose one here.')
  const method = isKnown ? asked : 'POST'
  const url = textOf(raw.url)
  const sends = !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
  const inQuery = raw.paytoqs === true || raw.paytoqs === 'query'
  const inBody = raw.paytoqs === 'body'
  const ret = textOf(raw.ret) || 'txt'
  const own = membersIn(raw.headers).map(({ keyType, keyValue, valueType, valueValue }) => [
    keyType === 'other' || keyType === undefined ? textOf(keyValue) : textOf(keyType),
    valueType === 'other' || valueType === undefined
      ? JSON.stringify(textOf(valueValue))
      : write.value(valueType, valueValue || valueType)
  ])
  const names = [...new Set([...own.map(([name]) => name!.toLowerCase()), ...headers])].filter(
    (name) => (!NOT_SENT.test(name) || name === 'content-type') && /^[\w-]+$/.test(name)
  )
  const query = inQuery
    ? `{ const payload = msg.payload; if (payload !== null && typeof payload === 'object') url += (url.includes('?') ? '&' : '?') + Object.entries(payload).map(([name, value]) => encodeURIComponent(name) + '=' + encodeURIComponent(String(value))).join('&') }`
    : ''
  const code = write.code(`const msg = data
let url = ${addressOf(url, write)}
if (url !== '' && !/^https?:/.test(url)) url = 'http://' + url
${query}
const headers = { ...Object.fromEntries(Object.entries(msg.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])), ${own.map(([name, value]) => `${JSON.stringify(name!.toLowerCase())}: ${value}`).join(', ')} }
return { url, headers, body: msg.payload ?? '' }`)
  const auth = textOf(raw.authType)
  const connection = auth === '' ? undefined : write.connection('http', hostOf(url), node.title)
  if (auth === 'digest') write.tell('Digest is not among the ways in of a connection.')
  if (textOf(raw.proxy) !== '') write.tell('Its proxy is left out.')
  const types: Readonly<Record<string, string>> = { txt: 'Text', obj: 'JSON', bin: 'Binary' }
  const request: Part = {
    type: 'api-request',
    fields: {
      ...(connection !== undefined && { connection }),
      method,
      url: '{url}',
      ...(names.length > 0 && {
        headers: Object.fromEntries(names.map((name) => [name, `{headers[${name}]?}`]))
      }),
      ...(sends || inBody ? { body: '{body}' } : { body_type: 'None' }),
      response_type: ret === 'obj' ? 'Auto' : (types[ret] ?? 'Text'),
      fail_on_status: false
    }
  }
  const put = write.code(`const msg = data
const response = nodes["${OWN_ID}"]?.response
if (response === undefined) return
return { ...msg, payload: response.body, statusCode: response.status, headers: response.headers, responseUrl: response.url }`)
  return write.become(
    {
      main: request,
      request: { type: 'code', title: `${node.title}: what is asked`.slice(0, 200), fields: { code } },
      put: { type: 'code', title: 'As Node-RED gives it', fields: { code: put } }
    },
    'put.result',
    [
      ['request.result', 'main.data'],
      ['main.response', 'put.data']
    ],
    { takes: 'put.data', feeds: ['request.data'] }
  )
}

/** The address of the node, in which Mustache may stand, or that of the message. */
function addressOf(url: string, write: Writer): string {
  if (url === '') return "String(msg.url ?? '')"
  if (!isMustache(url)) return JSON.stringify(url)
  const written = mustacheCode(url, write)
  return written === undefined
    ? JSON.stringify(literalText(url))
    : `(() => { ${MUSTACHE.replaceAll('\n', '; ')}; const stack = [msg]; return ${written} })()`
}

function hostOf(url: string): string {
  return /^(?:https?:\/\/)?([^/:{?#]+)/.exec(url)?.[1] ?? ''
}

export const NETWORK: Readonly<Record<string, Mapping>> = {
  'http in': httpIn,
  'http response': httpResponse,
  'http request': httpRequest
}
