/** Ways to write one letter by several: of URLs, of JSON and JavaScript, of HTML. What is written so is looked at as it reads. */

/** A text with its escapes undone, and for each letter where it was written; one more for the end. */
export interface ReadText {
  readonly text: string
  readonly from: Uint32Array
  /** What was read may be an escape itself. */
  readonly isNested: boolean
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', tab: '\t', newline: '\n' },
  ...{ excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*' },
  ...{ plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';', equals: '=', quest: '?' },
  ...{ commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', hat: '^', lowbar: '_' },
  ...{ underbar: '_', grave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' }
}
const AFTER_BACKSLASH: Readonly<Record<string, string>> = {
  ...{ '"': '"', "'": "'", '/': '/', '\\': '\\' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
}
const LONGEST_NAME = 8
const MOST_DIGITS = 10

/** No letter is written by more: `&#x0000000041;`. */
export const LONGEST_ESCAPE = MOST_DIGITS + 4

/** An escape that is not whole yet, at the end of a text that goes on. */
export const UNFINISHED = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:#x?[\da-f]{0,10}|[a-z]{0,8})?)$/i

/** Finds escapes that may stand for one of these letters, or for what begins an escape: that is how it is written twice over. */
export function escapesOf(letters: ReadonlySet<string>): RegExp {
  const matters = (letter: string) =>
    letter === '%' || letter === '\\' || letter === '&' || letters.has(letter)
  const short = Object.keys(AFTER_BACKSLASH).filter((sign) => matters(AFTER_BACKSLASH[sign]!))
  const names = Object.keys(NAMED).filter((name) => matters(NAMED[name]!))
  const signs = short.map((sign) => (sign === '\\' ? '\\\\' : sign)).join('')
  return new RegExp(
    `%[\\da-f]{2}|\\\\(?:u[\\da-f]{4}|x[\\da-f]{2}|[${signs}])|&(?:#|${names.join('|')})`,
    'gi'
  )
}

/**
 * The text between these places with each escape as the letter that it stands for. What stands for a letter that does not matter is
 * none: `%ab` may be a percent sign before a secret that begins with `ab`.
 */
export function readEscapes(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  matters: (code: number) => boolean
): ReadText {
  const letters = new Uint16Array(end - start)
  const from = new Uint32Array(end - start + 1)
  let length = 0
  let isNested = false
  let widest = 0
  for (let at = start; at < end; length++) {
    const code = text.charCodeAt(at)
    from[length] = at
    if (code !== 37 && code !== 92 && code !== 38) {
      letters[length] = code
      widest |= code
      at++
      continue
    }
    const read = escapeAt(text, at, letters, length)
    const width = read > 0 && matters(letters[length]!) ? read : 0
    if (width === 0) letters[length] = code
    else if (isIntroducer(letters[length]!)) isNested = true
    widest |= letters[length]!
    at += width === 0 ? 1 : width
  }
  from[length] = end
  // Text of one byte for each letter is searched in half the time.
  const whole =
    widest < 256
      ? Buffer.from(letters.subarray(0, length)).toString('latin1')
      : Buffer.from(letters.buffer, 0, length * 2).toString('utf16le')
  return { text: whole, from: from.subarray(0, length + 1), isNested }
}

function isIntroducer(code: number): boolean {
  return code === 37 || code === 92 || code === 38
}

/** Writes the letter to its place; returns how long its escape is, 0 where there is none. */
function escapeAt(text: string, at: number, letters: Uint16Array, to: number): number {
  const sign = text.charCodeAt(at)
  if (sign === 37) return hexAt(text, at + 1, 2, letters, to) && 3
  if (sign === 38) return entityAt(text, at, letters, to)
  const next = text.charAt(at + 1)
  if (next === 'u') return hexAt(text, at + 2, 4, letters, to) && 6
  if (next === 'x') return hexAt(text, at + 2, 2, letters, to) && 4
  const letter = Object.hasOwn(AFTER_BACKSLASH, next) ? AFTER_BACKSLASH[next]! : ''
  if (letter === '') return 0
  letters[to] = letter.charCodeAt(0)
  return 2
}

function hexAt(text: string, at: number, digits: number, letters: Uint16Array, to: number): number {
  let code = 0
  for (let digit = 0; digit < digits; digit++) {
    const value = hexValue(text.charCodeAt(at + digit))
    if (value < 0) return 0
    code = code * 16 + value
  }
  letters[to] = code
  return digits
}

const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? -1 : value
})

function hexValue(code: number): number {
  return code < 128 ? HEX_VALUES[code]! : -1
}

/** `&#65;`, `&#x41;` or `&amp;`; many leave the semicolon out. */
function entityAt(text: string, at: number, letters: Uint16Array, to: number): number {
  const isNumber = text.charCodeAt(at + 1) === 35
  const isHex = isNumber && (text.charCodeAt(at + 2) | 32) === 120
  const from = at + (isHex ? 3 : isNumber ? 2 : 1)
  const most = from + (isNumber ? MOST_DIGITS : LONGEST_NAME)
  let end = from
  let code = 0
  for (; end < most; end++) {
    const value = isNumber ? hexValue(text.charCodeAt(end)) : letterValue(text.charCodeAt(end))
    if (value < 0 || (isNumber && !isHex && value > 9)) break
    code = code * (isHex ? 16 : 10) + value
  }
  const letter = isNumber ? code : codeNamed(text.slice(from, end))
  if (end === from || letter === undefined || letter > 0xffff) return 0
  letters[to] = letter
  return end - at + (text.charCodeAt(end) === 59 ? 1 : 0)
}

function letterValue(code: number): number {
  const small = code | 32
  return small >= 97 && small <= 122 ? 0 : -1
}

/** As HTML writes them, and in large letters, as a text in capitals has them. */
const CODES: ReadonlyMap<string, number> = new Map(
  Object.entries(NAMED).flatMap(([name, letter]) => [
    [name, letter.charCodeAt(0)],
    [name.toUpperCase(), letter.charCodeAt(0)],
    [name[0]!.toUpperCase() + name.slice(1), letter.charCodeAt(0)]
  ])
)

function codeNamed(name: string): number | undefined {
  return CODES.get(name)
}
