import { StepError } from '../engine/step-error.ts'
import { redactText, redactValue } from './redaction/redact-secrets.ts'
import { SecretSpellings } from './redaction/secret-spellings.ts'

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

  /** An error without its stack and cause: they may say it, too. */
  redactError(thrown: unknown): unknown {
    if (!(thrown instanceof Error)) return this.redactValue(thrown)
    const message = this.redactText(thrown.message)
    const { code, retryable, retryAfterMs } = thrown as Partial<StepError>
    return new StepError(message, {
      ...(typeof code === 'string' && { code: this.redactText(code) }),
      ...(typeof retryable === 'boolean' && { retryable }),
      ...(typeof retryAfterMs === 'number' && { retryAfterMs })
    })
  }
}
