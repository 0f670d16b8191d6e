import type { JsonValue } from './exact-number.ts'
import { ExactNumbers } from './exact-numbers.ts'
import {
  BACKSLASH,
  beginsNumber,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfNumber,
  endOfSpaces,
  endOfString,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO
} from './json-tokens.ts'
import { plainItems, readPlainItems } from './plain-items.ts'
import { BeyondBounds, type Bounds, NO_BOUNDS, RepeatedName } from './reading-bounds.ts'
import { escapeLength, readShortText } from './short-text.ts'

/** A longer part of a text keeps all of it in memory for as long as it is there itself. */
const SHORT = 12
const LETTERS = { t: 116, f: 102, n: 110 } as const

/** In characters: `"":1,`. */
const SHORTEST_MEMBER = 5

type Members = { [key: string]: JsonValue }
type Container = JsonValue[] | Members

/** Stands for a list that has no item yet. */
const BEGUN_LIST: JsonValue[] = []

/**
 * Reads a text piece by piece, without recursion: what is open is on stacks of its own, so that it can pause anywhere
 * and a deep text needs no deep stack of calls.
 */
export class ExactReading {
  readonly #text: string
  #at = 0
  readonly #bounds: Bounds
  #whole: JsonValue = null
  /** The innermost list or object that is open, and what is open around it. */
  #inside: Container | undefined
  readonly #around: (Container | undefined)[] = []
  /** Of the member that comes next, and of those that the open ones are. */
  #key = ''
  readonly #keys: string[] = []
  /** How many members the innermost object has, and those around it. */
  #count = 0
  readonly #counts: number[] = []
  /** How many values were begun. */
  #values = 0
  readonly #numbers: ExactNumbers
  /** The pieces of a long text, as far as they are read, and whether it is the name of a member. */
  #pieces: string[] | undefined
  #isName = false
  #nameAt = 0
  /** Up to here nothing is left to be read at once. */
  #seen: number

  constructor(text: string, bounds = NO_BOUNDS) {
    this.#text = text
    // A stretch must not hold more members than an object may have; without one, not all is plain. Of two of one name it shows the last.
    const hasStretches =
      bounds !== NO_BOUNDS && bounds.isUnique !== true && bounds.piece / SHORTEST_MEMBER <= bounds.members
    this.#seen = hasStretches ? 0 : text.length
    this.#numbers = new ExactNumbers(text)
    this.#bounds = bounds
  }

  get whole(): JsonValue {
    return this.#whole
  }

  get at(): number {
    return this.#at
  }

