import type { Turns } from '../../plugin-api.ts'

/** A computation that yields others for their results, and nothing where others may have their turn. */
export type Work<T> = Generator<Work<unknown> | undefined, T, unknown>

/** Does work without calling itself: data and schemas are nested deeper than the stack of calls is. */
export function* workInTurns<T>(work: Work<T>): Turns<T> {
  const stack: Work<unknown>[] = [work]
  let given: unknown
  let failure: { readonly error: unknown } | undefined
  for (;;) {
    const top = stack.at(-1)!
    let step: IteratorResult<Work<unknown> | undefined, unknown>
    try {
      step = failure === undefined ? top.next(given) : top.throw(failure.error)
    } catch (error) {
      stack.pop()
      if (stack.length === 0) throw error
      failure = { error }
      continue
    }
    failure = undefined
    given = undefined
    if (step.done === true) {
      stack.pop()
      if (stack.length === 0) return step.value as T
      given = step.value
    } else if (step.value === undefined) yield
    else stack.push(step.value)
  }
}
