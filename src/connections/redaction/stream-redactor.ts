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
  #held = ''

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
    const text = this.#held + piece
    this.#held = ''
    if (spellings.isEmpty) return text
    const found = spellings.find(text)
    const safe = isLast ? text.length : spellings.holdFrom(text, found)
    this.#held = text.slice(safe)
    const spans = found.filter(({ end }) => end <= safe)
    return withoutSpans(text.slice(0, safe), spans, (span) => this.#instead(text, span))
  }

  restart(): void {
    this.#held = ''
  }
}
