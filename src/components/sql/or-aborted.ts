/** Waits for the work, or no longer than until the signal is aborted: then `end` is called, and its reason is thrown. */
export async function orAborted<R>(signal: AbortSignal, end: () => void, work: () => Promise<R>): Promise<R> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => {
    reject(signal.reason)
    end()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
