import type { RunSummary } from './shapes.ts'

/**
 * The first run of one of the triggers that was accepted after another one. Runs come newest first, and `since` lets those of
 * the very same moment in too, so the place in the list tells which came later.
 */
export function firstAfter<R extends Pick<RunSummary, 'id' | 'trigger'>>(
  runs: readonly R[],
  after: string | undefined,
  triggers: readonly unknown[]
): R | undefined {
  const known = runs.findIndex((run) => run.id === after)
  const later = known < 0 ? runs : runs.slice(0, known)
  return later.findLast((run) => triggers.includes(run.trigger))
}
