import type { Child } from '../children.ts'
import type { EndStatus } from '../store.ts'

export interface ChildRow {
  readonly seq: number
  readonly id: string
  readonly flow_id: string
  readonly child_index: number
  readonly status: EndStatus | null
  readonly error: string | null
  readonly steps: string
}

export function storedChild({ seq, id, flow_id, child_index, status, error, steps }: ChildRow): Child {
  const outcome = status === null ? null : { status, error, steps }
  return { seq, id, flowId: flow_id, index: child_index, outcome }
}
