import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../../command-error.ts'
import { showProgress } from '../../progress.ts'
import type { Output } from '../outside.ts'
import { ApiRefusal } from '../refusals.ts'
import type { Summary } from './run-choice.ts'

export interface Outcome {
  readonly started: readonly { readonly run: Summary; readonly id: string }[]
  readonly refused: readonly { readonly run: Summary; readonly error: ApiRefusal }[]
  /** The service was asked, and did not answer: whether the run was started nobody can say. */
  readonly unanswered?: { readonly run: Summary; readonly error: CommandError }
  /** Not tried, since the command was ended or the service does not answer. */
  readonly left: readonly Summary[]
}

interface Order {
  readonly doing: string
  readonly notes: Output
  readonly signal: AbortSignal
  readonly start: (run: Summary) => Promise<string>
}

const LONGEST_PAUSE_S = 60

/**
 * Starts one after the other, so that they come in their order. Where the service has too much to do it says when to come again,
 * and that is done; what a run is refused for says nothing of the next one. A service that does not answer ends it.
 */
export async function startEach(runs: readonly Summary[], order: Order): Promise<Outcome> {
  const started: { run: Summary; id: string }[] = []
  const refused: { run: Summary; error: ApiRefusal }[] = []
  let unanswered: Outcome['unanswered']
  const progress = showProgress(order.notes)
  const show = (done: number) =>
    runs.length > 1 && progress.show({ doing: order.doing, part: 'runs', done, total: runs.length })
  try {
    for (const [at, run] of runs.entries()) {
      if (order.signal.aborted) break
      show(at)
      try {
        started.push({ run, id: await startPatiently(run, order) })
      } catch (error) {
        if (order.signal.aborted) break
        if (!(error instanceof CommandError)) throw error
        if (error instanceof ApiRefusal) refused.push({ run, error })
        else {
          unanswered = { run, error }
          break
        }
      }
    }
    show(started.length + refused.length)
  } finally {
    progress.end()
  }
  const tried = started.length + refused.length + (unanswered === undefined ? 0 : 1)
  return { started, refused, ...(unanswered && { unanswered }), left: runs.slice(tried) }
}

async function startPatiently(run: Summary, order: Order): Promise<string> {
  for (;;) {
    try {
      return await order.start(run)
    } catch (error) {
      const seconds = error instanceof ApiRefusal ? error.retryAfter : undefined
      if (seconds === undefined) throw error
      await wait(Math.min(seconds, LONGEST_PAUSE_S) * 1_000, undefined, { signal: order.signal })
    }
  }
}
