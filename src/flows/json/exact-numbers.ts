import { ExactNumber } from './exact-number.ts'

/** Numbers of up to so many characters are kept while a text is read, at so many places. */
const FEW = 5
const PLACES = 1021
/** In shorter texts there are none to speak of. */
const LONG = 10_000

/** The exact numbers of one text. */
export class ExactNumbers {
  readonly #text: string
  /** Of the short ones, of which there are few and a body has room for hundreds of thousands, one of each is made. */
  readonly #short: (ExactNumber | undefined)[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Refuses what is no number. */
  read(start: number, end: number): ExactNumber {
    if (end - start > FEW || this.#text.length < LONG) return new ExactNumber(this.#text.slice(start, end))
    const place = this.#placeOf(start, end)
    const known = this.#short[place]
    if (known?.source.length === end - start && this.#text.startsWith(known.source, start)) return known
    const made = new ExactNumber(this.#text.slice(start, end))
    this.#short[place] = made
    return made
  }

  #placeOf(start: number, end: number): number {
    let sum = 0
    for (let at = start; at < end; at++) sum = sum * 17 + this.#text.charCodeAt(at)
    return sum % PLACES
  }
}
