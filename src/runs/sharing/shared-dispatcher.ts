import type { ClaimedRun, RunQueue } from '../../store/shared-store.ts'
import type { AcceptedRun } from '../../store/store.ts'
import type { Dispatch, Work } from '../dispatch/dispatch.ts'
import { RunMemory, weightOf } from '../dispatch/run-memory.ts'
import { RunPlaces } from '../dispatch/run-places.ts'
import type { Executed, ExecutionListener, NewsOfRun } from '../execute/executing-run.ts'
import { isSuspectRun } from '../execute/quarantine.ts'
import { FlowTurns } from './flow-turns.ts'
import { Heartbeats } from './heartbeats.ts'
import { HeldCancels, type HeldCancelsDeps } from './held-cancels.ts'
import { type Held, HeldRuns } from './held-runs.ts'
import type { SharedClock } from './shared-clock.ts'
import type { Standstill } from './standstill.ts'
import { UnderWay } from './under-way.ts'

export interface SharedDispatcherDeps extends Work, Pick<HeldCancelsDeps, 'wantCancel' | 'tellToAsk'> {
  readonly queue: Pick<RunQueue, 'flowsWithWork' | 'isStuck' | 'claim' | 'heartbeat' | 'giveBack'>
  /** Told of what is taken up, and of what is not. */
  readonly standstill: Pick<Standstill, 'tries' | 'took' | 'looked'>
  /** See SharedClock. What was taken up because it is due finds that its time has come. */
  readonly told: SharedClock['told']
  /** Tells the other processes that runs of this flow wait. */
  readonly tellWork: (flowId: string) => void
  /** Tells whoever executes the run, somewhere, that a wait of it has ended. */
  readonly tellWoken: (runId: string) => void
}

/** Runs hold the thread for so long before requests and answers are looked at again. */
const SLICE_MS = 5
const RETRY_MS = 1_000

/**
 * Executes runs that any process accepted. It claims as many as it has places for, so none waits here while another
 * process is idle, and takes them from flows in turn: of eleven flows with work each gets an eleventh of the places,
 * whether it has ten runs waiting or fifty thousand.
 *
 * A claim is kept by heartbeats. What this process can no longer keep (it was held to be dead, or the run was
 * cancelled) it stops executing; whatever it still writes is refused by the store.
 */
export class SharedDispatcher implements Dispatch {
  readonly #deps: SharedDispatcherDeps
  readonly #turns: FlowTurns
  readonly #held = new HeldRuns()
  readonly #places: RunPlaces
  readonly #memory: RunMemory
  #waiting: Held[] = []
  #claiming: Promise<void> | undefined
  #isScheduled = false
  #isStopped = false
  #isGone = false
  #isFailing = false
  readonly #heartbeats: Heartbeats
  readonly #cancels: HeldCancels
  /** What is told to the queue besides claims. */
  readonly #underWay = new UnderWay()
  #onIdle: (() => void) | undefined

