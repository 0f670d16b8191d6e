import { MillraceError } from '../../errors.ts'
import type { ExecutedChild } from '../../store/children.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { newUsage } from '../record/new-usage.ts'
import { parentEnded } from './child-refusals.ts'
import type { ChildrenDeps } from './children-deps.ts'

/** Keeps children that were executed where their parent is. False where the store refuses what is in one of them. */
export async function recordExecuted(
  run: ExecutableRun,
  node: string,
  children: readonly ExecutedChild[],
  { store, persist, onUsage }: Pick<ChildrenDeps, 'store' | 'persist' | 'onUsage'>
): Promise<boolean> {
  let isOpen: boolean
  try {
    isOpen = await persist(() => store.recordChildren(run, node, children))
  } catch (error) {
    if (error instanceof MillraceError) throw error
    return false
  }
  if (!isOpen) throw parentEnded()
  for (const { outcome } of children) for (const usage of newUsage(run, outcome, [])) onUsage(usage)
  return true
}
