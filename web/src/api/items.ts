import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { Run, RunSummary, Step } from './shapes.ts'

/** Runs of the nodes inside a For each; those of Run flow are whole runs. */
export function isItem({ trigger, parent }: Pick<RunSummary, 'trigger' | 'parent'>): boolean {
  return parent !== null && trigger === 'for-each'
}

/** The last step of an item is its For each taking what it gave: nothing that the item does. */
export function ownSteps(run: Run): readonly Step[] {
  return isItem(run) ? run.steps.filter(({ node }) => node !== run.parent?.node) : run.steps
}

/** What the For each gives the nodes inside, by the names of its outputs. */
export function givenToItem({ input, parent }: Run): Readonly<Record<string, JsonValue>> {
  return { item: input, index: parent?.index ?? 0 }
}

/** What a run gave back: an item by `result`, any other by its Return. Undefined where it gave nothing. */
export function resultOf(run: Run): JsonValue | undefined {
  if (!isItem(run)) return run.output ?? undefined
  return run.steps.find(({ node }) => node === run.parent?.node)?.outputs?.result
}
