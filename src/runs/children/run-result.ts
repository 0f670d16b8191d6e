import type { StepRecord } from '../../engine/step-record.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'

/** What started the run of an item, of a round, and of a flow that another one runs. */
export const ITEM_TRIGGER = 'for-each'
export const ROUND_TRIGGER = 'repeat'
export const FLOW_TRIGGER = 'run-flow'

/** Whether it runs the inside of a region. */
export function isInside({ trigger }: { readonly trigger: string }): boolean {
  return trigger === ITEM_TRIGGER || trigger === ROUND_TRIGGER
}

/** What a region puts out to its inside, where that begins with this value. */
export function givenInside(trigger: string, value: JsonValue, index: number) {
  return trigger === ROUND_TRIGGER ? { data: value, index } : { item: value, index }
}

/** What a run gave back: what its Return got, else the text of its Chat Output. */
export function resultOfRun(steps: readonly StepRecord[]): unknown {
  const of = (type: string) => steps.find((step) => step.type === type && step.status === 'succeeded')
  const returned = of('return')
  if (returned !== undefined) return returned.outputs?.data
  return of('chat-output')?.outputs?.message
}

/** What reached the end of its region: `result` of an item, `next` of a round. */
export function itemResult(steps: readonly StepRecord[], node: string): unknown {
  const outputs = steps.find((step) => step.node === node)?.outputs
  return outputs?.result ?? outputs?.next
}
