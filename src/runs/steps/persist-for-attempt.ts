import type { LazyAbort } from '../../engine/lazy-abort.ts'

type Persist = <T>(ask: () => Promise<T>) => Promise<T>

/**
 * What the store does not take, or give, now is waited for; an attempt that is over asks for nothing any more. What it wrote
 * late would be of the past: the run may be on its way along the error output, or in a later attempt.
 */
export function persistForAttempt(persist: Persist, abort: LazyAbort): Persist {
  return (ask) =>
    persist(async () => {
      if (abort.reason !== undefined) throw abort.reason
      return ask()
    })
}
