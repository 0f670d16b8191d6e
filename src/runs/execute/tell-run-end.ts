import type { ExecutableRun, Outcome, StoredOutcome } from '../../store/store.ts'
import type { FlowAnswer } from '../answers/flow-answer.ts'
import type { RunNews } from '../present/run-news.ts'
import { isBare } from '../record/ended-outcome.ts'
import { newUsage } from '../record/new-usage.ts'
import type { RunEnd } from '../steps/run-hooks.ts'
import type { RunInContext } from '../steps/run-in-context.ts'
import { runView } from '../steps/run-view.ts'
import type { ExecutorDeps } from './executing-run.ts'
import type { RunInMemory } from './run-window.ts'

/** Tells the hooks of a run's context how it ended, each awaited. What one throws is kept from the next. */
export async function tellRunEnd(
  ended: RunInContext,
  { status, error }: Pick<Outcome, 'status' | 'error'>,
  onError: (error: unknown, doing: string) => void
): Promise<void> {
  const end: RunEnd = { status, error: error === null ? null : JSON.parse(error) }
  for (const hook of ended.context.onRunEnd) {
    try {
      await hook(runView(ended, []), end)
    } catch (thrown) {
      onError(thrown, `the hook onRunEnd of run ${ended.run.id}`)
    }
  }
}

/** Tells everybody else: who listens to the flow, who counts, and the parent of a child. */
export function tellEnded(
  { run, journal }: Pick<RunInMemory, 'run' | 'journal'>,
  no: number,
  outcome: Outcome,
  answer: FlowAnswer | undefined,
  deps: Pick<ExecutorDeps, 'publisher' | 'onUsage' | 'onEnded' | 'onChildEnded'>
): void {
  publishEnd(run, no, outcome, deps.publisher)
  for (const usage of newUsage(run, outcome, journal)) deps.onUsage(usage)
  // What the store would not take, nobody has answered.
  deps.onEnded(run, outcome.status, isBare(outcome) ? undefined : answer)
  if (run.parent !== undefined) deps.onChildEnded(run, run.parent)
}

function publishEnd(
  { id: runId, flowId }: ExecutableRun,
  no: number,
  { status, startedAt, finishedAt, error, steps }: Outcome,
  news: Pick<RunNews, 'hasListeners' | 'publish'>
): void {
  if (!news.hasListeners(flowId)) return
  const outcome: StoredOutcome = { no, status, startedAt, finishedAt, error, steps }
  news.publish({ kind: 'ended', no, flowId, runId, outcome })
}
