import type { JournalState } from '../../engine/journal.ts'
import type { PresentedWait } from './run-shape.ts'

/** A wait that has come to its end is one no longer, though its run may not have gone on yet. */
export function presentWaits({ waiting, woken }: Pick<JournalState, 'waiting' | 'woken'>): PresentedWait[] {
  return [...waiting.values()]
    .filter(({ node }) => !woken.has(node))
    .map(({ node, until, endedAt, wait }) => ({
      node,
      kind: wait?.kind ?? 'retry',
      since: textOf(wait?.since ?? endedAt ?? null),
      until: textOf(until)
    }))
}

function textOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
