import { boundedWords, MOST_THROWN, StepError, toldWords } from '../engine/step-error.ts'
import { messageOf } from '../errors.ts'
import type { Turns } from '../flows/in-turns.ts'
import { redactInTurns } from './redaction/redact-in-turns.ts'
import { redactText, redactValue } from './redaction/redact-secrets.ts'
import { SecretSpellings } from './redaction/secret-spellings.ts'
import { StreamRedactor } from './redaction/stream-redactor.ts'

/** The secrets that one attempt at a step has opened: whatever leaves the attempt is read for them. */
export class OpenedSecrets {
  #spellings = SecretSpellings.none

  get isEmpty(): boolean {
    return this.#spellings.isEmpty
  }

  get spellings(): SecretSpellings {
    return this.#spellings
  }

  /** Also of what was made of a secret, such as a token that it was exchanged for. */
  add(spellings: SecretSpellings): void {
    this.#spellings = this.#spellings.and(spellings)
  }

  isIn(text: string): boolean {
    return this.#spellings.find(text).length > 0
  }

  redactText(text: string): string {
    return redactText(text, this.#spellings)
  }

  redactValue(value: unknown): unknown {
    return redactValue(value, this.#spellings)
  }

  /** Words of an error or of a peer, no longer than they are told. Where they were cut, half of a secret may be at the end. */
  redactWords(text: string): string {
    const words = boundedWords(text)
    const isWhole = words.length < MOST_THROWN - 1
    return toldWords(new StreamRedactor(() => this.#spellings).take(words, isWhole))
  }

  /** For what may be of any size. */
  redactInTurns(value: unknown): Turns<unknown> {
    return redactInTurns(value, this.#spellings)
  }

  /** An error without its stack and cause: they may say it, too. */
  redactError(thrown: unknown): unknown {
    if (!(thrown instanceof Error)) return this.redactValue(thrown)
    const message = this.redactWords(messageOf(thrown))
    const { code, retryable, retryAfterMs } = thrown as Partial<StepError>
    return new StepError(message, {
      ...(typeof code === 'string' && { code: this.redactWords(code) }),
      ...(typeof retryable === 'boolean' && { retryable }),
      ...(typeof retryAfterMs === 'number' && { retryAfterMs })
    })
  }
}
