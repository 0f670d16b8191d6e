import type { Clock } from '../../clock.ts'
import type { RunStore } from '../../store/store.ts'
import { reopeningEntry } from '../record/reopening-entry.ts'
import { entriesOf, triedAgain } from './tried-again.ts'

interface OpeningDeps {
  readonly store: Pick<RunStore, 'get' | 'reopenChildren'>
  readonly clock: Pick<Clock, 'now'>
}

/** Until the step that waits for it says so itself: then it goes by the rules of that. */
const RULES = { atOnce: 1, stopsOnFailure: false }

/**
 * A child that ended with its parent goes on where that one is retried, as soon as the step is there which waits for it. A call
 * that comes before opens the child now. To the step that is as if the process had died while it was opening them.
 * Resolves to whether the run may be called.
 */
export async function openForCall(runId: string, deps: OpeningDeps): Promise<boolean> {
  const run = await deps.store.get(runId)
  if (run === undefined) return false
  if (run.outcome === null) return true
  const { parent, outcome } = run
  if (parent?.isAwaited !== true || outcome.status === 'succeeded') return false
  if (!(await openForCall(parent.runId, deps))) return false
  const above = await deps.store.get(parent.runId)
  const again = above && triedAgain(entriesOf(above), parent.node)
  if (again === undefined || outcome.finishedAt > again.at) return false
  if (again.items?.includes(parent.index) === false) return false
  const reopening = { run, index: parent.index, ...reopeningEntry(run, deps.clock.now()) }
  await deps.store.reopenChildren(above!, parent.node, [reopening], RULES)
  return true
}
