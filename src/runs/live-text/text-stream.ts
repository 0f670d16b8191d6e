import type { TextDelta } from './text-news.ts'

/** Takes secrets out of a text that comes in pieces. What may be the beginning of one is held back. */
export interface TextRedactor {
  /** `isLast`: nothing follows, so nothing is held back any more. */
  take(piece: string, isLast: boolean): string
  /** The text begins anew: what was held back is dropped. */
  restart(): void
}

interface TextStreamDeps {
  /** Whoever puts out text has been told to stop. */
  readonly isOver: () => boolean
  readonly sendSoon: (stream: TextStream) => void
  readonly sendNow: (stream: TextStream) => void
}

/** The text of one attempt at a step. */
export class TextStream {
  readonly #place: Pick<TextDelta, 'flowId' | 'runId' | 'node'>
  readonly #redactor: TextRedactor
  readonly #deps: TextStreamDeps
  #gathered = ''
  /** So much was taken, redacted. */
  #at = 0
  #isFirst = true
  #isEnded = false

  constructor(
    place: Pick<TextDelta, 'flowId' | 'runId' | 'node'>,
    redactor: TextRedactor,
    deps: TextStreamDeps
  ) {
    this.#place = place
    this.#redactor = redactor
    this.#deps = deps
  }

  emit(text: string, isAnew: boolean): void {
    if (this.#isEnded || this.#deps.isOver()) return
    if (isAnew) this.#restart()
    this.#gathered += text
    if (this.#isFirst && this.#gathered !== '') {
      this.#isFirst = false
      this.#deps.sendNow(this)
    } else this.#deps.sendSoon(this)
  }

  /** The step has returned: what is left goes out before its result is told. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#deps.sendNow(this)
  }

  /** The attempt has failed: what is left is dropped, and so is what its component still puts out. */
  drop(): void {
    this.#isEnded = true
    this.#gathered = ''
    this.#redactor.restart()
  }

  /** What has come since the last time and may be told. */
  take(): TextDelta | undefined {
    if (this.#deps.isOver()) this.drop()
    const text = this.#redactor.take(this.#gathered, this.#isEnded)
    this.#gathered = ''
    if (text === '') return undefined
    const at = this.#at
    this.#at += text.length
    return { ...this.#place, at, text }
  }

  #restart(): void {
    this.#gathered = ''
    this.#at = 0
    this.#isFirst = true
    this.#redactor.restart()
  }
}
