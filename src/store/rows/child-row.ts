import type { Child } from '../children.ts'
import type { EndStatus } from '../store.ts'

export interface ChildRow {
  readonly seq: number
  readonly id: string
  readonly flow_id: string
  readonly child_index: number
  readonly status: EndStatus | null
  readonly finished_at: number
  readonly error: string | null
  readonly steps: string
}

export function storedChild(row: ChildRow): Child {
  const { seq, id, flow_id, child_index, status, finished_at: finishedAt, error, steps } = row
  const outcome = status === null ? null : { status, finishedAt, error, steps }
  return { seq, id, flowId: flow_id, index: child_index, outcome }
}
