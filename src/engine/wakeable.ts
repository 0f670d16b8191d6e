import type { PlannedNode } from './plan.ts'
import type { Progress } from './progress.ts'
import { isSettled } from './settle.ts'

/** The step of this node, where something outside can end its wait, or may have before it comes to it. */
export function wakeableNode(progress: Progress, nodeId: string): PlannedNode | undefined {
  const node = progress.plan.nodes.find(({ id }) => id === nodeId)
  return node !== undefined && isWakeable(progress, node) ? node : undefined
}

/** Whether there is such a step, as far as is known: that one waits for its next attempt may be on its way to the store. */
export function hasWakeable(progress: Progress): boolean {
  return progress.plan.nodes.some((node) => node.retry.schedule !== undefined || isWakeable(progress, node))
}

/** One that cannot be resumed waits for something that others may end, and not only for its next attempt after a pause. */
function isWakeable({ standing, waiting }: Progress, { index, component }: PlannedNode): boolean {
  if (isSettled(standing.statuses[index]!)) return false
  return component.resume !== undefined || waiting.get(index)?.wait !== undefined
}
