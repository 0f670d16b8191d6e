/** JavaScript as far as expressions of other tools go: enough to know what they read, never to run them. */

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'template' | 'pattern' | 'sign' | 'end'
  readonly text: string
  readonly from: number
  readonly to: number
  /** Of a text: what it says. */
  readonly value?: string
}

export class NotAnExpression extends Error {
  override readonly name = 'NotAnExpression'
}

const SPACE = /(?:\s+|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)+/y
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const NUMBER = /0[xob][\da-f]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy
const TEXT = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y
const SIGN =
  /\.\.\.|=>|===|!==|\*\*=?|<<=?|>>>?=?|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|[=!<>]=|[+*/%&|^-]=|\+\+|--|[-+*/%<>=!?:.,;()[\]{}&|^~]/y
const PATTERN = /\/(?![*/])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y

/** After these a slash divides; after all else it begins a pattern. */
const ENDS_VALUE = /^(?:[)\]}]|[\p{ID_Continue}$]+)$/u
const BEFORE_VALUE = new Set(['return', 'typeof', 'in', 'of', 'instanceof', 'new', 'delete', 'void', 'await'])

/** In characters: what takes 20 ms to read. Nobody writes longer code into a node. */
const LONGEST = 10_000

/** Throws NotAnExpression. */
export function tokensOf(source: string): Token[] {
  if (source.length > LONGEST) throw new NotAnExpression('it is too long')
  const tokens: Token[] = []
  let place = 0
  for (;;) {
    place = endOf(SPACE, source, place) ?? place
    if (place >= source.length) break
    const token = tokenAt(source, place, tokens.at(-1))
    tokens.push(token)
    place = token.to
  }
  tokens.push({ kind: 'end', text: '', from: source.length, to: source.length })
  return tokens
}

/** Texts in backticks in texts in backticks: each level is read once more. */
const DEEPEST = 3

/** The same with what stands between `${` and `}` in texts in backticks. */
export function tokensWithin(source: string): Token[] {
  return opened(tokensOf(source), source, DEEPEST)
}

function opened(tokens: readonly Token[], source: string, depth: number): Token[] {
  if (depth === 0 || !tokens.some(({ kind }) => kind === 'template')) return [...tokens]
  return tokens.flatMap((token) => (token.kind === 'template' ? pieces(token, source, depth) : [token]))
}

/** What is text in it is a sign between the pieces that are code. */
function pieces({ from, to }: Token, source: string, depth: number): Token[] {
  const found: Token[] = []
  const text = (at: number): Token => ({ kind: 'template', text: '', from: at, to: at })
  for (const [begin, end] of codeOfTemplate(source, from, to)) {
    const inner = opened(tokensOf(source.slice(begin, end)), source.slice(begin, end), depth - 1)
    const moved = inner.map((token) => ({ ...token, from: token.from + begin, to: token.to + begin }))
    found.push(text(begin), ...moved.filter(({ kind }) => kind !== 'end'))
  }
  return [...found, text(to)]
}

/** Where the code in a text in backticks begins and ends. */
function codeOfTemplate(source: string, from: number, to: number): [from: number, to: number][] {
  const depths = [-1]
  const found: [number, number][] = []
  let begin = from
  for (let place = from + 1; place < to; place++) {
    const before = depths.length
    place = depths.at(-1) === -1 ? inText(source, place, depths) : inCode(source, place, depths)
    if (before === 1 && depths.length === 2) begin = place + 1
    if (before === 2 && depths.length === 1) found.push([begin, place])
  }
  return found
}

function tokenAt(source: string, from: number, before: Token | undefined): Token {
  const made = (kind: Token['kind'], to: number, value?: string): Token => {
    const text = source.slice(from, to)
    return value === undefined ? { kind, text, from, to } : { kind, text, from, to, value }
  }
  const text = endOf(TEXT, source, from)
  if (text !== undefined) return made('text', text, unquoted(source.slice(from + 1, text - 1)))
  if (source[from] === '`') return made('template', endOfTemplate(source, from))
  const name = endOf(NAME, source, from)
  if (name !== undefined) return made('name', name)
  const number = endOf(NUMBER, source, from)
  if (number !== undefined) return made('number', number)
  if (source[from] === '/' && mayBePattern(before)) {
    const pattern = endOf(PATTERN, source, from)
    if (pattern !== undefined) return made('pattern', pattern)
  }
  const sign = endOf(SIGN, source, from)
  if (sign === undefined) throw new NotAnExpression(`the character ${source[from]} means nothing here`)
  return made('sign', sign)
}

function mayBePattern(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'name') return BEFORE_VALUE.has(before.text)
  return before.kind === 'sign' && !ENDS_VALUE.test(before.text)
}

function endOf(pattern: RegExp, source: string, from: number): number | undefined {
  pattern.lastIndex = from
  return pattern.test(source) ? pattern.lastIndex : undefined
}

/** What stands between `${` and `}` may hold texts and braces of its own: how deep each of them is, -1 for a text in backticks. */
function endOfTemplate(source: string, from: number): number {
  const depths = [-1]
  for (let place = from + 1; place < source.length; place++) {
    place = depths.at(-1) === -1 ? inText(source, place, depths) : inCode(source, place, depths)
    if (depths.length === 0) return place + 1
  }
  throw new NotAnExpression('a text in backticks is not closed')
}

/** Each returns the place of the last sign that it has read. */
function inText(source: string, place: number, depths: number[]): number {
  const sign = source[place]
  if (sign === '\\') return place + 1
  if (sign === '`') depths.pop()
  if (sign !== '$' || source[place + 1] !== '{') return place
  depths.push(0)
  return place + 1
}

function inCode(source: string, place: number, depths: number[]): number {
  const sign = source[place]!
  const last = depths.length - 1
  if (sign === '`') depths.push(-1)
  else if (sign === '"' || sign === "'") return (endOf(TEXT, source, place) ?? place + 1) - 1
  else if (sign === '{') depths[last]!++
  else if (sign === '}' && depths[last]!-- === 0) depths.pop()
  return place
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0'
}

function unquoted(text: string): string {
  return text.replace(
    /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi,
    (_, long, short, byte, sign) => {
      const code = long ?? short ?? byte
      if (code !== undefined) return characterOf(Number.parseInt(code, 16))
      return /^[\r\n]/.test(sign) ? '' : (ESCAPES[sign] ?? sign)
    }
  )
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
