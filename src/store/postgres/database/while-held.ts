import type { Query } from './database.ts'

const SAY_SO_MS = 1_000

/**
 * For a transaction that holds a lock while something else is done, for as long as that takes. The server ends those that
 * stand still, since whoever began one may be frozen or gone; this one says that it lives.
 */
export async function whileHeld<T>(query: Query, task: () => Promise<T>, sayEveryMs = SAY_SO_MS): Promise<T> {
  let saying: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // Where it cannot be said any more, the end of the transaction tells.
    saying = saying.then(() => query('SELECT 1')).catch(() => {})
  }, sayEveryMs)
  timer.unref()
  try {
    return await task()
  } finally {
    clearInterval(timer)
    await saying
  }
}
