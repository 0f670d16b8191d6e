import type { StoredTrigger } from '../store/triggers.ts'

/** How far the triggers of flows have got, by flow and node. */
export type Marks = Map<string, number>

export function keyOf(flowId: string, node: string): string {
  return `${flowId}\n${node}`
}

/** A trigger that was never started has none. */
export function marksOf(stored: readonly StoredTrigger[]): Marks {
  return new Map(
    stored.flatMap(({ flowId, node, mark }) => (mark === null ? [] : [[keyOf(flowId, node), mark]]))
  )
}
