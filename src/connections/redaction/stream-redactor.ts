import type { Span } from './needle-search.ts'
import { REDACTED, withoutSpans } from './redact-secrets.ts'
import type { SecretSpellings } from './secret-spellings.ts'

/**
 * Takes secrets out of a text that comes in pieces: a secret may begin in one piece and end in another, so what may
 * be the beginning of one is held back until more has come.
 */
export class StreamRedactor {
  readonly #spellings: () => SecretSpellings
  readonly #instead: (text: string, span: Span) => string
  #buffered = ''
  /** So much of it, from its beginning on, is the rest of what was found before. */
  #found = 0

  /** All spellings; asked each time, because a step may open a connection at any moment. */
  constructor(
    spellings: () => SecretSpellings,
    instead: (text: string, span: Span) => string = () => REDACTED
  ) {
    this.#spellings = spellings
    this.#instead = instead
  }

  take(piece: string, isLast: boolean): string {
    const spellings = this.#spellings()
    const text = this.#buffered + piece
    this.#buffered = ''
    if (spellings.isEmpty) return text
    const found = withRest(this.#found, spellings.find(text))
    const hold = isLast ? text.length : spellings.holdFrom(text, found)
    const cut = found.find(({ start, end }) => start < hold && hold < end)
    // By an even number: letters of two bytes stay whole.
    const safe = cut === undefined ? hold : hold - ((hold - cut.start) % 2)
    this.#buffered = text.slice(safe)
    this.#found = cut === undefined ? 0 : cut.end - safe
    const spans = found.filter(({ end }) => end <= safe)
    if (cut !== undefined && cut.start < safe) spans.push({ ...cut, end: safe })
    return withoutSpans(text.slice(0, safe), spans, (span) => this.#instead(text, span))
  }

  restart(): void {
    this.#buffered = ''
    this.#found = 0
  }
}

/** Where the text begins with so much of what was found before. */
function withRest(length: number, found: readonly Span[]): readonly Span[] {
  if (length === 0) return found
  const touching = found.filter(({ start }) => start <= length)
  const end = Math.max(length, touching.at(-1)?.end ?? 0)
  return [{ start: 0, end, sure: end }, ...found.slice(touching.length)]
}
