import type { HeldRuns } from '../../library/flow-standing.ts'
import { noStatements } from '../../library/library-database.ts'
import type { OpenRuns } from '../runs/open-runs.ts'

/** What is queued is known in memory, and written with the batch. */
export function heldRuns(open: OpenRuns): HeldRuns {
  return {
    hold(flowId) {
      open.paused(flowId)
      return noStatements()
    },
    release(flowId) {
      open.resumed(flowId)
      return noStatements()
    }
  }
}
