import type { ParentRef, RunRef } from '../../store/store.ts'
import type { Dispatch } from '../dispatch/dispatch.ts'

/** A child has ended: another one may have its turn, and its parent may go on. */
export function childEnded(
  dispatcher: Pick<Dispatch, 'mayHaveDue' | 'tell'>,
  child: RunRef,
  parent: ParentRef
): void {
  dispatcher.mayHaveDue([child.flowId, parent.flowId])
  dispatcher.tell(parent.runId, 'child ended')
}
