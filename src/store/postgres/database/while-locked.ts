import type { Query } from './database.ts'
import { SYSTEM_TIMING, type Timing } from './timing.ts'

const SAY_SO_MS = 1_000

interface WhileLocked extends Partial<Pick<Timing, 'startTimer'>> {
  readonly sayEveryMs?: number
}

/**
 * For a transaction that holds a lock while something else is done, for as long as that takes. The server ends those that
 * stand still, since whoever began one may be frozen or gone; this one says that it lives.
 */
export async function whileLocked<T>(
  query: Query,
  task: () => Promise<T>,
  { sayEveryMs = SAY_SO_MS, startTimer = SYSTEM_TIMING.startTimer }: WhileLocked = {}
): Promise<T> {
  let saying: Promise<unknown> = Promise.resolve()
  const say = () => {
    timer = startTimer(sayEveryMs, say)
    // Where it cannot be said any more, the end of the transaction tells.
    saying = saying.then(() => query('SELECT 1')).catch(() => {})
  }
  let timer = startTimer(sayEveryMs, say)
  try {
    return await task()
  } finally {
    timer.stop()
    await saying
  }
}
