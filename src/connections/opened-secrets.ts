import { StepError } from '../engine/step-error.ts'
import { spellingsOf, strikeText, strikeValue } from './strike-secrets.ts'

/** All spellings of these secrets, longest first: a shorter one may be part of a longer. */
export function spellingsOfAll(secrets: Iterable<string>): readonly string[] {
  return longestFirst([...secrets].flatMap(spellingsOf))
}

function longestFirst(spellings: readonly string[]): readonly string[] {
  return [...new Set(spellings)].sort((a, b) => b.length - a.length)
}

/** The secrets that one attempt at a step has opened: whatever leaves the attempt is read for them. */
export class OpenedSecrets {
  /** Longest first. */
  #spellings: readonly string[] = []

  get isEmpty(): boolean {
    return this.#spellings.length === 0
  }

  get spellings(): readonly string[] {
    return this.#spellings
  }

  /** Also of what was made of a secret, such as a token that it was exchanged for. */
  add(spellings: readonly string[]): void {
    this.#spellings = this.isEmpty ? spellings : longestFirst([...this.#spellings, ...spellings])
  }

  isIn(text: string): boolean {
    return this.#spellings.some((spelling) => text.includes(spelling))
  }

  strikeText(text: string): string {
    return strikeText(text, this.#spellings)
  }

  strikeValue(value: unknown): unknown {
    return strikeValue(value, this.#spellings)
  }

  /** An error without its stack and cause: they may say it, too. */
  strikeError(thrown: unknown): unknown {
    if (!(thrown instanceof Error)) return this.strikeValue(thrown)
    const message = this.strikeText(thrown.message)
    const { code, retryable, retryAfterMs } = thrown as Partial<StepError>
    return new StepError(message, {
      ...(typeof code === 'string' && { code: this.strikeText(code) }),
      ...(typeof retryable === 'boolean' && { retryable }),
      ...(typeof retryAfterMs === 'number' && { retryAfterMs })
    })
  }
}
