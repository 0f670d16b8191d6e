import type { KeptDraft } from '../../../api/kept-drafts.ts'
import type { FlowVersion } from '../../../api/versions.ts'

/** A version, or a draft that was kept and was edited from that version. */
export interface Earlier {
  readonly version: number
  readonly keptDraft?: number
}

/** Within a sentence. */
export function earlierInWords({ version, keptDraft }: Earlier): string {
  return keptDraft === undefined ? `version ${version}` : `draft ${keptDraft}`
}

/** "Kept when a version was restored, by Ann": why a draft is in the list. */
export function keepingInWords({ because, author }: Pick<KeptDraft, 'because' | 'author'>): string {
  const why = because === 'restored' ? 'Kept when a version was restored' : 'Kept when it was discarded'
  return author === null ? why : `${why}. Edited last by ${author}`
}

type Told = Pick<FlowVersion, 'origin' | 'author' | 'changes'>

const MADE = {
  created: 'Created',
  saved: 'Saved',
  published: 'Published',
  restored: 'Restored',
  undone: 'Publish undone',
  pushed: 'Pushed',
  file: 'From its file'
} as const

/** "Published by Ann": what made a version, and who. Undefined where neither was kept. */
export function makingInWords({ origin, author }: Told): string | undefined {
  const made = origin === null ? undefined : MADE[origin]
  if (author === null) return made
  return made === undefined ? `By ${author}` : `${made} by ${author}`
}

/** "Parser: template": what it changed. Undefined where that was not kept. */
export function changesInWords({ origin, changes }: Told): string | undefined {
  if (changes !== null) return changes
  if (origin === null) return undefined
  return origin === 'created' ? 'The first version' : 'Nothing changed'
}
