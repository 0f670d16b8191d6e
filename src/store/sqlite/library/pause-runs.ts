import type { RunsOfFlow } from '../../library/flow-standing.ts'
import { noStatements } from '../../library/library-database.ts'
import type { OpenRuns } from '../runs/open-runs.ts'

/** What is queued is known in memory, and written with the batch. */
export function runsOfFlow(open: OpenRuns): RunsOfFlow {
  return {
    pause(flowId) {
      open.paused(flowId)
      return noStatements()
    },
    resume(flowId) {
      open.resumed(flowId)
      return noStatements()
    }
  }
}
