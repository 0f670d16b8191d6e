/** A long computation that can be put aside wherever it yields. */
export type Turns<T> = Generator<void, T, void>

export interface Pacer {
  /** Undefined while the thread may be held for longer; otherwise to be waited for. */
  pause(): Promise<void> | undefined
}

/** Computes at once what is short, and lets others have their turn in between of what is long. */
export function inTurns<T>(work: Turns<T>, pacer: Pacer): T | Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value as T
    const turn = pacer.pause()
    if (turn !== undefined) return turn.then(() => inTurns(work, pacer))
  }
}

/** Computes all of it in one turn. */
export function atOnce<T>(work: Turns<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value as T
  }
}
