import type { StepCall } from '../../engine/effects.ts'
import { invokeComponent } from './invoke-component.ts'
import type { RunInContext } from './run-in-context.ts'
import type { StepWatch } from './step-watch.ts'

/** Runs a step, its hooks included, and says that it does: all of it may hold the thread. */
export function invokeStep(call: StepCall, around: RunInContext, watch: StepWatch): unknown {
  const { seq } = around.run
  const { index } = call.node
  watch.began(seq, index)
  try {
    const returned = invokeComponent(call, around, watch)
    if (returned instanceof Promise) watch.waits(seq, index, returned)
    return returned
  } finally {
    watch.left()
  }
}
