import { Drafts, type DraftsDeps } from '../library/drafts.ts'
import { isSharedStore } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'

export function createDrafts(
  deps: Omit<DraftsDeps, 'store' | 'keptStore' | 'signals'> & { readonly store: Store }
): Drafts {
  const { store, ...rest } = deps
  const signals = isSharedStore(store) ? { signals: store.signals } : {}
  return new Drafts({ ...rest, store: store.drafts, keptStore: store.keptDrafts, ...signals })
}
