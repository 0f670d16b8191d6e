import { RESULT } from '../../engine/plan-region.ts'
import type { StepRecord } from '../../engine/step-record.ts'

/** What started the run of an item, and of a flow that another one runs. */
export const ITEM_TRIGGER = 'for-each'
export const FLOW_TRIGGER = 'run-flow'

/** What a run gave back: what its Return got, else the text of its Chat Output. */
export function resultOfRun(steps: readonly StepRecord[]): unknown {
  const of = (type: string) => steps.find((step) => step.type === type && step.status === 'succeeded')
  const returned = of('return')
  if (returned !== undefined) return returned.outputs?.data
  return of('chat-output')?.outputs?.message
}

/** What reached the end of its region. */
export function itemResult(steps: readonly StepRecord[], node: string): unknown {
  return steps.find((step) => step.node === node)?.outputs?.[RESULT]
}
