import { NeedleSearch, type Span } from './needle-search.ts'
import { type Needle, needlesOf } from './secret-needles.ts'
import { isSpaced, placesOf, squeezed } from './squeezed-text.ts'
import { escapesOf, LONGEST_ESCAPE, type ReadText, readEscapes, UNFINISHED } from './written-escapes.ts'

/** Of a letter that is written by an escape, whose letters are written by escapes in turn. */
const MOST_LAYERS = 3

/** What is looked for in a text without its white space is no shorter. */
const SHORTEST_SQUEEZED = 12
/** Of what comes as a stream, a secret is found over so many letters and white space for each of its own. */
const MOST_SPACED = 2
const INTRODUCERS = /[%\\&]/

/** All ways in which somebody may write some secrets down, to find them in what they said. */
export class SecretSpellings {
  static readonly none = new SecretSpellings([])

  /** What takes a while to make is shared by all who look for the same. */
  readonly #parts: readonly SpellingsOfSome[]

  private constructor(parts: readonly SpellingsOfSome[]) {
    this.#parts = parts
  }

  static of(secrets: Iterable<string>): SecretSpellings {
    const needles = [...new Set(secrets)].flatMap(needlesOf)
    return needles.length === 0 ? SecretSpellings.none : new SecretSpellings([new SpellingsOfSome(needles)])
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  and(others: SecretSpellings): SecretSpellings {
    if (this.isEmpty) return others
    const more = others.#parts.filter((part) => !this.#parts.includes(part))
    return more.length === 0 ? this : new SecretSpellings([...this.#parts, ...more])
  }

  /** Where they stand, in order and apart from each other. */
  find(text: string): readonly Span[] {
    const [first, ...others] = this.#parts
    if (first === undefined) return []
    if (others.length === 0) return first.find(text)
    return merged(this.#parts.flatMap((part) => part.find(text)))
  }

  /**
   * Where the end of the text begins that may be the beginning of one of them, or that more of it would change: its length where
   * there is none. `found` is what was found in it; where that is long, it may begin inside of it.
   */
  holdFrom(text: string, found: readonly Span[]): number {
    return Math.min(text.length, ...this.#parts.map((part) => part.holdFrom(text, found)))
  }
}

const NOTHING: readonly Span[] = []

class SpellingsOfSome {
  readonly #needles: readonly Needle[]
  #search: NeedleSearch | undefined
  #squeezed: NeedleSearch | undefined
  #escapes: RegExp | undefined
  #known: ReadonlySet<string> | undefined
  #table: Uint8Array | undefined

  constructor(needles: readonly Needle[]) {
    this.#needles = needles
  }

  find(text: string): readonly Span[] {
    const found = this.#finder.find(text)
    const isEscaped = INTRODUCERS.test(text)
    const isBroken = text.length > SHORTEST_SQUEEZED && isSpaced(text)
    if (found.length === 0 && !isEscaped && !isBroken) return NOTHING
    if (isEscaped)
      for (const { start, end } of this.#windows(text))
        found.push(...this.#findRead(readEscapes(text, { start, end }, this.#matters)))
    if (isBroken) found.push(...this.#findSqueezed(text))
    return merged(found)
  }

  holdFrom(text: string, found: readonly Span[]): number {
    const isInside = (at: number) => found.some(({ start, sure }) => start < at && at < sure)
    const last = found.at(-1)
    const place = Math.min(
      last?.end === text.length ? last.start : text.length,
      ...this.#endsOf(text).map((read) => this.#firstBeginning(read, isInside)),
      this.#firstSqueezed(text, isInside)
    )
    // A letter of base64 before it may hold some of its bits.
    const isLoose = place > 0 && place < text.length && /[\w+/-]/.test(text.charAt(place - 1))
    const from = isLoose ? place - 1 : place
    const held = found.find(({ start, end }) => start < from && from < end)?.start ?? from
    // Many that stand side by side are found as one, which may be as long as all that has come.
    return Math.max(held, text.length - this.#finder.longest * LONGEST_ESCAPE)
  }

  /** The end of the text as far as it may matter: as it is, and with its escapes undone, once and again. */
  #endsOf(text: string): ReadText[] {
    const { longest } = this.#finder
    const isEscaped = INTRODUCERS.test(text.slice(-longest * LONGEST_ESCAPE))
    const start = Math.max(0, text.length - longest * (isEscaped ? LONGEST_ESCAPE : 1))
    const end = text.slice(start)
    const from = Uint32Array.from({ length: end.length + 1 }, (_, at) => start + at)
    const ends: ReadText[] = [{ text: end, from, isNested: true }]
    if (!isEscaped) return ends
    while (ends.length <= MOST_LAYERS && ends.at(-1)!.isNested)
      ends.push(readAgain(withoutUnfinished(ends.at(-1)!), this.#matters))
    return ends
  }

  /** Where one begins that goes on after white space. */
  #firstSqueezed(text: string, isInside: (at: number) => boolean): number {
    const start = Math.max(0, text.length - this.#squeezedFinder.longest * MOST_SPACED)
    const end = text.slice(start)
    if (!isSpaced(end) && !end.includes('=')) return text.length
    const whole = squeezed(end)
    const from = placesOf(end)
    for (let at = Math.max(0, whole.length - this.#squeezedFinder.longest); at < whole.length; at++) {
      const place = start + from[at]!
      if (this.#squeezedFinder.beginsAt(whole, at) && !isInside(place)) return place
    }
    return text.length
  }

  /** Where one begins that the text does not hold whole; what an escape that is not whole stands for may go on with it. */
  #firstBeginning({ text, from, isNested }: ReadText, isInside: (at: number) => boolean): number {
    const { text: whole } = withoutUnfinished({ text, from, isNested })
    const unfinished = text.length - whole.length
    for (let at = Math.max(0, whole.length - this.#finder.longest); at < whole.length; at++) {
      const begins = this.#finder.beginsAt(whole, at) || (unfinished > 0 && this.#finder.beginsAt(text, at))
      if (begins && !isInside(from[at]!)) return from[at]!
    }
    return from[whole.length]!
  }

  get #finder(): NeedleSearch {
    this.#search ??= new NeedleSearch(this.#needles)
    return this.#search
  }

  /** In large and in small letters. */
  get #letters(): ReadonlySet<string> {
    this.#known ??= new Set(
      this.#needles.flatMap(({ text }) => [...text, ...text.toLowerCase(), ...text.toUpperCase()])
    )
    return this.#known
  }

  readonly #matters = (code: number): boolean => {
    if (this.#table === undefined) {
      this.#table = new Uint8Array(65_536)
      for (const letter of [...this.#letters, '%', '\\', '&', '#', ';']) this.#table[letter.charCodeAt(0)] = 1
    }
    return this.#table[code] === 1
  }

  get #escapePattern(): RegExp {
    this.#escapes ??= escapesOf(this.#letters)
    this.#escapes.lastIndex = 0
    return this.#escapes
  }

  /** The parts of the text in which letters that matter are written by escapes, with all that may belong to them. */
  *#windows(text: string): Generator<{ start: number; end: number }> {
    const escapes = this.#escapePattern
    const reach = this.#finder.longest * LONGEST_ESCAPE
    let open: { start: number; end: number } | undefined
    for (; escapes.test(text); escapes.lastIndex = open.end - reach) {
      const at = escapes.lastIndex
      // As far again: the next escape that is looked for stands behind the first half.
      const window = { start: Math.max(0, at - reach), end: Math.min(text.length, at + 2 * reach) }
      if (open !== undefined && window.start <= open.end) open.end = window.end
      else {
        if (open !== undefined) yield open
        open = window
      }
      if (open.end === text.length) break
    }
    if (open !== undefined) yield open
  }

  #findRead(first: ReadText): Span[] {
    const found: Span[] = []
    let read = first
    for (let layer = 1; ; layer++) {
      for (const { start, end, sure } of this.#finder.find(read.text))
        found.push({ start: read.from[start]!, end: read.from[end]!, sure: read.from[sure]! })
      if (layer === MOST_LAYERS || !read.isNested) return found
      read = readAgain(read, this.#matters)
    }
  }

  #findSqueezed(text: string): Span[] {
    const spans = this.#squeezedFinder.find(squeezed(text))
    if (spans.length === 0) return spans
    const from = placesOf(text)
    return spans.map(({ start, end, sure }) => {
      return { start: from[start]!, end: from[end - 1]! + 1, sure: from[sure - 1]! + 1 }
    })
  }

  /** Short ones would be found in the words of ordinary text. What stands around them may be beyond a space, and is not theirs. */
  get #squeezedFinder(): NeedleSearch {
    this.#squeezed ??= new NeedleSearch(
      this.#needles
        .map(({ text }) => ({ text: squeezed(text), hasLooseEnds: false }))
        .filter(({ text }) => text.length >= SHORTEST_SQUEEZED)
    )
    return this.#squeezed
  }
}

function readAgain({ text, from }: ReadText, matters: (code: number) => boolean): ReadText {
  const again = readEscapes(text, { start: 0, end: text.length }, matters)
  return { ...again, from: again.from.map((at) => from[at]!) }
}

/** Without the escape at its end that may go on. */
function withoutUnfinished(read: ReadText): ReadText {
  const unfinished = UNFINISHED.exec(read.text.slice(-LONGEST_ESCAPE))?.[0].length ?? 0
  if (unfinished === 0) return read
  const length = read.text.length - unfinished
  return { ...read, text: read.text.slice(0, length), from: read.from.subarray(0, length + 1) }
}

function merged(spans: Span[]): Span[] {
  if (spans.length < 2) return spans
  const all: { start: number; end: number; sure: number }[] = []
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (last !== undefined && span.start <= last.end) {
      last.end = Math.max(last.end, span.end)
      last.sure = Math.max(last.sure, span.sure)
    } else all.push({ ...span })
  }
  return all
}
