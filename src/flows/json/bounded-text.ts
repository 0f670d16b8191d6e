import { jsonPieces } from './json-pieces.ts'

/** The text has come to its limit; what was to be added is not in it. */
export class TextTooLong extends Error {
  override readonly name = 'TextTooLong'
  readonly limit: number

  constructor(limit: number) {
    super(`The text would be longer than ${limit} characters.`)
    this.limit = limit
  }
}

/** In characters or what takes as long: well below a millisecond. */
const TURN = 16 * 1024

/** Pieces that are joined at once. Left as they are, millions of short ones would take more memory than their text. */
const JOINED = 1024

/** Text that is written piece by piece, up to a limit. */
export class BoundedText {
  readonly limit: number
  #length = 0
  #worked = 0
  #pieces: string[] = []
  readonly #joined: string[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    this.assertRoom(piece.length)
    this.#length += piece.length
    this.#worked += piece.length
    if (this.#pieces.push(piece) >= JOINED) {
      this.#joined.push(this.#pieces.join(''))
      this.#pieces = []
    }
  }

  assertRoom(length: number): void {
    if (this.#length + length > this.limit) throw new TextTooLong(this.limit)
  }

  /** Whether it is time to let others have their turn, after so much work besides what was added. */
  isTurnOver(work = 0): boolean {
    this.#worked += work
    if (this.#worked < TURN) return false
    this.#worked = 0
    return true
  }

  toString(): string {
    if (this.#joined.length === 0) return this.#pieces.join('')
    return [...this.#joined, ...this.#pieces].join('')
  }
}

/** Throws what writeJson throws. */
export function* writeJsonTo(text: BoundedText, value: unknown, indent = 0): Generator<void, void, void> {
  for (const piece of jsonPieces(value, { indent })) {
    text.add(piece)
    if (text.isTurnOver()) yield
  }
}
