import type { JournalEntry, WaitingStep } from './journal.ts'

/**
 * Which entries of a journal tell nothing any more: a step that waits again and again, as one that repeats, writes how each wait
 * began and ended, and only the last is of interest. Without that, ten thousand rounds would be read ten thousand times.
 */
export function voidEntries(entries: readonly JournalEntry[]): boolean[] {
  const last = new Map<string, { readonly at: number; readonly step: WaitingStep }>()
  for (const [at, { waiting = [] }] of entries.entries())
    for (const step of waiting) if (step.wait?.isFurther === true) last.set(step.node, { at, step })
  const isOver = (node: string, attempt: number, at: number) => {
    const further = last.get(node)
    return further !== undefined && at < further.at && attempt === further.step.attempts
  }
  const lastAt = last.values().reduce((latest, { at }) => Math.max(latest, at), 0)
  return entries.map((entry, at) => {
    // The first tells when the run began, or that it was opened again.
    if (at === 0 || at >= lastAt) return false
    return isVoid(entry, (node, attempt) => isOver(node, attempt, at))
  })
}

function isVoid(entry: JournalEntry, isOver: (node: string, attempt: number) => boolean): boolean {
  const { begun = [], waiting = [], woken = [], isParked } = entry
  if (entry.settled !== undefined || entry.left !== undefined || entry.reopened === true) return false
  if (begun.length + waiting.length === 0) return isParked === true && woken.length === 0
  const beginnings = begun.every(({ node, attempt }) => isOver(node, attempt))
  const waits = waiting.every(
    ({ node, attempts, wait }) => wait !== undefined && wait.kind !== 'retry' && isOver(node, attempts)
  )
  // What ended a wait is told with the step that it let go on.
  return beginnings && waits && woken.every(({ node }) => begun.some((step) => step.node === node))
}
