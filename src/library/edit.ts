import type { Knows } from '../flows/component/catalogue.ts'
import type { DraftFate } from '../store/drafts.ts'
import type { MayTake } from '../store/store.ts'
import type { VersionFacts } from '../store/versions.ts'
import type { LiveFlow } from './live-flow.ts'

/** Whoever makes a version. */
export interface Maker {
  /** The contexts that they may learn of, should a fault have to be explained. */
  readonly knows?: Knows
  /** What they are called. */
  readonly author?: string
  /** The deleted flows whose slugs they may have; all where this is left out. */
  readonly mayTake?: MayTake
}

export interface Edit extends Maker, Partial<Pick<VersionFacts, 'origin' | 'name' | 'note'>> {
  /** Asked of the flow as it is then: another process may have moved it a moment ago. */
  readonly assertMayEdit?: (live: LiveFlow) => void
  /** What becomes of its draft. */
  readonly draft?: DraftFate
  /** Where the slug changes, the flow still answers to the former one. */
  readonly keepsSlug?: true
}
