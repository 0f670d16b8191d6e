import { strikeText } from './strike-secrets.ts'

/**
 * Takes secrets out of a text that comes in pieces: a secret may begin in one piece and end in another, so what may
 * be the beginning of one is held back until more has come.
 */
export class SecretsStruckAsTheyCome {
  readonly #spellings: () => readonly string[]
  #held = ''

  /** All spellings, longest first; asked each time, because a step may open a connection at any moment. */
  constructor(spellings: () => readonly string[]) {
    this.#spellings = spellings
  }

  take(piece: string, isLast: boolean): string {
    const spellings = this.#spellings()
    const text = this.#held + piece
    this.#held = ''
    if (spellings.length === 0) return text
    const struck = strikeText(text, spellings)
    if (isLast) return struck
    const safe = struck.length - longestBeginning(struck, spellings)
    this.#held = struck.slice(safe)
    return struck.slice(0, safe)
  }

  restart(): void {
    this.#held = ''
  }
}

/** How much of the end of the text is the beginning of one of these. */
function longestBeginning(text: string, spellings: readonly string[]): number {
  let longest = 0
  for (const spelling of spellings) {
    const first = spelling[0]!
    let from = text.indexOf(first, Math.max(0, text.length - spelling.length + 1))
    while (from >= 0 && !spelling.startsWith(text.slice(from))) from = text.indexOf(first, from + 1)
    if (from >= 0) longest = Math.max(longest, text.length - from)
  }
  return longest
}
