import type { Clock } from '../clock.ts'
import { limitLeft } from '../engine/output-limit.ts'
import type { Plan } from '../engine/plan.ts'
import type { OpenRun } from '../store/children.ts'
import { isBacklog } from '../store/queue-state.ts'
import type { EndStatus, ExecutableRun, Outcome, RunStore, RunToEnd, StoredRun } from '../store/store.ts'
import { noChildren } from './children/no-children.ts'
import type { Dispatch } from './dispatch/dispatch.ts'
import { type RunLimits, USUAL_SIZES } from './dispatch/dispatch-sizes.ts'
import type { EndedWatch } from './dispatch/ended-watch.ts'
import type { ExecutorDeps } from './execute/executing-run.ts'
import { tellRunEnd } from './execute/tell-run-end.ts'
import { NO_LIVE_TEXT } from './live-text/live-text.ts'
import type { RunNews } from './present/run-news.ts'
import { cancelledOutcome } from './record/cancelled-outcome.ts'
import { newUsage } from './record/new-usage.ts'
import { runStartOf } from './record/run-start.ts'
import { alreadyEnded, stillStopping } from './run-refusals.ts'
import { NO_PIECES } from './steps/carried-of-step.ts'
import type { Pacing } from './steps/pacing.ts'
import type { RunInContext } from './steps/run-in-context.ts'

export interface CancellationDeps
  extends Pick<ExecutorDeps, 'scopeOf' | 'outside' | 'onUsage' | 'onError' | 'onChildEnded'> {
  readonly store: Pick<RunStore, 'readToEnd' | 'endAsRead' | 'orphanedBelow' | 'isOrphaned'>
  readonly clock: Clock
  readonly pacing: Pacing
  readonly dispatcher: Pick<Dispatch, 'cancel' | 'stopOrphaned' | 'ending'>
  readonly watch: Pick<EndedWatch, 'wait'>
  readonly news: Pick<RunNews, 'publish'>
  readonly planOf: (run: ExecutableRun) => Plan | Promise<Plan>
  readonly limits?: Pick<RunLimits, 'sizes'>
  /** `wasCounted`: it was among the backlog. */
  readonly ended: (run: StoredRun, status: EndStatus, wasCounted: boolean) => void
}

/** A step that does not stop when it is told to must not keep a caller waiting: the run ends without it. */
const CANCEL_WITHIN_MS = 10_000

/** So many are read and ended together: they share their commits, and requests come in between. */
const ENDED_AT_ONCE = 64

