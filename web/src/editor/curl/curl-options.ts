/** What an option of curl means for a request. */
type CurlMeaning =
  | 'url'
  | 'method'
  | 'header'
  | 'data'
  | 'raw-data'
  | 'urlencoded-data'
  | 'json'
  | 'form'
  | 'form-text'
  | 'query'
  | 'as-query'
  | 'head'
  | 'upload'
  | 'user'
  | 'bearer'
  | 'cookie'
  | 'agent'
  | 'referer'
  | 'max-time'
  | 'retry'
  | 'insecure'
  | 'of-this-machine'
  | 'ignored'

interface CurlOption {
  readonly meaning: CurlMeaning
  readonly takesValue: boolean
}

const takes = (meaning: CurlMeaning): CurlOption => ({ meaning, takesValue: true })
const flag = (meaning: CurlMeaning): CurlOption => ({ meaning, takesValue: false })

const LONG: Readonly<Record<string, CurlOption>> = {
  url: takes('url'),
  request: takes('method'),
  header: takes('header'),
  data: takes('data'),
  'data-ascii': takes('data'),
  'data-binary': takes('data'),
  'data-raw': takes('raw-data'),
  'data-urlencode': takes('urlencoded-data'),
  'url-query': takes('query'),
  json: takes('json'),
  form: takes('form'),
  'form-string': takes('form-text'),
  get: flag('as-query'),
  head: flag('head'),
  'upload-file': takes('upload'),
  user: takes('user'),
  'oauth2-bearer': takes('bearer'),
  cookie: takes('cookie'),
  'user-agent': takes('agent'),
  referer: takes('referer'),
  'max-time': takes('max-time'),
  'connect-timeout': takes('ignored'),
  retry: takes('retry'),
  'retry-delay': takes('ignored'),
  'retry-max-time': takes('ignored'),
  insecure: flag('insecure'),
  proxy: takes('of-this-machine'),
  'proxy-user': takes('of-this-machine'),
  cacert: takes('of-this-machine'),
  capath: takes('of-this-machine'),
  cert: takes('of-this-machine'),
  key: takes('of-this-machine'),
  interface: takes('of-this-machine'),
  resolve: takes('of-this-machine'),
  'connect-to': takes('of-this-machine'),
  'unix-socket': takes('of-this-machine'),
  netrc: flag('of-this-machine'),
  config: takes('of-this-machine'),
  output: takes('ignored'),
  'output-dir': takes('ignored'),
  'write-out': takes('ignored'),
  'cookie-jar': takes('ignored'),
  'dump-header': takes('ignored'),
  'max-redirs': takes('ignored'),
  'limit-rate': takes('ignored'),
  range: takes('ignored'),
  ciphers: takes('ignored'),
  'tls-max': takes('ignored'),
  stderr: takes('ignored'),
  trace: takes('ignored'),
  'trace-ascii': takes('ignored')
}

const SHORT: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  G: 'get',
  I: 'head',
  T: 'upload-file',
  u: 'user',
  b: 'cookie',
  A: 'user-agent',
  e: 'referer',
  m: 'max-time',
  k: 'insecure',
  x: 'proxy',
  U: 'proxy-user',
  E: 'cert',
  n: 'netrc',
  K: 'config',
  o: 'output',
  w: 'write-out',
  c: 'cookie-jar',
  D: 'dump-header',
  r: 'range'
}

/** Any other is a flag that says nothing of the request: -s, --compressed, --http2. */
const OTHER = flag('ignored')

export interface CurlArgument {
  readonly meaning: CurlMeaning
  /** As it was written, for a message. */
  readonly option: string
  readonly value: string
}

/** What follows the word `curl`, option by option. */
export function curlArguments(words: readonly string[]): CurlArgument[] {
  const found: CurlArgument[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const take = (name: string, option: string, attached: string | undefined) => {
      const { meaning, takesValue } = Object.hasOwn(LONG, name) ? LONG[name]! : OTHER
      found.push({ meaning, option, value: takesValue ? (attached ?? words[++at] ?? '') : '' })
    }
    if (word.startsWith('--') && word.length > 2) take(word.slice(2), word, undefined)
    else if (word.startsWith('-') && word.length > 1) readShort(word, take)
    else found.push({ meaning: 'url', option: '', value: word })
  }
  return found
}

/** `-sSL`, `-XPOST`, `-d@file`: letters until one that takes the rest as its value. */
function readShort(
  word: string,
  take: (name: string, option: string, attached: string | undefined) => void
): void {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!
    const name = Object.hasOwn(SHORT, letter) ? SHORT[letter]! : ''
    const rest = word.slice(at + 1)
    const takesValue = Object.hasOwn(LONG, name) && LONG[name]!.takesValue
    take(name, `-${letter}`, takesValue && rest !== '' ? rest : undefined)
    if (takesValue) return
  }
}
