import type { ChatListener } from '../../runs/chat/chat-text.ts'

/** Between two messages of one answer. */
export const BETWEEN = '\n\n'

/**
 * All messages as one text of which nothing can be taken back. One that begins anew is sent on from where it gets further than before;
 * where it says otherwise the text is broken.
 */
export class FinalText implements ChatListener {
  readonly #send: (text: string) => void
  /** Of the message that is being told. */
  #sent = ''
  #at = 0
  #isFirst = true
  isBroken = false

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  get isEmpty(): boolean {
    return this.#isFirst && this.#sent === ''
  }

  piece(text: string): void {
    if (this.isBroken) return
    // To look into it at every piece would copy all of it each time.
    const known = this.#at === this.#sent.length ? '' : this.#sent.slice(this.#at, this.#at + text.length)
    if (!text.startsWith(known)) {
      this.isBroken = true
      return
    }
    this.#at += text.length
    const rest = text.slice(known.length)
    if (rest === '') return
    this.#send(this.#sent === '' && !this.#isFirst ? BETWEEN + rest : rest)
    this.#sent += rest
  }

  restart(): void {
    this.#at = 0
  }

  /** A text that is shorter than what was sent of it is another one. */
  message(): void {
    if (this.#at < this.#sent.length) this.isBroken = true
    this.#isFirst &&= this.#sent === ''
    this.#sent = ''
    this.#at = 0
  }
}
