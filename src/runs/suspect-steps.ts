import type { JournalState } from '../engine/journal.ts'
import type { Plan } from '../engine/plan.ts'

/** Steps that a process died in the middle of: without effects, one of them may be what it died of; or known to be. */
export function suspectSteps(plan: Plan, { interruptions, hangs }: JournalState): Set<string> | undefined {
  if (interruptions.size === 0 && hangs === undefined) return undefined
  const cutOff = plan.nodes.filter(
    ({ id, effects }) => hangs?.has(id) || (effects === 'pure' && interruptions.has(id))
  )
  return cutOff.length === 0 ? undefined : new Set(cutOff.map(({ id }) => id))
}
