import { type CurlArgument, curlArguments } from './curl-options.ts'
import { shellWords } from './shell-words.ts'

/** What a curl command asks for. */
export interface CurlRequest {
  readonly method: string
  readonly url: URL
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: CurlBody
  readonly timeoutMs: number | undefined
  readonly retries: number | undefined
  /** What was left out, and why. */
  readonly notices: readonly string[]
  readonly user: { readonly name: string; readonly password: string } | undefined
  readonly bearer: string | undefined
}

export type CurlBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly isJson: boolean }
  | { readonly kind: 'parts'; readonly parts: readonly (readonly [name: string, value: string])[] }

export type CurlReading =
  | { readonly request: CurlRequest; readonly message?: undefined }
  | { readonly message: string }

export function readCurl(command: string): CurlReading {
  const split = shellWords(command.trim().replace(/^[$>]\s+/, ''))
  if (split.message !== undefined) return { message: split.message }
  const [program, ...words] = split.words
  if (program === undefined || !/(?:^|[/\\])curl(?:\.exe)?$/.test(program)) {
    return { message: 'This is not a curl command: those begin with "curl".' }
  }
  const given = gather(curlArguments(words))
  const url = urlFrom(given.urls[0])
  if (url === undefined) return { message: 'The command names no address over HTTP.' }
  if (given.urls.length > 1) given.notices.push('Only the first address was taken.')
  return { request: requestOf(given, url) }
}

interface Given {
  readonly urls: string[]
  readonly headers: [string, string][]
  readonly data: string[]
  readonly parts: [string, string][]
  readonly notices: string[]
  method?: string
  isJson: boolean
  isQuery: boolean
  isHead: boolean
  isUpload: boolean
  user?: string
  bearer?: string
  timeoutMs?: number
  retries?: number
}

function gather(args: readonly CurlArgument[]): Given {
  const given: Given = {
    urls: [],
    headers: [],
    data: [],
    parts: [],
    notices: [],
    isJson: false,
    isQuery: false,
    isHead: false,
    isUpload: false
  }
  for (const argument of args) take(given, argument)
  return given
}

function take(given: Given, { meaning, option, value }: CurlArgument): void {
  switch (meaning) {
    case 'url':
      given.urls.push(value)
      return
    case 'method':
      given.method = value.toUpperCase()
      return
    case 'header':
      addHeader(given, value)
      return
    case 'json':
      given.isJson = true
      addData(given, value, option)
      return
    case 'data':
      addData(given, value, option)
      return
    case 'raw-data':
      given.data.push(value)
      return
    case 'urlencoded-data':
      addEncoded(given, value, option)
      return
    case 'form':
      addPart(given, value)
      return
    case 'form-text':
      given.parts.push(pair(value, '='))
      return
    case 'as-query':
      given.isQuery = true
      return
    case 'head':
      given.isHead = true
      return
    case 'upload':
      given.isUpload = true
      given.notices.push(`${option} sends a file from this machine. Enter what to send in the node.`)
      return
    case 'user':
      given.user = value
      return
    case 'bearer':
      given.bearer = value
      return
    case 'cookie':
      given.headers.push(['Cookie', value])
      return
    case 'agent':
      given.headers.push(['User-Agent', value])
      return
    case 'referer':
      given.headers.push(['Referer', value])
      return
    case 'max-time':
      if (Number(value) > 0) given.timeoutMs = Math.round(Number(value) * 1000)
      return
    case 'retry':
      if (Number.isInteger(Number(value)) && Number(value) >= 0) given.retries = Number(value)
      return
    case 'insecure':
      given.notices.push(`${option} was left out: certificates are always checked.`)
      return
    case 'of-this-machine':
      given.notices.push(`${option} was left out: it is about the machine that the command ran on.`)
      return
    case 'ignored':
      return
  }
}

/** `Name;` sends an empty one, `Name:` takes away one that curl would send. */
function addHeader(given: Given, line: string): void {
  if (line.startsWith('@')) {
    given.notices.push(
      'Headers from a file were left out: the file is on the machine that the command ran on.'
    )
    return
  }
  const [name, value] = pair(line, ':')
  if (name.trim() !== '' && line.includes(':') && value.trim() !== '') {
    given.headers.push([name.trim(), value.trim()])
  }
}

function addData(given: Given, value: string, option: string): void {
  if (value.startsWith('@')) given.notices.push(fromFile(option))
  else given.data.push(value)
}

/** `content`, `=content`, `name=content`, `name@file`. */
function addEncoded(given: Given, value: string, option: string): void {
  const at = value.search(/[=@]/)
  if (at >= 0 && value[at] === '@') {
    given.notices.push(fromFile(option))
    return
  }
  const name = at <= 0 ? '' : `${value.slice(0, at)}=`
  given.data.push(name + encodeURIComponent(value.slice(at + 1)))
}

function addPart(given: Given, value: string): void {
  const [name, content] = pair(value, '=')
  if (/^[@<]/.test(content)) {
    given.parts.push([name, ''])
    given.notices.push(
      `The file of "${name}" was left out: it is on the machine that the command ran on. Enter what to send in the node, as base64.`
    )
  } else given.parts.push([name, content.replace(/;type=[^;]*$/, '').replace(/^"(.*)"$/s, '$1')])
}

function fromFile(option: string): string {
  return `The file of ${option} was left out: it is on the machine that the command ran on.`
}

function pair(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** curl takes a host without a scheme for one of http. */
function urlFrom(text: string | undefined): URL | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

function requestOf(given: Given, url: URL): CurlRequest {
  const data = given.data.join('&')
  if (given.isQuery && data !== '') url.search += (url.search === '' ? '?' : '&') + data
  const body = bodyOf(given, data)
  return {
    method: given.method ?? methodFor(given, body),
    user: takeUser(given, url),
    url,
    headers: given.headers,
    body,
    timeoutMs: given.timeoutMs,
    retries: given.retries,
    notices: given.notices,
    bearer: given.bearer
  }
}

function bodyOf({ isQuery, parts, data, isJson }: Given, joined: string): CurlBody {
  if (isQuery) return { kind: 'none' }
  if (parts.length > 0) return { kind: 'parts', parts }
  if (data.length === 0) return { kind: 'none' }
  return { kind: 'text', text: isJson ? data.join('') : joined, isJson }
}

function methodFor({ isHead, isUpload }: Given, { kind }: CurlBody): string {
  if (isHead) return 'HEAD'
  if (isUpload) return 'PUT'
  return kind === 'none' ? 'GET' : 'POST'
}

/** Who signs in. An address may say so, too, and loses it here. */
function takeUser({ user }: Given, url: URL): CurlRequest['user'] {
  const inAddress =
    url.username === '' && url.password === '' ? undefined : [decoded(url.username), decoded(url.password)]
  url.username = ''
  url.password = ''
  const [name, password] = user === undefined ? (inAddress ?? []) : pair(user, ':')
  return name === undefined ? undefined : { name, password: password ?? '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
