import type { Dialect } from './dialect.ts'

type TokenKind =
  | 'space' // white space and comments
  | 'text' // a text or a quoted name, whole
  | 'word'
  | 'parameter' // :name
  | 'own-parameter' // what the database itself would take for one
  | 'semicolon'
  | 'other'

export interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  /** Set where a text, a name or a comment is never closed. */
  readonly isOpen?: true
}

const SPACE = /\s+/y
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy
const NUMBER = /\d[\w.]*/y
/** Not behind another colon (`::text` is a cast) and not behind a word (`items[a:b]` is a slice). */
const PARAMETER = /(?<![:\p{L}\p{N}_]):([A-Za-z_]\w*)/uy
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const LINE = /[^\n]*/y

/** The text in tokens, one after the other, without a gap. Never throws: what is never closed says so. */
export function* tokensOf(sql: string, dialect: Dialect): Generator<Token> {
  let from = 0
  while (from < sql.length) {
    const token = tokenAt(sql, from, dialect)
    yield token
    from = token.to
  }
}

/** What is a token by itself in every dialect: most of a query that a program wrote. */
const PLAIN = new Set('(){},.=+*<>%|&^~!]\\')
/** What can only begin a word; an E may begin a text. */
const LETTER = /[a-df-zA-DF-Z_]/
const DIGIT = /\d/

function tokenAt(sql: string, from: number, dialect: Dialect): Token {
  const first = sql[from]!
  if (PLAIN.has(first)) return { kind: 'other', from, to: from + 1 }
  if (LETTER.test(first)) return match(sql, from, WORD, 'word')!
  if (DIGIT.test(first)) return match(sql, from, NUMBER, 'other')!
  if (first === '[' && !dialect.bracketNames) return { kind: 'other', from, to: from + 1 }
  if ((first === '-' || first === '/') && sql[from + 1] !== (first === '-' ? '-' : '*'))
    return { kind: 'other', from, to: from + 1 }
  return (
    commentAt(sql, from, dialect) ??
    quotedAt(sql, from, dialect) ??
    match(sql, from, SPACE, 'space') ??
    match(sql, from, PARAMETER, 'parameter') ??
    match(sql, from, dialect.ownParameter, 'own-parameter') ??
    match(sql, from, WORD, 'word') ??
    match(sql, from, NUMBER, 'other') ?? {
      kind: sql[from] === ';' ? 'semicolon' : 'other',
      from,
      to: from + 1
    }
  )
}

function match(sql: string, from: number, pattern: RegExp, kind: TokenKind): Token | undefined {
  const end = endOf(sql, from, pattern)
  return end === undefined ? undefined : { kind, from, to: end }
}

function endOf(sql: string, from: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = from
  return pattern.test(sql) ? pattern.lastIndex : undefined
}

function commentAt(sql: string, from: number, dialect: Dialect): Token | undefined {
  const two = sql.slice(from, from + 2)
  if (two === '/*') return blockComment(sql, from, dialect)
  const isDashes = two === '--' && (!dialect.hashComments || /^\s?$/.test(sql.slice(from + 2, from + 3)))
  const isHash = dialect.hashComments && two[0] === '#'
  if (!isDashes && !isHash) return undefined
  return { kind: 'space', from, to: endOf(sql, from, LINE)! }
}

/** What opens and closes a comment, one after the other: each place of the text is looked at once. */
const COMMENT_MARK = /\*\/|\/\*/g

function blockComment(sql: string, from: number, { nestedComments }: Dialect): Token {
  let depth = 1
  COMMENT_MARK.lastIndex = from + 2
  for (let mark = COMMENT_MARK.exec(sql); mark !== null; mark = COMMENT_MARK.exec(sql)) {
    const isClose = mark[0] === '*/'
    if (isClose) depth--
    else if (nestedComments) depth++
    // What looks like an opening may be the beginning of the close: /*/*/
    else COMMENT_MARK.lastIndex = mark.index + 1
    if (depth === 0) return { kind: 'space', from, to: COMMENT_MARK.lastIndex }
  }
  return { kind: 'space', from, to: sql.length, isOpen: true }
}

function quotedAt(sql: string, from: number, dialect: Dialect): Token | undefined {
  const first = sql[from]!
  if (first === "'" || first === '"' || first === '`') {
    // A backslash means something in a name of PostgreSQL or MySQL as little as anywhere else.
    return quoted(sql, from, { quote: first, escapes: first !== '`' && dialect.backslashEscapes })
  }
  if (first === '[' && dialect.bracketNames) return delimited(sql, from, 1, ']')
  // E'…' of PostgreSQL.
  if (/[eE]/.test(first) && sql[from + 1] === "'" && dialect.dollarQuotes)
    return { ...quoted(sql, from + 1, { quote: "'", escapes: true }), from }
  const tag = dialect.dollarQuotes ? endOf(sql, from, DOLLAR_TAG) : undefined
  return tag === undefined ? undefined : delimited(sql, from, tag - from, sql.slice(from, tag))
}

function delimited(sql: string, from: number, opening: number, close: string): Token {
  const at = sql.indexOf(close, from + opening)
  return at < 0
    ? { kind: 'text', from, to: sql.length, isOpen: true }
    : { kind: 'text', from, to: at + close.length }
}

function quoted(sql: string, from: number, how: { quote: string; escapes: boolean }): Token {
  for (let at = from + 1; at < sql.length; at++) {
    if (how.escapes && sql[at] === '\\') at++
    else if (sql[at] === how.quote) {
      if (sql[at + 1] !== how.quote) return { kind: 'text', from, to: at + 1 }
      at++
    }
  }
  return { kind: 'text', from, to: sql.length, isOpen: true }
}
