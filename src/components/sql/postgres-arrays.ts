import type { JsonValue } from '../../plugin-api.ts'
import { sqlError } from './sql-errors.ts'

/** Reads what the server writes for one value of one type. */
export type ReadValue = (text: string) => JsonValue

/** PostgreSQL has no more. */
const MOST_DIMENSIONS = 6
/** To make so many takes a fifth of a second, in which nobody else has a turn. */
const MOST_LISTS = 500_000

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

/** `{1,NULL,"a \"b\"",{2}}`; anything else, such as an array with bounds of its own, stays text. */
export function readArray(text: string, read: ReadValue): JsonValue {
  if (text.charCodeAt(0) !== OPEN) return text
  const reading = new ArrayReading(text, read)
  const list = reading.list(1)
  return list !== undefined && reading.isAtEnd ? list : text
}

/** Looks at each character once: the server may send sixteen megabytes of them. */
class ArrayReading {
  readonly #text: string
  readonly #read: ReadValue
  #at = 0
  #lists = 0

  constructor(text: string, read: ReadValue) {
    this.#text = text
    this.#read = read
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** Undefined where it is not an array. */
  list(dimension: number): JsonValue[] | undefined {
    if (dimension > MOST_DIMENSIONS) return undefined
    if (++this.#lists > MOST_LISTS) throw tooManyLists()
    const list: JsonValue[] = []
    for (this.#at++; this.#at < this.#text.length; ) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === CLOSE) {
        this.#at++
        // The server writes {} alone for what has no items in any dimension.
        return list.length === 0 && dimension > 1 ? undefined : list
      }
      if (code === COMMA) this.#at++
      else {
        const item = code === OPEN ? this.list(dimension + 1) : this.#item(code)
        if (item === undefined) return undefined
        list.push(item)
      }
    }
    return undefined
  }

  #item(first: number): JsonValue | undefined {
    const start = this.#at
    if (first !== QUOTE) {
      this.#at = endOfPlain(this.#text, start)
      const piece = this.#text.slice(start, this.#at)
      return piece === 'NULL' ? null : this.#read(piece)
    }
    const close = endOfQuoted(this.#text, start)
    if (close < 0) return undefined
    this.#at = close + 1
    const piece = this.#text.slice(start + 1, close)
    return this.#read(piece.includes('\\') ? piece.replace(/\\(.)/gs, '$1') : piece)
  }
}

/** Negative where nothing closes it. */
function endOfQuoted(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return -1
}

function endOfPlain(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE || code === OPEN || code === QUOTE) return at
  }
  return text.length
}

function tooManyLists(): Error {
  return sqlError(
    'sql_failed',
    `A value is an array with more than ${MOST_LISTS} arrays in it. Select its items as rows, with unnest().`
  )
}

/** Items that are not what their type says cost much to find out about, and no server has many of them. */
const MOST_REFUSED = 1_000

/** `read`: undefined for what it refuses, which stays text. */
export function itemsOf(read: (text: string) => JsonValue | undefined): ReadValue {
  let refused = 0
  return (text) => {
    const value = refused < MOST_REFUSED ? read(text) : undefined
    if (value !== undefined) return value
    refused++
    return text
  }
}
