import type { Clock } from '../../clock.ts'
import { EXTERNAL_TIMEOUT_MS } from '../../engine/plan.ts'
import type { RunFailure } from '../../engine/step-record.ts'
import { messageOf } from '../../errors.ts'
import type { RunInContext } from '../steps/run-in-context.ts'
import { runView } from '../steps/run-view.ts'

/**
 * Calls what the flow's context has for the start of a run, one after the other, for as long as `isOver` says that the
 * run goes on: cancelled or handed back, it calls none any more. Resolves to why the run failed by it, or to null.
 */
export async function callStartHooks(
  around: RunInContext,
  clock: Pick<Clock, 'startTimer'>,
  isOver: () => boolean
): Promise<RunFailure | null> {
  try {
    for (const hook of around.context.onRunStart) {
      if (isOver()) return null
      await inTime(clock, () => hook(runView(around, [])))
    }
    return null
  } catch (error) {
    const message = `A hook of the flow's context (onRunStart) failed: ${messageOf(error)}`
    return { node: null, code: 'hook_failed', message }
  }
}

/** As long as a step that reaches outside has: one that never comes back would hold its place for ever. */
async function inTime(clock: Pick<Clock, 'startTimer'>, call: () => unknown): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = clock.startTimer(EXTERNAL_TIMEOUT_MS, () =>
    late.reject(new Error(`It took longer than ${EXTERNAL_TIMEOUT_MS} ms.`))
  )
  try {
    await Promise.race([call(), late.promise])
  } finally {
    timer.stop()
  }
}
