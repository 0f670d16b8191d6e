import type { ChildStore } from './children.ts'
import type { WaitStore } from './waits.ts'

/** Until the stores keep waits and children: this file goes with the last of them. */
export function unbuilt(): WaitStore & ChildStore {
  const refuse = () => Promise.reject(new Error('the store does not keep waits yet'))
  return {
    openWait: refuse,
    wake: refuse,
    closeWait: refuse,
    waitById: refuse,
    listWaits: refuse,
    startChildren: refuse,
    recordChildren: refuse,
    startDetached: refuse,
    reopenChild: refuse,
    dropChildren: refuse,
    isOrphaned: () => Promise.resolve(false),
    children: refuse,
    openBelow: () => Promise.resolve([])
  }
}