  /** Reads so many characters more, and what they are a part of. Returns whether that was all. */
  goOn(characters: number): boolean {
    const end = this.#at + characters
    while (this.#at < end) {
      if (this.#at >= this.#seen && this.#pieces === undefined && this.#plainItems(end)) continue
      const value = this.#pieces === undefined ? this.#value() : this.#nextPiece(this.#pieces)
      if (value !== undefined && this.#put(value)) return true
    }
    return false
  }

  /** Reads items of the open list at once, where JSON.parse reads them as they are written. Returns whether there were some. */
  #plainItems(to: number): boolean {
    if (!Array.isArray(this.#inside)) return false
    const from = this.#at
    const { depth, isPlain, values: most } = this.#bounds
    const bounds = { to: Math.min(to, this.#text.length), depth: depth - this.#around.length, isPlain }
    const { end, values, seen } = plainItems(this.#text, from, bounds)
    this.#seen = seen
    if (end === from || this.#values + values > most) return false
    const items = readPlainItems(this.#text, from, end)
    if (items === undefined) return false
    if (this.#inside === BEGUN_LIST) this.#inside = items
    else for (const item of items) this.#inside.push(item)
    this.#values += values
    this.#at = end + 1
    return true
  }

  /** Undefined where it is not whole yet: its members, or the pieces of its text, come next. */
  #value(): JsonValue | undefined {
    if (++this.#values > this.#bounds.values) throw new BeyondBounds('values', this.#bounds.values)
    switch (this.#next()) {
      case QUOTE:
        return this.#string()
      case OPEN_BRACKET:
        return this.#list()
      case OPEN_BRACE:
        return this.#object()
      case LETTERS.t:
        return this.#word('true', true)
      case LETTERS.f:
        return this.#word('false', false)
      case LETTERS.n:
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  /** The next character that is no space; not a number at the end. */
  #next(): number {
    const code = this.#text.charCodeAt(this.#at)
    if (code > SPACE) return code
    this.#at = endOfSpaces(this.#text, this.#at)
    return this.#text.charCodeAt(this.#at)
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw refused()
    this.#at += word.length
    return value
  }

  #list(): JsonValue[] | undefined {
    this.#deepen()
    if (this.#isEmpty(CLOSE_BRACKET)) return []
    this.#open(BEGUN_LIST)
    return undefined
  }

  #object(): JsonValue | undefined {
    const object: Members = {}
    this.#deepen()
    if (this.#isEmpty(CLOSE_BRACE)) return object
    this.#open(object)
    this.#name()
    return undefined
  }

  #deepen(): void {
    this.#at++
    if (this.#around.length >= this.#bounds.depth) throw new BeyondBounds('depth', this.#bounds.depth)
  }

  #open(container: Container): void {
    this.#around.push(this.#inside)
    this.#keys.push(this.#key)
    this.#counts.push(this.#count)
    this.#count = 0
    this.#inside = container
  }

  /** Puts a value where it belongs, with all that it ends. Returns whether that was the last. */
  #put(value: JsonValue): boolean {
    let whole = value
    for (;;) {
      let container = this.#inside
      if (container === undefined) return this.#end(whole)
      const isList = Array.isArray(container)
      if (!isList) this.#set(container as Members, whole)
      // Not pushed as the others are: that makes room for sixteen more.
      else if (container === BEGUN_LIST) {
        container = [whole]
        this.#inside = container
      } else (container as JsonValue[]).push(whole)
      if (this.#hasMore(isList ? CLOSE_BRACKET : CLOSE_BRACE)) {
        if (!isList) this.#name()
        return false
      }
      whole = container as JsonValue
      this.#inside = this.#around.pop()
      this.#key = this.#keys.pop()!
      this.#count = this.#counts.pop()!
    }
  }

  #end(whole: JsonValue): true {
    this.#next()
    if (this.#at < this.#text.length) throw refused()
    this.#whole = whole
    return true
  }

  #isEmpty(close: number): boolean {
    if (this.#next() !== close) return false
    this.#at++
    return true
  }

  #hasMore(close: number): boolean {
    const code = this.#next()
    this.#at++
    if (code !== COMMA && code !== close) throw refused()
    return code === COMMA
  }

  #name(): void {
    if (this.#next() !== QUOTE) throw refused()
    this.#nameAt = this.#at
    const name = this.#string()
    if (name === undefined) this.#isName = true
    else this.#named(name)
  }

  #named(name: string): void {
    if (++this.#count > this.#bounds.members) throw new BeyondBounds('members', this.#bounds.members)
    if (this.#bounds.isUnique === true && Object.hasOwn(this.#inside as Members, name))
      throw new RepeatedName(name, this.#nameAt)
    if (this.#next() !== COLON) throw refused()
    this.#at++
    this.#key = name
  }

  #set(object: Members, value: JsonValue): void {
    const key = this.#key
    // Set as others are, it would change what the object inherits.
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
    else object[key] = value
  }

  #string(): string | undefined {
    const open = this.#at
    if (this.#bounds !== NO_BOUNDS && !this.#isPlain(open)) {
      this.#pieces = []
      this.#at = open + 1
      return undefined
    }
    const close = endOfString(this.#text, open)
    this.#at = close + 1
    if (close - open <= SHORT && close < this.#text.length) return readShortText(this.#text, open + 1, close)
    return JSON.parse(this.#text.slice(open, close + 1))
  }

  /** Whether the text that begins here has no quote in it, and is not long. */
  #isPlain(open: number): boolean {
    const close = this.#text.indexOf('"', open + 1)
    return close > 0 && close - open <= this.#bounds.piece && this.#text.charCodeAt(close - 1) !== BACKSLASH
  }

  /** The text that comes in pieces, as soon as it is whole and is no name. */
  #nextPiece(pieces: string[]): string | undefined {
    const from = this.#at
    const end = from + this.#bounds.piece
    while (this.#at < end) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === QUOTE || Number.isNaN(code)) break
      this.#at += code === BACKSLASH ? escapeLength(this.#text, this.#at) : 1
    }
    pieces.push(JSON.parse(`"${this.#text.slice(from, this.#at)}"`))
    if (this.#at >= this.#text.length) throw refused()
    if (this.#text.charCodeAt(this.#at) !== QUOTE) return undefined
    this.#at++
    this.#pieces = undefined
    const whole = pieces.join('')
    if (!this.#isName) return whole
    this.#isName = false
    this.#named(whole)
    return undefined
  }

  #number(): JsonValue {
    const start = this.#at
    if (!beginsNumber(this.#text.charCodeAt(start))) throw refused()
    const end = endOfNumber(this.#text, start)
    this.#at = Math.abs(end)
    // Refuses what is a number to JavaScript and none in JSON, such as 01.
    if (end < 0 && this.#bounds.isPlain) return JSON.parse(this.#text.slice(start, -end))
    if (end < 0) return this.#numbers.read(start, -end)
    return end === start + 1 ? this.#text.charCodeAt(start) - ZERO : Number(this.#text.slice(start, end))
  }
}

function refused(): SyntaxError {
  return new SyntaxError('not JSON')
}
