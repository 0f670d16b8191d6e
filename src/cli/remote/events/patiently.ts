import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../../command-error.ts'
import { ApiRefusal } from '../refusals.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** How long to wait before the next try, and before the one after that. */
export class Pauses {
  #next = FIRST_PAUSE_MS

  begin(): void {
    this.#next = FIRST_PAUSE_MS
  }

  async wait(signal: AbortSignal): Promise<void> {
    await wait(this.#next, undefined, { signal }).catch(() => {})
    this.#next = Math.min(2 * this.#next, LONGEST_PAUSE_MS)
  }
}

/** A key that is good no more, a flow that is gone. A service that starts again, or is busy, says no for a while only. */
export function isFinal(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status < 500 && error.status !== 429
  return !(error instanceof CommandError) && !(error instanceof TypeError) && !(error instanceof RangeError)
}

/** Asks until the service answers, or the signal comes. */
export async function patiently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const pauses = new Pauses()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (isFinal(error)) throw error
      await pauses.wait(signal)
      signal.throwIfAborted()
    }
  }
}
