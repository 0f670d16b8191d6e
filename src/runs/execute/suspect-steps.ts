import type { JournalState } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import type { RunRef, RunStore } from '../../store/store.ts'
import type { StepWatch } from '../steps/step-watch.ts'
import type { DeadlyOfVersion } from './deadly-nodes.ts'

/** Steps that a process died in the middle of: without effects, one of them may be what it died of; or known to be. */
export function suspectSteps(
  plan: Plan,
  { interruptions, hangs, suspect }: JournalState
): Set<string> | undefined {
  if (interruptions.size === 0 && hangs === undefined && suspect === undefined) return undefined
  const cutOff = plan.nodes.filter(
    ({ id, effects }) => id === suspect || hangs?.has(id) || (effects === 'pure' && interruptions.has(id))
  )
  return cutOff.length === 0 ? undefined : new Set(cutOff.map(({ id }) => id))
}

/** By node, how often the step held the thread until the process was ended. */
type Hangs = ReadonlyMap<string, number>

export const NO_HANGS: Hangs = new Map()

interface HangsDeps {
  readonly store: Pick<RunStore, 'hungSteps'>
  readonly persist: <T>(read: () => Promise<T>) => Promise<T>
}

export async function hangsOf({ seq }: RunRef, { store, persist }: HangsDeps): Promise<Hangs> {
  const hangs = new Map<string, number>()
  for (const { node } of await persist(() => store.hungSteps(seq)))
    hangs.set(node, (hangs.get(node) ?? 0) + 1)
  return hangs
}

/** With the step of this run, if there is one, in the middle of which the process before this one died. */
export function withKiller(
  recalled: JournalState,
  plan: Plan,
  { seq }: Pick<RunRef, 'seq'>,
  watch: StepWatch
): JournalState {
  const killer = nodeAt(plan, watch.takeDeadly?.(seq))
  if (killer !== undefined) return { ...recalled, killer }
  const suspect = nodeAt(plan, watch.takeSuspect?.(seq))
  return suspect === undefined ? recalled : { ...recalled, suspect }
}

/** With the steps that are not begun in this version any more, unless somebody wants to see that of this very run. */
export function withDeadly(recalled: JournalState, deadly: DeadlyOfVersion | undefined): JournalState {
  return deadly === undefined || recalled.isReopened === true ? recalled : { ...recalled, deadly }
}

function nodeAt(plan: Plan, index: number | undefined): string | undefined {
  return index === undefined ? undefined : plan.nodes[index]?.id
}
