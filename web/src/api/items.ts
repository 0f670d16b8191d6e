import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { Run, RunSummary, Step } from './shapes.ts'

/** Runs of the nodes inside a For each or a Repeat; those of Run flow are whole runs. */
export function isItem({ trigger, parent }: Pick<RunSummary, 'trigger' | 'parent'>): boolean {
  return parent !== null && (trigger === 'for-each' || trigger === 'repeat')
}

/** What people call it. */
export function itemName({ trigger, parent }: Pick<RunSummary, 'trigger' | 'parent'>): string {
  return `${trigger === 'repeat' ? 'Round' : 'Item'} ${parent?.index ?? 0}`
}

/** The last step of an item is its For each taking what it gave: nothing that the item does. */
export function ownSteps(run: Run): readonly Step[] {
  return isItem(run) ? run.steps.filter(({ node }) => node !== run.parent?.node) : run.steps
}

/** What the For each gives the nodes inside, by the names of its outputs. */
export function givenToItem({ input, parent, trigger }: Run): Readonly<Record<string, JsonValue>> {
  const index = parent?.index ?? 0
  return trigger === 'repeat' ? { data: input, index } : { item: input, index }
}

/** What a run gave back: an item by `result`, a round by `next`, any other by its Return. Undefined where it gave nothing. */
export function resultOf(run: Run): JsonValue | undefined {
  if (!isItem(run)) return run.output ?? undefined
  const outputs = run.steps.find(({ node }) => node === run.parent?.node)?.outputs
  return outputs?.result ?? outputs?.next
}

/** Whether it succeeded although items of a For each failed: those can run again. */
export function hasFailedItems({ status, steps }: Pick<Run, 'status' | 'steps'>): boolean {
  const hasErrors = ({ type, outputs }: Step) =>
    type === 'for-each' && Array.isArray(outputs?.errors) && outputs.errors.length > 0
  return status === 'succeeded' && steps.some(hasErrors)
}
