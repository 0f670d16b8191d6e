import type { Flow } from './flow.ts'
import type { SavedFlow } from './saved-flow.ts'

/** A flow without a draft, of which the service has this edition. */
export function savedAs(edition: number, document: Flow): SavedFlow {
  const standing = { revision: 0, baseVersion: edition, liveVersion: edition, faults: [], warnings: [] }
  return { edition, document, standing }
}
