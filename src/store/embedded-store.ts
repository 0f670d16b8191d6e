import type { Store } from './store.ts'

/** A store that one process has to itself. */
export interface EmbeddedStore extends Store {
  readonly kind: 'embedded'
  /** Open runs that are not parked. */
  openRuns(): number
}
