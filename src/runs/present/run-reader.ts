import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { FoundRun, RunFilter, RunStore, RunSummary, StoredRun } from '../../store/store.ts'
import { withFamilyUsage } from './family-usage.ts'
import { listOpenRuns } from './list-open-runs.ts'
import { presentMark, presentRun, presentSummary } from './present-run.ts'
import type { PresentedMark, PresentedRun, PresentedSummary } from './run-shape.ts'
import type { RunStatus } from './run-status.ts'

interface RunReaderDeps {
  readonly store: RunStore
  readonly library: Pick<FlowLibrary, 'find'>
  /** Whether this process has the run in hand. */
  readonly isHere: (runId: string) => boolean
  readonly costOfRun: (seq: number) => Promise<number>
}

/** Runs as they are shown: what the store has of them, and what this process knows. */
export class RunReader {
  readonly #deps: RunReaderDeps

  constructor(deps: RunReaderDeps) {
    this.#deps = deps
  }

  async present(run: StoredRun, pace: Pacer): Promise<PresentedRun> {
    const presented = await inTurns(presentRun(run, this.isActive(run), this.#isFlowPaused(run)), pace)
    return withFamilyUsage(presented, run.seq, this.#deps)
  }

  async list(
    filter: Omit<RunFilter, 'status'> & { readonly status?: RunStatus }
  ): Promise<{ runs: PresentedSummary[]; next: number | null }> {
    const { status, ...rest } = filter
    const { store } = this.#deps
    const present = (run: FoundRun) => presentSummary(run, this.isActive(run), this.#isFlowPaused(run))
    if (status === 'queued' || status === 'in progress') {
      return listOpenRuns(store, { ...rest, status }, present)
    }
    const { runs, next } = await store.list({ ...rest, ...(status === undefined ? {} : { status }) })
    return { runs: runs.map(present), next }
  }

  async recent(flowIds: readonly string[], limit: number): Promise<Map<string, PresentedMark[]>> {
    const marks = (runs: readonly RunSummary[]) => runs.map((run) => presentMark(run, this.isActive(run)))
    const recent = await this.#deps.store.recent(flowIds, limit)
    return new Map(recent.entries().map(([flowId, runs]) => [flowId, marks(runs)]))
  }

  readonly isActive = ({ id, isClaimed }: Pick<StoredRun, 'id' | 'isClaimed'>): boolean =>
    isClaimed === true || this.#deps.isHere(id)

  #isFlowPaused({ flowId }: Pick<StoredRun, 'flowId'>): boolean {
    return (this.#deps.library.find(flowId)?.paused ?? null) !== null
  }
}
