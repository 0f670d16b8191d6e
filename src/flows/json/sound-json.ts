import type { Turns } from '../in-turns.ts'
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  ZERO
} from './json-tokens.ts'

const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const PLUS = 43
const MINUS = 45
const POINT = 46
const NINE = 57
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'))
const SMALL_U = 117
/** Bytes that are looked at before others may have their turn. */
const STRETCH = 16 * 1024
const NONE = -1

/** Whether these bytes of UTF-8 are JSON of at most so many levels, and members of one object: what JSON.parse takes. Nothing is made of it, so it costs time only. */
export function* isSoundJson(
  bytes: Uint8Array,
  maxDepth: number,
  mostMembers = Number.POSITIVE_INFINITY
): Turns<boolean> {
  const check = new JsonCheck(bytes, maxDepth, mostMembers)
  for (;;) {
    const isSound = check.goOn()
    if (isSound !== undefined) return isSound
    yield
  }
}

/** A loop of its own, since V8 makes no fast code of one in a generator: 40 ms for 1 MB. */
class JsonCheck {
  readonly #bytes: Uint8Array
  readonly #maxDepth: number
  readonly #mostMembers: number
  /** Of the containers that are open. */
  readonly #isObject: Uint8Array
  readonly #members: Uint32Array
  #depth = 0
  #at = 0

  constructor(bytes: Uint8Array, maxDepth: number, mostMembers: number) {
    this.#bytes = bytes
    this.#maxDepth = maxDepth
    this.#mostMembers = mostMembers
    this.#isObject = new Uint8Array(maxDepth)
    this.#members = new Uint32Array(maxDepth)
  }

  /** Undefined where there is more to look at. */
  goOn(): boolean | undefined {
    const end = this.#at + STRETCH
    while (this.#at < end) {
      const isEnded = this.#value()
      if (isEnded === undefined || (isEnded && !this.#rest())) return false
      if (isEnded && this.#depth === 0) return this.#at === this.#bytes.length
    }
    return undefined
  }

  /** Whether it has ended, rather than to have members; undefined where there is none. */
  #value(): boolean | undefined {
    const bytes = this.#bytes
    const at = afterSpace(bytes, this.#at)
    const code = bytes[at]
    if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return this.#goTo(afterScalar(bytes, at)) || undefined
    if (this.#depth === this.#maxDepth) return undefined
    const isObject = code === OPEN_BRACE
    const first = afterSpace(bytes, at + 1)
    this.#isObject[this.#depth] = isObject ? 1 : 0
    this.#members[this.#depth++] = 0
    this.#at = first
    if (bytes[first] === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return true
    if (isObject && !this.#name(first)) return undefined
    return false
  }

  /** What comes after a value, up to the next one or to the end of all; false where that is not sound. */
  #rest(): boolean {
    const bytes = this.#bytes
    for (;;) {
      this.#at = afterSpace(bytes, this.#at)
      if (this.#depth === 0) return true
      const isObject = this.#isObject[this.#depth - 1] === 1
      const code = bytes[this.#at++]
      if (code === COMMA) return !isObject || this.#name(afterSpace(bytes, this.#at))
      if (code !== (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) return false
      this.#depth--
    }
  }

  #name(at: number): boolean {
    const isTaken = ++this.#members[this.#depth - 1]! <= this.#mostMembers
    return isTaken && this.#goTo(afterName(this.#bytes, at))
  }

  #goTo(at: number): boolean {
    if (at !== NONE) this.#at = at
    return at !== NONE
  }
}

/** Each of these gives where it ends what begins at `at`; none where it is not that. */

function afterSpace(bytes: Uint8Array, at: number): number {
  let next = at
  for (let code = bytes[next]; isSpace(code); code = bytes[next]) next++
  return next
}

function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB
}

function afterName(bytes: Uint8Array, at: number): number {
  const end = bytes[at] === QUOTE ? afterString(bytes, at) : NONE
  if (end === NONE) return NONE
  const colon = afterSpace(bytes, end)
  return bytes[colon] === COLON ? colon + 1 : NONE
}

function afterScalar(bytes: Uint8Array, at: number): number {
  const code = bytes[at]
  if (code === QUOTE) return afterString(bytes, at)
  if (code === MINUS || isDigit(code)) return afterNumber(bytes, at)
  const word = WORDS.find((each) => each.every((letter, index) => bytes[at + index] === letter))
  return word === undefined ? NONE : at + word.length
}

function afterString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    const code = bytes[at]!
    if (code === QUOTE) return at + 1
    if (code < SPACE) return NONE
    if (code !== BACKSLASH) continue
    at++
    if (bytes[at] === SMALL_U) {
      for (let digit = 1; digit <= 4; digit++) if (!isHexadecimal(bytes[at + digit])) return NONE
      at += 4
    } else if (!ESCAPED.has(bytes[at]!)) return NONE
  }
  return NONE
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start
  const whole = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at)
  if (whole === NONE) return NONE
  at = whole
  if (bytes[at] === POINT) at = afterDigits(bytes, at + 1)
  if (at === NONE || (bytes[at]! | 0x20) !== 0x65) return at
  at++
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++
  return afterDigits(bytes, at)
}

/** One at least. */
function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at === start ? NONE : at
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE
}

function isHexadecimal(code: number | undefined): boolean {
  if (code === undefined) return false
  const small = code | 0x20
  return isDigit(code) || (small >= 0x61 && small <= 0x66)
}
