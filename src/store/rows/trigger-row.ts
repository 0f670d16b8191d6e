import type { StoredTrigger } from '../triggers.ts'

export interface TriggerRow {
  readonly flow_id: string
  readonly node: string
  readonly mark: number | null
  readonly fault: string | null
  readonly failed_at: number | null
}

export function storedTrigger({ flow_id, node, mark, fault, failed_at }: TriggerRow): StoredTrigger {
  return {
    flowId: flow_id,
    node,
    mark,
    fault: fault === null ? null : { message: fault, at: failed_at ?? 0 }
  }
}
