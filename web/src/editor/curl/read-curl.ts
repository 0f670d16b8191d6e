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

type CurlBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly isJson: boolean }
  | { readonly kind: 'parts'; readonly parts: readonly (readonly [name: string, value: string])[] }

type CurlReading =
  | { readonly request: CurlRequest; readonly message?: undefined }
  | { readonly message: string }

export function readCurl(command: string): CurlReading {
  const split = shellWords(command.trim().replace(/^[$>]\s+/, ''))
  if (split.message !== undefined) return { message: split.message }
  const [program, ...words] = split.words
  if (program === undefined || !/(?:^|[/\\])curl(?:\.exe)?$/.test(program)) {
    return { message: 'This is not a curl command: those begin with "curl".' }
  }
  const options = gather(curlArguments(words), split.input)
  const url = urlFrom(options.urls[0])
  if (url === undefined) return { message: 'The command names no address over HTTP.' }
  if (options.urls.length > 1) options.notices.push('Only the first address was taken.')
  return { request: requestOf(options, url) }
}

interface CurlOptions {
  readonly urls: string[]
  readonly headers: [string, string][]
  readonly data: string[]
  /** For the address, beside what `-G` moves there. */
  readonly query: string[]
  readonly parts: [string, string][]
  readonly notices: string[]
  /** What `@-` reads. */
  readonly input: string | undefined
  method?: string
  /** Also where what is sent had to be left out. */
  hasData: boolean
  isJson: boolean
  isQuery: boolean
  isHead: boolean
  isUpload: boolean
  user?: string
  bearer?: string
  timeoutMs?: number
  retries?: number
  /** By something that no connection does. */
  signsInOtherwise: boolean
}

function gather(args: readonly CurlArgument[], input: string | undefined): CurlOptions {
  const options: CurlOptions = {
    urls: [],
    headers: [],
    data: [],
    query: [],
    parts: [],
    notices: [],
    input,
    hasData: false,
    signsInOtherwise: false,
    isJson: false,
    isQuery: false,
    isHead: false,
    isUpload: false
  }
  for (const argument of args) {
    if (argument.meaning === 'next') {
      options.notices.push('Only the first request was taken: others follow --next.')
      break
    }
    take(options, argument)
  }
  return options
}

function take(options: CurlOptions, { meaning, option, value }: CurlArgument): void {
  switch (meaning) {
    case 'url':
      options.urls.push(value)
      return
    case 'method':
      options.method = value.toUpperCase()
      return
    case 'header':
      addHeader(options, value)
      return
    case 'json':
      options.isJson = true
      addData(options, value, option)
      return
    case 'data':
      addData(options, value, option)
      return
    case 'raw-data':
      options.hasData = true
      options.data.push(value)
      return
    case 'urlencoded-data':
      options.hasData = true
      addEncoded(options, options.data, value, option)
      return
    case 'query':
      // What begins with + is taken as it is.
      if (value.startsWith('+')) options.query.push(value.slice(1))
      else addEncoded(options, options.query, value, option)
      return
    case 'form':
      addPart(options, value)
      return
    case 'form-text':
      options.parts.push(pair(value, '='))
      return
    case 'as-query':
      options.isQuery = true
      return
    case 'head':
      options.isHead = true
      return
    case 'upload':
      options.isUpload = true
      options.notices.push(`${option} sends a file from this machine. Enter what to send in the node.`)
      return
    case 'user':
      options.user = value
      return
    case 'bearer':
      options.bearer = value
      return
    case 'cookie':
      options.headers.push(['Cookie', value])
      return
    case 'agent':
      options.headers.push(['User-Agent', value])
      return
    case 'referer':
      options.headers.push(['Referer', value])
      return
    case 'max-time':
      if (Number(value) > 0) options.timeoutMs = Math.round(Number(value) * 1000)
      return
    case 'retry':
      if (Number.isInteger(Number(value)) && Number(value) >= 0) options.retries = Number(value)
      return
    case 'range':
      options.headers.push(['Range', `bytes=${value}`])
      return
    case 'sign-in':
      options.signsInOtherwise = true
      options.notices.push(`${option} was left out: no connection signs in that way.`)
      return
    case 'insecure':
      options.notices.push(`${option} was left out: certificates are always checked.`)
      return
    case 'of-this-machine':
      options.notices.push(`${option} was left out: it is about the machine that the command ran on.`)
      return
    case 'next':
    case 'ignored':
      return
  }
}

