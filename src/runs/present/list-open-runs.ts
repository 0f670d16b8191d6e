import type { FoundRun, RunFilter, RunStore } from '../../store/store.ts'
import type { PresentedSummary } from './run-shape.ts'
import type { RunStatus } from './run-status.ts'

interface OpenQuestion extends Omit<RunFilter, 'status'> {
  readonly status: Extract<RunStatus, 'queued' | 'in progress'>
}

/** Read at once: the runs that go on are the oldest of all that are open, and behind a backlog they are far away. */
const READ_AT_ONCE = 500

/**
 * A page of runs that are queued, or of runs that go on. The store knows only that a run has not ended; which of both it is
 * depends on who holds it at this moment. So this reads on until the page is full and one run more is found: whoever
 * asks for runs that go on gets them, and not empty pages as long as the backlog in front of them.
 */
export async function listOpenRuns(
  store: Pick<RunStore, 'list'>,
  { status, limit, ...filter }: OpenQuestion,
  present: (run: FoundRun) => PresentedSummary
): Promise<{ runs: PresentedSummary[]; next: number | null }> {
  const runs: PresentedSummary[] = []
  let last: number | null = null
  for (let before = filter.before; ; ) {
    const place = before === undefined ? {} : { before }
    const found = await store.list({ ...filter, ...place, status: 'not waiting', limit: READ_AT_ONCE })
    for (const run of found.runs) {
      const presented = present(run)
      if (presented.status !== status) continue
      if (runs.length === limit) return { runs, next: last }
      runs.push(presented)
      last = run.seq
    }
    const isEndedEarly = filter.effort !== undefined && found.runs.length < READ_AT_ONCE
    if (found.next === null || isEndedEarly) return { runs, next: found.next }
    before = found.next
  }
}
