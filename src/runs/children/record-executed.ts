import { MillraceError } from '../../errors.ts'
import type { ExecutedChild } from '../../store/children.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { newUsage } from '../record/new-usage.ts'
import type { Outside } from '../steps/run-in-context.ts'
import { parentEnded } from './child-refusals.ts'
import type { ChildrenDeps } from './children-deps.ts'

interface RecordDeps extends Pick<ChildrenDeps, 'store' | 'persist' | 'onUsage'> {
  readonly spending: Pick<Outside['spending'], 'joinCommit' | 'save'>
}

interface Parent {
  readonly run: ExecutableRun
  readonly node: string
  /** The step asks nothing more. */
  readonly isEnding: boolean
}

/** Keeps children that were executed where their parent is. False where the store refuses what is in one of them. */
export async function recordExecuted(
  { run, node, isEnding }: Parent,
  children: readonly ExecutedChild[],
  { store, persist, onUsage, spending }: RecordDeps
): Promise<boolean> {
  let isOpen: boolean
  try {
    const recorded = persist(() => store.recordChildren(run, node, children))
    // What they have spent shares the commit. With the last that is all of it: by itself it would be one commit more.
    if (isEnding) void spending.save()
    else spending.joinCommit()
    isOpen = await recorded
  } catch (error) {
    if (error instanceof MillraceError) throw error
    return false
  }
  if (!isOpen) throw parentEnded()
  for (const { outcome } of children) for (const usage of newUsage(run, outcome, [])) onUsage(usage)
  return true
}
