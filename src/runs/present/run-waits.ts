import type { JournalState } from '../../engine/journal.ts'

export const WAIT_KINDS = ['time', 'call', 'answer', 'children', 'retry'] as const

/** What a run waits for, as far as its journal tells. */
export interface PresentedWait {
  readonly node: string
  readonly kind: (typeof WAIT_KINDS)[number]
  readonly since: string | null
  readonly until: string | null
}

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
