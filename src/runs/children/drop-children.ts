import type { ExecutableRun } from '../../store/store.ts'
import type { ChildrenDeps } from './children-deps.ts'

/** Those of a node that are left are cancelled. */
export async function dropChildren(
  run: ExecutableRun,
  node: string,
  { store, persist, outside, mayHaveDue, cancelOrphaned }: ChildrenDeps
): Promise<void> {
  outside.forget(run.seq, node)
  await persist(() => store.dropChildren(run, node))
  mayHaveDue([run.flowId])
  await persist(() => cancelOrphaned(run))
}
