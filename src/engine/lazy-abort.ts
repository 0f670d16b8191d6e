/** An AbortSignal costs more than a whole pure step, so it is made only for a component that looks at it. */
export class LazyAbort {
  #controller: AbortController | undefined
  #reason: Error | undefined

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** Why it was aborted, where it was. */
  get reason(): Error | undefined {
    return this.#reason
  }

  abort(reason: Error): void {
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}