  constructor(deps: SharedDispatcherDeps) {
    this.#deps = deps
    this.#places = new RunPlaces(deps.places)
    this.#memory = new RunMemory(deps.places.memory)
    const held = this.#held
    const told = { lose: (it: Held) => this.#lose(it), cancel: (it: Held) => this.#cancel(it) }
    const heartbeats = new Heartbeats({ ...deps, ...told, held })
    const isClaiming = () => this.#claiming !== undefined
    this.#heartbeats = heartbeats
    this.#cancels = new HeldCancels({ ...deps, ...told, held, heartbeats, isClaiming })
    this.#turns = new FlowTurns({ limitOf: deps.limitOf, held: this.#held, places: this.#places })
  }

  async start(): Promise<void> {
    this.#heartbeats.start()
    await this.look()
  }

  /** What waits is given back at once; what is under way reaches a checkpoint first. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const waiting = this.#waiting.splice(0)
    for (const held of waiting) this.#forget(held)
    for (const { execution } of this.#held.all) execution?.interrupt()
    await this.#giveBack(waiting.map(({ run }) => run))
    await this.#claiming
    if (this.#held.size === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  /**
   * For the very end: what has not reached a checkpoint in time is given back as it is. Resolves when nothing is on
   * its way to the queue any more.
   */
  async letGo(): Promise<void> {
    this.#isStopped = true
    this.#isGone = true
    this.#heartbeats.stop()
    const rest = this.#held.all.map(({ run }) => run)
    this.#held.clear()
    await this.#giveBack(rest)
    await this.#claiming
    await Promise.all([this.#underWay.over(), this.#heartbeats.over()])
  }

  offer({ flowId }: AcceptedRun): void {
    this.#deps.tellWork(flowId)
    this.mayHaveWork([flowId])
  }

  /** Whoever claims it, executes it: nobody brings it twice. */
  reopening(): void {}

  notReopened(): void {}

  resume({ flowId }: AcceptedRun): void {
    this.#deps.tellWork(flowId)
    this.mayHaveWork([flowId])
  }

  pauseChanged(flowId: string, isPaused: boolean): void {
    if (!isPaused) this.mayHaveWork([flowId])
  }

  mayHaveDue(flowIds: readonly string[]): void {
    for (const flowId of flowIds) this.#deps.tellWork(flowId)
    this.mayHaveWork(flowIds)
  }

  mayHaveRoomAgain(): void {
    this.#schedule()
    this.#claimSoon()
  }

  isActive(runId: string): boolean {
    return this.#held.get(runId) !== undefined
  }

  cancel: HeldCancels['cancel'] = (run) => this.#cancels.cancel(run)
  stopOrphaned: HeldCancels['stopOrphaned'] = (runs) => this.#cancels.stopOrphaned(runs)
  mayBeCancelled: HeldCancels['mayBeCancelled'] = (runIds) => this.#cancels.mayBeCancelled(runIds)
  ending: HeldCancels['ending'] = (run) => this.#cancels.ending(run)

  /** Of children that ended here and whose parent is executed elsewhere nobody is told: they may be thousands. */
  tell(runId: string, news: NewsOfRun): void {
    if (this.#held.get(runId) !== undefined) this.tellHere(runId, news)
    else if (news === 'woken') this.#deps.tellWoken(runId)
  }

  tellHere(runId: string, news: NewsOfRun): void {
    this.#held.get(runId)?.execution?.notify(news)
  }

  /** Runs of these flows wait, as far as is known. */
  mayHaveWork(flowIds: readonly string[]): void {
    this.#turns.mayHaveWork(flowIds)
    this.#claimSoon()
  }

  /** Runs of these flows have changed: where the limit of one was reached, it may be so no longer. */
  mayHaveRoom(flowIds: Iterable<string>): void {
    if (this.#turns.mayHaveRoom(flowIds)) this.#claimSoon()
  }

  /** Looks for itself: signals may have been missed, and the time of parked runs comes without one. */
  async look(): Promise<void> {
    if (this.#isStopped) return
    const { queue, standstill } = this.#deps
    this.#turns.forgetLimits()
    const flowIds = await queue.flowsWithWork()
    await standstill.looked(flowIds.length > 0 && this.#places.free > 0 && this.#hasRoom, queue.isStuck)
    this.mayHaveWork(flowIds)
  }

  /** Many at once while there is something to do meanwhile; whatever there is when nothing waits here any more. */
  #claimSoon(): void {
    const enough = this.#waiting.length === 0 ? 1 : Math.ceil(this.#deps.places.computing / 4)
    if (this.#claiming !== undefined || this.#isStopped || this.#turns.areOver || this.#places.free < enough)
      return
    if (!this.#hasRoom) return
    this.#claiming = this.#claim()
      .then(() => {
        this.#isFailing = false
      })
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#claiming = undefined
        this.#cancels.claimed()
        this.#claimSoon()
      })
  }

  /** Told once, and not every second for as long as the database is away. */
  async #failed(error: unknown): Promise<void> {
    if (!this.#isFailing) this.#deps.onError(error, 'taking up runs that wait')
    this.#isFailing = true
    if (!this.#isStopped) await this.#deps.clock.after(RETRY_MS)
  }

  async #claim(): Promise<void> {
    const wishes = this.#turns.wishes()
    if (wishes.length === 0) return
    const { queue, clock, told, standstill } = this.#deps
    const askedAt = clock.stopwatch()
    standstill.tries()
    const runs = await queue.claim(wishes)
    standstill.took(runs.length)
    if (runs.length > 0) told(runs[0]!.takenAt, askedAt)
    this.#turns.served(wishes, runs)
    if (this.#isStopped) return this.#giveBack(runs)
    for (const run of runs) this.#hold(run)
    this.#schedule()
  }

  #hold(run: ClaimedRun): void {
    const held: Held = { run, execution: undefined, isAwaiting: false, weight: 0 }
    this.#held.add(held)
    this.#places.take()
    if (run.wasParked) this.#deps.onTakenUp()
    if (run.isToCancel === true) this.#cancel(held)
    else if (this.#cancels.isDoubted(run.id)) void this.#underWay.add(this.#beginUnlessCancelled(held))
    else this.#waiting.push(held)
  }

  async #beginUnlessCancelled(held: Held): Promise<void> {
    await this.#heartbeats.beat([held])
    if (this.#held.get(held.run.id) !== held || held.execution !== undefined) return
    if (this.#isStopped) {
      this.#forget(held)
      return this.#giveBack([held.run])
    }
    this.#waiting.push(held)
    this.#schedule()
  }

  #cancel(held: Held): void {
    if (held.execution === undefined) this.#cancelWaiting(held)
    else held.execution.cancel()
  }

  /** It has not begun, and nothing of it will. */
  #cancelWaiting(held: Held): void {
    this.#waiting = this.#waiting.filter((each) => each !== held)
    const { run } = held
    held.execution = this.#deps.cancelUnbegun({ run, journal: run.journal }, this.#listenerFor(held))
  }

  #forget(held: Held): void {
    this.#awaits(held, false)
    if (!this.#held.remove(held)) return
    this.#places.give()
    if (held.weight > 0) this.#memory.give(held.run.flowId, held.weight)
    if (this.#held.size === 0) this.#onIdle?.()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || !this.#hasRoom) return
    this.#isScheduled = true
    this.#deps.clock.soon(() => this.#slice())
  }

  #slice(): void {
    this.#isScheduled = false
    const { stopwatch } = this.#deps.clock
    const deadline = stopwatch() + SLICE_MS
    let next: Held | undefined
    while (this.#hasRoom) {
      next = this.#nextWaiting()
      if (next === undefined) break
      this.#execute(next)
      if (stopwatch() >= deadline) break
    }
    if (next !== undefined) this.#schedule()
    this.#claimSoon()
  }

  /** First come, first served, but for those of a flow that holds as much in memory as one may. */
  #nextWaiting(): Held | undefined {
    const at = this.#waiting.findIndex(({ run }) => this.#memory.hasRoomFor(run.flowId))
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0]
  }

  get #hasRoom(): boolean {
    return this.#memory.hasRoom && !this.#deps.isCrowded()
  }

  #execute(held: Held): void {
    const { run } = held
    const waiting = {
      run,
      journal: run.journal,
      mayHaveHung: run.deaths > 0,
      hasSeenOneDeath: run.deaths === 1
    }
    held.weight = weightOf(waiting)
    this.#memory.take(run.flowId, held.weight)
    held.execution = this.#deps.execute(waiting, isSuspectRun(run.deaths), this.#listenerFor(held))
  }

  #listenerFor(held: Held): ExecutionListener {
    return {
      done: (how) => this.#executed(held, how),
      awaits: (isAwaiting) => this.#awaits(held, isAwaiting)
    }
  }

