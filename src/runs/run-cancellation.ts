import type { Clock } from '../clock.ts'
import { limitLeft } from '../engine/output-limit.ts'
import type { Plan } from '../engine/plan.ts'
import { MillraceError } from '../errors.ts'
import type { EndStatus, Outcome, RunStore, RunToPerform, StoredRun } from '../store/store.ts'
import { noChildren } from './children/no-children.ts'
import type { Dispatch } from './dispatch/dispatch.ts'
import type { EndedWatch } from './dispatch/ended-watch.ts'
import { NO_LIVE_TEXT } from './live-text/live-text.ts'
import type { PerformerDeps } from './perform/performance.ts'
import { tellRunEnd } from './perform/tell-run-end.ts'
import type { RunNews } from './present/run-news.ts'
import { cancelledOutcome } from './record/cancelled-outcome.ts'
import { newUsage } from './record/new-usage.ts'
import { runStartOf } from './record/run-start.ts'
import { stillStopping } from './run-refusals.ts'
import type { Pacing } from './steps/pacing.ts'

export interface CancellationDeps
  extends Pick<PerformerDeps, 'scopeOf' | 'outside' | 'onUsage' | 'onError' | 'onChildEnded'> {
  readonly store: Pick<RunStore, 'end' | 'orphanedBelow'>
  readonly clock: Clock
  readonly pacing: Pacing
  readonly dispatcher: Pick<Dispatch, 'cancel' | 'forget' | 'mayHaveDue'>
  readonly watch: Pick<EndedWatch, 'wait'>
  readonly news: Pick<RunNews, 'publish'>
  readonly planOf: (run: RunToPerform) => Plan | Promise<Plan>
  /** `wasCounted`: it was among the backlog. */
  readonly ended: (run: StoredRun, status: EndStatus, wasCounted: boolean) => void
}

/** A step that does not stop when it is told to must not keep a caller waiting: the run ends without it. */
const CANCEL_WITHIN_MS = 10_000

/** So many at a time; the next ones are looked for after so long. */
const BELOW = 500
const LOOK_AGAIN_MS = 200

/** Cancels runs, whoever performs them, and with each all that it started. */
export class RunCancellation {
  readonly #deps: CancellationDeps
  #isStopped = false

  constructor(deps: CancellationDeps) {
    this.#deps = deps
  }

  stop(): void {
    this.#isStopped = true
  }

  async cancel(run: StoredRun): Promise<void> {
    const { dispatcher, watch } = this.#deps
    const isToldTo = dispatcher.cancel(run)
    const isDone = isToldTo && (await watch.wait(run.id, CANCEL_WITHIN_MS)) === 'cancelled'
    if (!isDone) await this.#endFromOutside(run)
    void this.cancelOrphaned(run).catch((error) => this.#deps.onError(error, 'cancelling what a run started'))
  }

  /**
   * A run has ended, or has dropped what it started: the store has made due whatever is parked of that, and whoever takes one
   * up cancels it. What is under way is told to stop. Should the process die meanwhile, the next one finds all of them.
   */
  async cancelOrphaned(run: Pick<StoredRun, 'seq'>): Promise<void> {
    await this.#stopBelow(run, Number.POSITIVE_INFINITY)
  }

  /**
   * Before a run is opened again: what it had started and is told to stop, for the end that it had, would otherwise stop
   * after it, and be missing for good. Rejects where that takes too long.
   */
  async stopBelow(run: Pick<StoredRun, 'seq' | 'id'>): Promise<void> {
    if (!(await this.#stopBelow(run, CANCEL_WITHIN_MS / LOOK_AGAIN_MS))) throw stillStopping(run)
  }

  async #stopBelow({ seq }: Pick<StoredRun, 'seq'>, looks: number): Promise<boolean> {
    const { store, clock, dispatcher } = this.#deps
    const told = new Set<number>()
    for (let look = 0; look <= looks && !this.#isStopped; look++) {
      const orphaned = await store.orphanedBelow(seq, BELOW)
      if (orphaned.length === 0) return true
      for (const run of orphaned) if (!told.has(run.seq)) dispatcher.cancel(run)
      for (const run of orphaned) told.add(run.seq)
      dispatcher.mayHaveDue([...new Set(orphaned.map(({ flowId }) => flowId))])
      await clock.after(LOOK_AGAIN_MS)
    }
    return false
  }

  /** Nobody performs it, or whoever does has not stopped. */
  async #endFromOutside(run: StoredRun): Promise<void> {
    const { store, clock, dispatcher, news, planOf, onUsage } = this.#deps
    // A component may have gone since: then what the journal tells is all that is known.
    const plan = await Promise.resolve(run)
      .then(planOf)
      .catch(() => undefined)
    const outcome = cancelledOutcome(run, plan, clock.now())
    const no = run.outcome === null ? await store.end(run, outcome) : null
    if (no === null) {
      throw new MillraceError(
        'run_already_ended',
        `Run ${run.id} has ended already. There is nothing to cancel.`
      )
    }
    dispatcher.forget(run)
    const { flowId, id: runId } = run
    news.publish({ kind: 'ended', no, flowId, runId, outcome: { ...outcome, no } })
    for (const usage of newUsage(run, outcome, run.journal)) onUsage(usage)
    this.#deps.ended(run, 'cancelled', run.isHeld !== true && run.isWaiting !== true)
    if (run.parent !== undefined) this.#deps.onChildEnded(run, run.parent)
    if (plan !== undefined) this.#tellHooks(run, plan.context, outcome)
  }

  /** No performer has the run, so nobody else tells the hooks. */
  #tellHooks(run: StoredRun, path: string, outcome: Outcome): void {
    const { clock, scopeOf, outside, onError, pacing } = this.#deps
    const context = scopeOf(path)
    if (context.onRunEnd.length === 0) return
    const { newId, now } = clock
    const outputs = { left: limitLeft(context.outputLimits, 0) }
    const start = runStartOf(run)
    const own = { pacing, liveText: NO_LIVE_TEXT, children: noChildren }
    const around = { run, start, context, outputs, outside, newId, now, ...own }
    void tellRunEnd(around, outcome, onError)
  }
}
