import type { FlowVersion } from '../../../api/versions.ts'

type Told = Pick<FlowVersion, 'origin' | 'author' | 'changes'>

const MADE = {
  created: 'Created',
  saved: 'Saved',
  published: 'Published',
  restored: 'Restored',
  undone: 'Publish undone'
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
