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
  | 'range'
  | 'sign-in'
  | 'insecure'
  | 'next'
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
  retry: takes('retry'),
  range: takes('range'),
  insecure: flag('insecure'),
  digest: flag('sign-in'),
  ntlm: flag('sign-in'),
  negotiate: flag('sign-in'),
  'aws-sigv4': takes('sign-in'),
  netrc: flag('of-this-machine'),
  next: flag('next')
}

/** What takes a value besides, with `proxy-…` of each that has one. */
const OF_THIS_MACHINE = new Set(
  `abstract-unix-socket cacert capath cert cert-type config connect-to crlfile dns-interface dns-ipv4-addr dns-ipv6-addr
  dns-servers doh-url haproxy-clientip interface ipfs-gateway key key-type local-port netrc-file noproxy pass pinnedpubkey
  preproxy proxy proxy1.0 resolve socks4 socks4a socks5 socks5-gssapi-service socks5-hostname unix-socket
  proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type
  proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
  proxy-user`.split(/\s+/)
)
const IGNORED = new Set(
  `alt-svc ciphers connect-timeout continue-at cookie-jar create-file-mode curves delegation dump-header ech egd-file engine
  etag-compare etag-save expect100-timeout ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode
  happy-eyeballs-timeout-ms hostpubmd5 hostpubsha256 hsts ip-tos keepalive-cnt keepalive-time krb libcurl limit-rate
  login-options mail-auth mail-from mail-rcpt max-filesize max-redirs output output-dir parallel-max parallel-max-host proto
  proto-default proto-redir pubkey quote random-file rate request-target retry-delay retry-max-time sasl-authzid service-name
  sigalgs speed-limit speed-time ssl-sessions stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype
  tlspassword tlsuser trace trace-ascii trace-config upload-flags variable vlan-priority write-out`.split(
    /\s+/
  )
)

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
  r: 'range',
  ':': 'next',
  C: 'continue-at',
  P: 'ftp-port',
  Q: 'quote',
  t: 'telnet-option',
  y: 'speed-time',
  Y: 'speed-limit',
  z: 'time-cond'
}

/** Any other is a flag that says nothing of the request: -s, --compressed, --http2. */
function optionOf(name: string): CurlOption {
  if (Object.hasOwn(LONG, name)) return LONG[name]!
  if (OF_THIS_MACHINE.has(name)) return takes('of-this-machine')
  return IGNORED.has(name) ? takes('ignored') : flag('ignored')
}

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
      const { meaning, takesValue } = optionOf(name)
      found.push({ meaning, option, value: takesValue ? (attached ?? words[++at] ?? '') : '' })
    }
    const [, long, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    if (long !== undefined) take(long, `--${long}`, attached)
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
    const { takesValue } = optionOf(name)
    take(name, `-${letter}`, takesValue && rest !== '' ? rest : undefined)
    if (takesValue) return
  }
}
