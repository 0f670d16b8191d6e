/** Does one work at a time: a newer one cancels what is under way, and begins when that has ended. */
export class OneAtATime {
  #cancel: AbortController | undefined
  #ended: Promise<unknown> = Promise.resolve()

  /** Undefined where a newer one took its place, or all was cancelled. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<{ readonly result: T } | undefined> {
    this.cancel()
    const mine = new AbortController()
    this.#cancel = mine
    const before = this.#ended
    const result = before.then(() => doUnlessCancelled(work, mine.signal))
    this.#ended = result.catch(() => undefined)
    return result
  }

  cancel(): void {
    this.#cancel?.abort()
  }
}

async function doUnlessCancelled<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal
): Promise<{ readonly result: T } | undefined> {
  if (signal.aborted) return undefined
  try {
    const result = await work(signal)
    return signal.aborted ? undefined : { result }
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
