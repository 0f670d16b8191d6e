import { givenToItem, ownSteps } from '../../../api/items.ts'
import type { NodeRun, ShownItem, ShownRun } from '../editor-context.ts'

/** The run with what one item of each For each did inside it; the run itself where none is known. */
export function withItems(run: ShownRun, items: ReadonlyMap<string, ShownItem>): ShownRun {
  const own = [...items].filter(([, { run: item }]) => item.parent?.run_id === run.id)
  if (own.length === 0) return run
  const steps = new Map<string, NodeRun>(run.steps)
  for (const [region, { run: item }] of own) {
    for (const step of ownSteps(item)) steps.set(step.node, step)
    const step = steps.get(region)
    if (step !== undefined) steps.set(region, { ...step, given: givenToItem(item) })
  }
  return { ...run, steps }
}
