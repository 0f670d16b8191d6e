type ShellWords =
  /** `input`: the text after `<<` or `<<<`. */
  | { readonly words: readonly string[]; readonly input?: string; readonly message?: undefined }
  /** Why the command cannot be read. */
  | { readonly message: string }

/** What ends a command: what follows is another one. */
const ENDS = new Set([';', '|', '&', '\n'])

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v'
}

/**
 * The words of the first command, as bash would hand them over: quotes of three kinds, escapes, lines that go on after a
 * backslash, comments, without where its output goes. Nothing is expanded: `$HOME` and `*` stay what they are, and so does
 * `<id>`, by which documentation means what is to be filled in.
 */
export function shellWords(command: string): ShellWords {
  let text = command.replaceAll('\r\n', '\n').trim()
  const words: string[] = []
  let input: string | undefined
  let word: string | undefined
  let redirected: 'out' | 'in' | undefined
  const endWord = () => {
    if (word === undefined) return
    if (redirected === undefined) words.push(word)
    else if (redirected === 'in') input ??= word
    redirected = undefined
    word = undefined
  }
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at, word === undefined)
    if (piece.kind === 'unclosed')
      return { message: `The quote ${text[at]} is never closed. Copy the whole command.` }
    at = piece.end
    if (piece.kind === 'text') word = (word ?? '') + piece.text
    else if (piece.kind === 'redirect') redirected = piece.to
    else if (piece.kind === 'document') {
      const read = readDocument(text, at, piece.mark)
      text = read.rest
      input ??= read.document
    } else if (piece.kind !== 'nothing') {
      endWord()
      if (piece.kind === 'end' && words.length > 0) break
    }
  }
  endWord()
  return { words, ...(input !== undefined && { input }) }
}

type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly end: number }
  /** What ends a word, what ends the command, and what does neither. */
  | { readonly kind: 'gap' | 'end' | 'nothing'; readonly end: number }
  /** The next word is no word of the command: a file, or what `in` gives it to read. */
  | { readonly kind: 'redirect'; readonly to: 'out' | 'in'; readonly end: number }
  /** What the command reads begins on the next line, and ends before this one. */
  | { readonly kind: 'document'; readonly mark: string; readonly end: number }
  | { readonly kind: 'unclosed' }

const TO_FILE = /\d?>>?|<(?=\s)/y
const TO_STREAM = /\d?>&\d/y
const DOCUMENT = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\w+))/y

/** `> file`, `2>&1`, `<<EOF`, `<<< text`: only where a word would begin. */
function redirectAt(text: string, at: number): Piece | undefined {
  const stream = matchAt(TO_STREAM, text, at)
  if (stream !== null) return { kind: 'gap', end: at + stream[0].length }
  if (text.startsWith('<<<', at)) return { kind: 'redirect', to: 'in', end: at + 3 }
  const document = matchAt(DOCUMENT, text, at)
  if (document !== null) {
    const mark = document[1] ?? document[2] ?? document[3]!
    return { kind: 'document', mark, end: at + document[0].length }
  }
  const file = matchAt(TO_FILE, text, at)
  return file === null ? undefined : { kind: 'redirect', to: 'out', end: at + file[0].length }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Takes the lines after the one that goes on at `at`, up to the mark, out of the text. */
function readDocument(text: string, at: number, mark: string): { document: string; rest: string } {
  const begin = endOfLine(text, at)
  const lines = text.slice(begin + 1).split('\n')
  const last = lines.findIndex((line) => line.trim() === mark)
  const inside = lines.slice(0, last < 0 ? lines.length : last)
  const rest = last < 0 ? [] : lines.slice(last + 1)
  return { document: inside.join('\n').trim(), rest: [text.slice(0, begin), ...rest].join('\n') }
}

function pieceAt(text: string, at: number, isBeginning: boolean): Piece {
  const letter = text[at]!
  const next = text[at + 1]
  const redirect = isBeginning ? redirectAt(text, at) : undefined
  if (redirect !== undefined) return redirect
  if (letter === '\\') {
    return next === '\n' ? { kind: 'nothing', end: at + 2 } : { kind: 'text', text: next ?? '', end: at + 2 }
  }
  if (letter === "'" || letter === '"' || (letter === '$' && next === "'")) {
    const quoted = quotedText(text, at)
    return quoted === undefined ? { kind: 'unclosed' } : { kind: 'text', ...quoted }
  }
  if (ENDS.has(letter)) return { kind: 'end', end: at + 1 }
  if (letter === ' ' || letter === '\t') return { kind: 'gap', end: at + 1 }
  if (letter === '#' && isBeginning) return { kind: 'gap', end: endOfLine(text, at) }
  return { kind: 'text', text: letter, end: at + 1 }
}

interface Quoted {
  readonly text: string
  readonly end: number
}

function quotedText(text: string, open: number): Quoted | undefined {
  if (text[open] === "'") {
    const close = text.indexOf("'", open + 1)
    return close < 0 ? undefined : { text: text.slice(open + 1, close), end: close + 1 }
  }
  return text[open] === '"' ? doubleQuoted(text, open + 1) : ansiQuoted(text, open + 2)
}

function doubleQuoted(text: string, from: number): Quoted | undefined {
  let read = ''
  for (let at = from; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '"') return { text: read, end: at + 1 }
    const next = text[at + 1]
    if (letter !== '\\' || next === undefined || !'"\\$`\n'.includes(next)) read += letter
    else {
      if (next !== '\n') read += next
      at++
    }
  }
  return undefined
}

/** `$'…'`: how browsers copy what plain quotes cannot hold. */
function ansiQuoted(text: string, from: number): Quoted | undefined {
  let read = ''
  for (let at = from; at < text.length; at++) {
    const letter = text[at]!
    if (letter === "'") return { text: read, end: at + 1 }
    if (letter !== '\\') {
      read += letter
      continue
    }
    const rest = text.slice(at + 1, at + 10)
    const code = /^(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8}))/i.exec(rest)
    const octal = /^[0-7]{1,3}/.exec(rest)
    if (code !== null) {
      read += codePoint(Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16))
      at += code[0].length
    } else if (octal !== null) {
      read += codePoint(Number.parseInt(octal[0], 8))
      at += octal[0].length
    } else {
      read += ESCAPES[rest[0] ?? ''] ?? rest[0] ?? ''
      at++
    }
  }
  return undefined
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