/** `Name;` sends an empty one, `Name:` takes away one that curl would send. */
function addHeader(options: CurlOptions, line: string): void {
  if (line.startsWith('@')) {
    options.notices.push(
      'Headers from a file were left out: the file is on the machine that the command ran on.'
    )
    return
  }
  const [name, value] = pair(line, ':')
  if (name.trim() !== '' && line.includes(':') && value.trim() !== '') {
    options.headers.push([name.trim(), value.trim()])
  }
}

function addData(options: CurlOptions, value: string, option: string): void {
  options.hasData = true
  if (value === '@-' && options.input !== undefined) options.data.push(options.input)
  else if (value.startsWith('@')) options.notices.push(fromFile(option))
  else options.data.push(value)
}

/** `content`, `=content`, `name=content`, `name@file`. */
function addEncoded({ notices }: CurlOptions, into: string[], value: string, option: string): void {
  const at = value.search(/[=@]/)
  if (at >= 0 && value[at] === '@') {
    notices.push(fromFile(option))
    return
  }
  const name = at <= 0 ? '' : `${value.slice(0, at)}=`
  into.push(name + encodeURIComponent(value.slice(at + 1)))
}

function addPart(options: CurlOptions, value: string): void {
  const [name, content] = pair(value, '=')
  if (/^[@<]/.test(content)) {
    options.parts.push([name, ''])
    options.notices.push(
      `The file of "${name}" was left out: it is on the machine that the command ran on. Enter what to send in the node, as base64.`
    )
    return
  }
  const [text = '', type = 'text/plain'] = content.split(/;type=([^;]*)$/)
  options.parts.push([name, text.replace(/^"(.*)"$/s, '$1')])
  if (!type.startsWith('text/plain'))
    options.notices.push(
      `That "${name}" is ${type} was left out: parts that are texts say nothing of it. Enter it in the node as base64, with its type.`
    )
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

function requestOf(options: CurlOptions, url: URL): CurlRequest {
  const data = options.data.join('&')
  const query = [...(options.isQuery ? options.data : []), ...options.query].join('&')
  if (query !== '') url.search += (url.search === '' ? '?' : '&') + query
  const body = bodyOf(options, data)
  return {
    method: options.method ?? methodFor(options, body),
    user: takeUser(options, url),
    url,
    headers: options.headers,
    body,
    timeoutMs: options.timeoutMs,
    retries: options.retries,
    notices: options.notices,
    bearer: options.bearer
  }
}

function bodyOf({ isQuery, parts, data, isJson }: CurlOptions, joined: string): CurlBody {
  if (isQuery) return { kind: 'none' }
  if (parts.length > 0) return { kind: 'parts', parts }
  if (data.length === 0) return { kind: 'none' }
  return { kind: 'text', text: isJson ? data.join('') : joined, isJson }
}

function methodFor({ isHead, isUpload, isQuery, hasData }: CurlOptions, { kind }: CurlBody): string {
  if (isHead) return 'HEAD'
  if (isUpload) return 'PUT'
  return kind === 'none' && (isQuery || !hasData) ? 'GET' : 'POST'
}

/** Who signs in. An address may say so, too, and loses it here. */
function takeUser({ user, signsInOtherwise }: CurlOptions, url: URL): CurlRequest['user'] {
  const inAddress =
    url.username === '' && url.password === '' ? undefined : [decoded(url.username), decoded(url.password)]
  url.username = ''
  url.password = ''
  const [name, password] = user === undefined ? (inAddress ?? []) : pair(user, ':')
  return name === undefined || signsInOtherwise ? undefined : { name, password: password ?? '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
