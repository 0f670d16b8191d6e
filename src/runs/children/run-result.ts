import { CALL_PORT } from '../../engine/plan.ts'
import { CALLER } from '../../engine/plan-tool.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'

/** What started the run of an item, of a round, of what an agent asks, and of a flow that another one runs. */
export const ITEM_TRIGGER = 'for-each'
export const ROUND_TRIGGER = 'repeat'
export const CALL_TRIGGER = 'agent'
export const FLOW_TRIGGER = 'run-flow'

const INSIDE: ReadonlySet<string> = new Set([ITEM_TRIGGER, ROUND_TRIGGER, CALL_TRIGGER])

/** Whether it runs the inside of a region, or what an agent asks. */
export function isInside({ trigger }: { readonly trigger: string }): boolean {
  return INSIDE.has(trigger)
}

/** Which node of its plan gives a run what it begins with. */
export function giverIn({ trigger }: { readonly trigger: string }, node: string): string {
  return trigger === CALL_TRIGGER ? CALLER : node
}

/** What a region puts out to its inside, where that begins with this value. */
export function givenInside(trigger: string, value: JsonValue, index: number): Record<string, JsonValue> {
  if (trigger === CALL_TRIGGER) return { [CALL_PORT]: value }
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
