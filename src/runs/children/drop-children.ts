import type { ExecutableRun } from '../../store/store.ts'
import type { ChildrenDeps } from './children-deps.ts'

/** Those of a node that are left are cancelled. */
export async function dropChildren(run: ExecutableRun, node: string, deps: ChildrenDeps): Promise<void> {
  await orphanChildren(run, node, deps)
  await deps.persist(() => deps.cancelOrphaned(run))
}

/** Those of a node that are left are to end: that is durable. Others may have them. */
export async function orphanChildren(
  run: ExecutableRun,
  node: string,
  { store, persist, outside, mayHaveDue }: ChildrenDeps
): Promise<void> {
  outside.forget(run.seq, node)
  await persist(() => store.dropChildren(run, node))
  mayHaveDue([run.flowId])
}
