/**
 * The text of an answer on its way to who listens. It comes twice: from the wire, and later from the SDK, which has the
 * last word on what is text. What was told is not told again.
 */
export class AnswerText {
  readonly #tell: (text: string) => void
  #told = 0
  #read = 0

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  /** Another answer follows. */
  begin(): void {
    this.#told = 0
    this.#read = 0
  }

  /** It came over the wire, and the SDK has not read it yet. */
  readonly ahead = (text: string): void => {
    this.#told += text.length
    this.#tell(text)
  }

  /** The SDK has read it. */
  read(text: string): void {
    const known = Math.max(0, this.#told - this.#read)
    this.#read += text.length
    if (known >= text.length) return
    this.#told = this.#read
    this.#tell(text.slice(known))
  }
}
