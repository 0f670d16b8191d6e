/** What JSON is made of, by the codes of its characters. */
export const BACKSLASH = 92
export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93
export const OPEN_BRACE = 123
export const CLOSE_BRACE = 125
export const SPACE = 32
const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const PLUS = 43
const MINUS = 45
const POINT = 46
export const ZERO = 48
const NINE = 57
const SMALL_E = 101
const LARGE_E = 69

/** So many digits are exact in any number, so that its text need not be compared. */
const SAFE_LENGTH = 15

/** JavaScript prints no number with more characters; the longest have 25. */
const LONGEST_PRINTED = 30

/**
 * Deeper than `maxDepth`; or with what JSON.parse does not read as it is written; or neither. The second is a number that
 * JavaScript would print otherwise, or a name with an escape: V8 13.6 takes `"\""` for a backslash where the object
 * before had a member of that name. Costs no stack, whatever it holds. May be wrong about text that is not JSON: who
 * reads it refuses that either way.
 */
export function lookOf(text: string, maxDepth: number): 'deep' | 'exact' | 'plain' {
  // One with fewer characters than levels is not too deep.
  if (text.length <= maxDepth && isPlainAtOnce(text)) return 'plain'
  let depth = 0
  let look: 'exact' | 'plain' = 'plain'
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const open = at
      at = endOfString(text, open)
      if (isEscapedName(text, open, at)) look = 'exact'
    } else if (code > NINE) {
      depth += levels(code)
      if (depth > maxDepth) return 'deep'
    } else if (look === 'plain' && beginsNumber(code)) {
      const end = endOfNumber(text, at)
      if (end < 0) look = 'exact'
      at = Math.abs(end) - 1
    }
  }
  return look
}

/**
 * Whether JSON.parse reads it as it is written, for most texts: to go through 300 characters of an order one by one takes 1.4 µs, and this
 * takes 0.6. What only looks otherwise, as in a string, is left to who looks closely.
 */
function isPlainAtOnce(text: string): boolean {
  const first = text.charCodeAt(0)
  const hasMembers = first === OPEN_BRACE || first === OPEN_BRACKET
  return hasMembers && !text.includes('\\') && !PRINTED_OTHERWISE.test(text)
}

/** Of 16 characters or more, with an exponent, with a zero at the end of a fraction, smaller than 0.000001, or -0. */
const PRINTED_OTHERWISE =
  /[:,[\s](?:-?(?:\d[\d.]{15}|\d+(?:\.\d+)?[eE]|\d+\.(?:\d*0(?!\d)|000000))|-0(?![.\d]))/

/**
 * Whether the string between these quotes is the name of a member, and has an escape. To search the whole text for one first
 * would be quicker, and is not: V8 then searches a text that was put together piece by piece, each time from its beginning.
 */
export function isEscapedName(text: string, open: number, close: number): boolean {
  let next = close + 1
  while (text.charCodeAt(next) <= SPACE) next++
  if (text.charCodeAt(next) !== COLON) return false
  for (let at = open + 1; at < close; at++) if (text.charCodeAt(at) === BACKSLASH) return true
  return false
}

/** Whether the text, if it is JSON, has more levels. */
export function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else {
      depth += levels(code)
      if (depth > maxDepth) return true
    }
  }
  return false
}

export function levels(code: number): number {
  if (code <= NINE) return 0
  if (code === OPEN_BRACKET || code === OPEN_BRACE) return 1
  return code === CLOSE_BRACKET || code === CLOSE_BRACE ? -1 : 0
}

export function beginsNumber(code: number): boolean {
  return code === MINUS || (code >= ZERO && code <= NINE)
}

/** The offset after the number at `start`; negative when JavaScript would not print it as it is written. */
export function endOfNumber(text: string, start: number): number {
  let point = 0
  let exponent = 0
  let end = start + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code >= ZERO && code <= NINE) end = lastDigit(text, start, end)
    else if (code === POINT) point = end
    else if (isNumberPunctuation(code)) exponent ||= end
    else break
  }
  if (end === start + 1 && text.charCodeAt(start) !== MINUS) return end
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start
  const known =
    exponent > 0
      ? isPrintedExponent(text, first, point, exponent, end)
      : point > 0
        ? isPrintedDecimal(text, first, point, end)
        : isPrintedInteger(text, first, start, end)
  if (known !== undefined) return known ? end : -end
  // To read one of millions of digits takes 100 ms.
  if (end - start > LONGEST_PRINTED) return -end
  const token = text.slice(start, end)
  return String(Number(token)) === token ? end : -end
}