  #awaits(held: Held, isAwaiting: boolean): void {
    // What was let go, or lost, holds no place any more.
    if (!this.#held.setAwaiting(held, isAwaiting)) return
    this.#places.awaits(isAwaiting)
    if (!isAwaiting) return
    this.mayHaveRoom([held.run.flowId])
    this.#claimSoon()
  }

  #executed(held: Held, how: Executed): void {
    const { run } = held
    this.#forget(held)
    if (typeof how === 'object' && how.mayBeDue) this.mayHaveWork([run.flowId])
    if (how === 'interrupted' && !this.#isGone) void this.#underWay.add(this.#giveBack([run]))
    this.mayHaveRoom([run.flowId])
    this.#schedule()
    this.#claimSoon()
  }

  async #giveBack(runs: readonly ClaimedRun[]): Promise<void> {
    if (runs.length === 0) return
    try {
      await this.#deps.queue.giveBack(runs)
      for (const flowId of new Set(runs.map((run) => run.flowId))) this.#deps.tellWork(flowId)
    } catch (error) {
      // They are taken up all the same, when this process has said nothing of them for long enough.
      this.#deps.onError(error, 'giving back runs')
    }
  }

  /** Somebody else has it, or it has ended, or was parked a moment ago: what is being done for it is in vain. */
  #lose(held: Held): void {
    if (held.execution !== undefined) return held.execution.notify('lost')
    this.#waiting = this.#waiting.filter((each) => each !== held)
    this.#forget(held)
  }
}