/** Cancels runs, whoever executes them, and with each all that it started. */
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
    await this.#end(run.id)
    void this.cancelOrphaned(run).catch((error) => this.#deps.onError(error, 'cancelling what a run started'))
  }

  /**
   * A run has ended, or has dropped what it started. What is under way of that is told to stop; what nobody has is ended here, lest it
   * waits for a place in its flow. Should the process die meanwhile: the store has made due whatever is parked, and whoever takes
   * one up cancels it.
   */
  async cancelOrphaned(run: Pick<StoredRun, 'seq'>): Promise<void> {
    while (!this.#isStopped) {
      const left = await this.#stopSome(run)
      if (left === undefined) return
      await this.#endAll(left)
    }
  }

  /**
   * Before a run is opened again: what it had started and is told to stop, for the end that it had, would otherwise stop
   * after it, and be missing for good. Rejects where that takes too long.
   */
  async stopBelow(run: Pick<StoredRun, 'seq' | 'id'>): Promise<void> {
    const { clock } = this.#deps
    const until = clock.stopwatch() + CANCEL_WITHIN_MS
    while (clock.stopwatch() < until && !this.#isStopped) {
      if ((await this.#stopSome(run)) === undefined) return
    }
    throw stillStopping(run)
  }

  /**
   * Whoever has it is told. Where nobody has, or they do not stop, it is ended here, as it was read a moment ago: where that is not so
   * any more, it is read again, and what was done meanwhile is in its outcome.
   */
  async #end(id: string): Promise<void> {
    let isTold = false
    for (;;) {
      const run = await this.#deps.store.readToEnd(id)
      if (isTold && wasCancelled(run)) return
      if (run === undefined || run.outcome !== null) throw alreadyEnded(id)
      if (!isTold) {
        const how = await this.#tell(run)
        if (how === 'cancelled') return
        isTold = how === 'told'
        if (isTold) continue
      }
      if (await this.#endFromOutside(run)) return
    }
  }

  async #tell(run: RunToEnd): Promise<'nobody' | 'told' | 'cancelled'> {
    const over = new AbortController()
    const ended = this.#deps.watch.wait(run.id, CANCEL_WITHIN_MS, over.signal)
    try {
      if (!(await this.#deps.dispatcher.cancel(run))) return 'nobody'
      return (await ended) === 'cancelled' ? 'cancelled' : 'told'
    } finally {
      over.abort()
    }
  }

  /** It was told to stop while it was being parked, which nobody who executes a run can undo. */
  endParked(runId: string): void {
    this.#endWhere(runId, ({ isCancelWanted }) => isCancelWanted !== false).catch((error) =>
      this.#deps.onError(error, 'cancelling a run that waits')
    )
  }

  async #endAll(runs: readonly OpenRun[]): Promise<void> {
    const end = ({ id, seq }: OpenRun) => this.#endWhere(id, () => this.#deps.store.isOrphaned(seq))
    for (let at = 0; at < runs.length; at += ENDED_AT_ONCE)
      await Promise.all(runs.slice(at, at + ENDED_AT_ONCE).map(end))
  }

  /** It was told to stop, and has not; or nobody has it who could be told. Meanwhile it may have been opened again, and is to go on then. */
  async #endWhere(id: string, isToEnd: (run: RunToEnd) => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      const run = await this.#deps.store.readToEnd(id)
      if (run === undefined || run.outcome !== null || !(await isToEnd(run))) return
      if (await this.#endFromOutside(run)) return
    }
  }

  /**
   * Tells some of those that are orphaned to stop, ends those that nobody has, and waits until all have ended; resolves to those that
   * have not in time, or to undefined when there were none.
   */
  async #stopSome({ seq }: Pick<StoredRun, 'seq'>): Promise<readonly OpenRun[] | undefined> {
    const { store, dispatcher, limits: { sizes = USUAL_SIZES } = {} } = this.#deps
    const orphaned = await store.orphanedBelow(seq, sizes.below)
    if (orphaned.length === 0) return undefined
    const watched = orphaned.map((run) => this.#watched(run))
    await this.#endAll(dispatcher.stopOrphaned(orphaned))
    // Of those that ended before they were watched nobody is told.
    const open = new Set((await store.orphanedBelow(seq, sizes.below)).map((run) => run.seq))
    for (const { run, over } of watched) if (!open.has(run.seq)) over.abort()
    const hasEnded = await Promise.all(
      watched.map(({ ended, over }) => ended.then((it) => it || over.signal.aborted))
    )
    return orphaned.filter((_, place) => !hasEnded[place])
  }

  #watched(run: OpenRun) {
    const over = new AbortController()
    const status = this.#deps.watch.wait(run.id, CANCEL_WITHIN_MS, over.signal)
    return { run, over, ended: status.then((it) => it !== undefined) }
  }

  /** Nobody executes it, or whoever does has not stopped. False where it is not as it was read any more. */
  async #endFromOutside(run: RunToEnd): Promise<boolean> {
    const { store, clock, dispatcher, news, planOf, onUsage } = this.#deps
    // A component may have gone since: then what the journal tells is all that is known.
    const plan = await Promise.resolve(run)
      .then(planOf)
      .catch(() => undefined)
    const outcome = cancelledOutcome(run, plan, clock.now())
    const ended = dispatcher.ending(run)
    const no = await store.endAsRead(run, outcome)
    if (no === null) return false
    ended()
    const { flowId, id: runId } = run
    news.publish({ kind: 'ended', no, flowId, runId, outcome: { ...outcome, no } })
    for (const usage of newUsage(run, outcome, run.journal)) onUsage(usage)
    this.#deps.ended(run, 'cancelled', run.state !== null && isBacklog(run.state))
    if (run.parent !== undefined) this.#deps.onChildEnded(run, run.parent)
    if (plan !== undefined) this.#tellHooks(run, plan.context, outcome)
    return true
  }

  /** No executor has the run, so nobody else tells the hooks. */
  #tellHooks(run: StoredRun, path: string, outcome: Outcome): void {
    const { clock, scopeOf, outside, onError, pacing } = this.#deps
    const context = scopeOf(path)
    if (context.onRunEnd.length === 0) return
    const { newId, now } = clock
    const outputs = { left: limitLeft(context.outputLimits, 0), pieces: NO_PIECES }
    const start = runStartOf(run)
    const persist: RunInContext['persist'] = (ask) => ask()
    const own = { pacing, persist, liveText: NO_LIVE_TEXT, children: noChildren }
    const around = { run, start, context, outputs, outside, newId, now, ...own }
    void tellRunEnd(around, outcome, onError)
  }
}

/** It was ended so, maybe opened again since: then nobody wants it cancelled any more. */
function wasCancelled(run: RunToEnd | undefined): boolean {
  return run?.outcome === null ? run.isCancelWanted === false : run?.outcome.status === 'cancelled'
}