/*
 * What can be told by its look is: to print a number and to compare it takes ten times as long. Undefined is what cannot.
 * None of them is true of what is no number in JSON.
 */

function isPrintedInteger(text: string, first: number, start: number, end: number): boolean | undefined {
  if (text.charCodeAt(first) === ZERO) return end - start === 1
  return end - start <= SAFE_LENGTH && end > first ? true : undefined
}

/** Printed as it stands, unless the last is a zero, or so many zeros come first that JavaScript would write an exponent. */
function isPrintedDecimal(text: string, first: number, point: number, end: number): boolean | undefined {
  if (text.charCodeAt(end - 1) === ZERO) return false
  if (end - first > SAFE_LENGTH || point === first || point === end - 1) return undefined
  if (text.charCodeAt(first) === ZERO)
    return point === first + 1 && hasFewZeros(text, point) ? true : undefined
  return text.indexOf('.', first) === point ? true : undefined
}

/** Of what is below 0.000001 JavaScript prints the exponent. */
function hasFewZeros(text: string, point: number): boolean {
  let at = point + 1
  while (text.charCodeAt(at) === ZERO) at++
  return at - point <= 6
}

/** JavaScript writes a small e, and a sign. */
function isPrintedExponent(
  text: string,
  first: number,
  point: number,
  exponent: number,
  end: number
): boolean | undefined {
  const sign = text.charCodeAt(exponent + 1)
  if (text.charCodeAt(exponent) !== SMALL_E || sign >= ZERO) return false
  const power = powerOf(text, exponent + 2, end)
  if (power < (sign === MINUS ? 7 : 21)) return false
  const hasOneDigit = exponent === first + 1 && point === 0
  return hasOneDigit && text.charCodeAt(first) !== ZERO && sign !== POINT && power < 300 ? true : undefined
}

/** Negative where it does not begin as JavaScript would, and without a bound where it is no short number. */
function powerOf(text: string, from: number, end: number): number {
  if (text.charCodeAt(from) === ZERO) return -1
  let power = end > from ? 0 : Number.POSITIVE_INFINITY
  for (let at = from; at < end; at++) {
    const digit = text.charCodeAt(at) - ZERO
    power = digit >= 0 && digit <= 9 ? 10 * power + digit : Number.POSITIVE_INFINITY
  }
  return power
}

/** So many of the same kind are gone through one by one; what is left of megabytes of them is a regular expression's, three times as fast. */
const MANY = 64
const DIGITS = /\d*/y
const SPACES = /[ \t\n\r]*/y

function endOf(kind: RegExp, text: string, at: number): number {
  kind.lastIndex = at
  kind.test(text)
  return kind.lastIndex
}

/** Of those that begin at `at`, or `at` itself, in a number that begins at `start`. */
function lastDigit(text: string, start: number, at: number): number {
  return at === start + MANY ? endOf(DIGITS, text, at) - 1 : at
}

/** The offset of the first character from `start` on that is no space. */
export function endOfSpaces(text: string, start: number): number {
  const most = start + MANY
  let at = start
  while (at < most && isSpace(text.charCodeAt(at))) at++
  return at < most ? at : endOf(SPACES, text, at)
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB
}

function isNumberPunctuation(code: number): boolean {
  return code === PLUS || code === MINUS || code === SMALL_E || code === LARGE_E
}

export function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close < 0 ? text.length : close
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

/** The texts of the items of a list, as far as they are not looked into: of text that is known to be JSON. */
export function* itemsOfList(text: string): Generator<string, void> {
  const open = text.indexOf('[')
  let depth = 0
  let from = open + 1
  for (let at = open; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA && depth === 1) {
      yield text.slice(from, at)
      from = at + 1
    } else {
      depth += levels(code)
      if (depth > 0) continue
      const last = text.slice(from, at)
      if (last.trim() !== '') yield last
      return
    }
  }
}
