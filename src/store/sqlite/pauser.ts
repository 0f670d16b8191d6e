import { setImmediate } from 'node:timers/promises'

/** Long enough that pausing costs nothing, short enough that an accept does not notice. */
const budgetMs = 4

/**
 * Long reads call this between small queries: once they have held the event loop for their share of time, the
 * accepts that have come meanwhile go first. Time and not rows is counted, since rows differ a thousandfold.
 */
export function createPauser(): () => Promise<void> {
  let until = performance.now() + budgetMs
  return async () => {
    if (performance.now() < until) return
    await setImmediate()
    until = performance.now() + budgetMs
  }
}
