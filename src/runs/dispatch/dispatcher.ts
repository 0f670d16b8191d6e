import type { OpenRun } from '../../store/children.ts'
import type { AcceptedRun, RunStore, StoredRun } from '../../store/store.ts'
import type { Executed, ExecutingRun, NewsOfRun } from '../execute/executing-run.ts'
import type { InMemory, RunInMemory } from '../execute/run-window.ts'
import { AWAITED_SLICE_MS, AwaitedLanes } from './awaited-lanes.ts'
import type { Dispatch, Work } from './dispatch.ts'
import { type DispatchSizes, USUAL_SIZES } from './dispatch-sizes.ts'
import { DueWatch } from './due-watch.ts'
import { EndedRuns } from './ended-runs.ts'
import { Lane } from './lane.ts'
import { LaneReader } from './lane-reader.ts'
import { RunMemory, weightOf } from './run-memory.ts'
import { RunPlaces } from './run-places.ts'
import { sliceLength } from './slice-length.ts'
import { SuspectRuns, type SuspectRunsDeps } from './suspect-runs.ts'
import { executedAlready, TakenRun, type Told } from './taken-run.ts'

export interface DispatcherDeps extends Work, Omit<SuspectRunsDeps, 'store'> {
  readonly store: Pick<
    RunStore,
    'queued' | 'takeDue' | 'flowsDue' | 'nextDue' | 'backlog' | 'lastChange' | 'hungSteps'
  >
  /** 0 to 1: how full the backlog is. */
  readonly pressure: () => number
  readonly sizes?: DispatchSizes | undefined
  /** Whether a caller waits for what the run answers; none does where it is absent. */
  readonly isAwaited?: (run: Pick<AcceptedRun, 'flowId' | 'trigger'>) => boolean
}

/**
 * - resting: nothing can begin, as far as is known. Whatever may have changed that has it scheduled.
 * - scheduled: a slice is about to begin what can.
 * - stopping: nothing begins any more, and what is under way reaches a checkpoint.
 */
type Mode = 'resting' | 'scheduled' | 'stopping'

/**
 * For a process that has the store to itself. Starts accepted runs while there is room: flows take turns, each within
 * its own limit, so a flood in one does not hold back the others.
 *
 * What holds at any moment:
 *
 * 1. A run that is being executed here is in hand of its lane, and has a place and its weight in memory until it is done.
 * 2. While it rests, no lane has a run that could begin: it lacks a place, or there is no room in memory, or the process is crowded.
 * 3. A lane that is forgotten was idle, and how far it had read is not.
 */
export class Dispatcher implements Dispatch {
  readonly #deps: DispatcherDeps
  readonly #lanes = new Map<string, Lane>()
  readonly #executions = new Map<string, ExecutingRun>()
  readonly #places: RunPlaces
  readonly #memory: RunMemory
  readonly #queued: InMemory = { runs: 0, bytes: 0 }
  /** How far those lanes had read that are forgotten. */
  readonly #readUpTo = new Map<string, number>()
  readonly #awaited = new AwaitedLanes()
  readonly #reader: LaneReader
  readonly #suspects: SuspectRuns
  readonly #ended = new EndedRuns()
  #lastAcceptedAt = Number.NEGATIVE_INFINITY
  #lastSliceAt = Number.NEGATIVE_INFINITY
  #mode: Mode = 'resting'
  readonly #due: DueWatch
  readonly #told: Told = {
    done: (taken, how) => this.#done(taken, how),
    awaits: (isAwaiting) => this.#awaits(isAwaiting)
  }
  #onIdle: (() => void) | undefined

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
    const { clock, store, onError, sizes = USUAL_SIZES } = deps
    this.#places = new RunPlaces(deps.places)
    this.#memory = new RunMemory(deps.places.memory)
    this.#suspects = new SuspectRuns(deps)
    this.#due = new DueWatch({ clock, store, onError, onDue: (flowIds) => this.mayHaveDue(flowIds) })
    const [memory, due] = [this.#queued, this.#due]
    this.#reader = new LaneReader({ ...deps, sizes, memory, due, onRead: () => this.#schedule() })
  }

  /** Takes up what an earlier process left: everything that was accepted and has no end. */
  async start(): Promise<void> {
    await this.#suspects.find()
    for (const flowId of (await this.#deps.store.backlog()).keys()) this.#lane(flowId).mayBeBehind()
    this.#schedule()
    await this.#due.look()
  }

  isActive(runId: string): boolean {
    return this.#executions.has(runId)
  }

  cancel({ id, flowId }: Pick<StoredRun, 'id' | 'flowId'>): boolean {
    const execution = this.#executions.get(id)
    execution?.cancel()
    return execution !== undefined || this.#cancelQueued(id, flowId)
  }

  stopOrphaned(runs: readonly OpenRun[]): readonly OpenRun[] {
    return runs.filter((run) => !this.cancel(run))
  }

  ending(run: StoredRun): () => void {
    const execution = this.#executions.get(run.id)
    return () => this.#endedBy(run, execution)
  }

  #endedBy(run: StoredRun, execution: ExecutingRun | undefined): void {
    const lane = this.#lanes.get(run.flowId)
    lane?.endedElsewhere(run)
    this.#ended.add(run.id)
    // Somebody has begun to execute it since: the store tells them that it has ended, or it has another life.
    if (this.#executions.get(run.id) !== execution) return
    // Of one that is queued here nobody writes an end: it would close the life that begins when it is opened again.
    if (execution === undefined) return lane?.leave(run)
    execution.notify('ended')
    execution.cancel()
  }

  tell(runId: string, news: NewsOfRun): void {
    this.#executions.get(runId)?.notify(news)
  }

  /** A run that is queued in memory is taken out of its lane. */
  #cancelQueued(id: string, flowId: string): boolean {
    const lane = this.#lanes.get(flowId)
    const queued = lane?.remove(id)
    if (lane === undefined || queued === undefined) return false
    const taken = this.#take(lane, queued)
    if (taken !== undefined) this.#begun(taken, this.#deps.cancelUnbegun(queued, taken))
    return true
  }

  offer(run: AcceptedRun): void {
    if (this.#ended.take(run.id)) return
    const lane = this.#lane(run.flowId)
    // Somebody sits there and waits for it: not behind all that the flow has to do.
    if (run.isTest === true) lane.acceptedAhead(run)
    else {
      // To a caller that waits for its run, that is the request.
      if (this.#deps.isAwaited?.(run) === true) this.#awaited.add(lane)
      else this.#lastAcceptedAt = this.#deps.clock.stopwatch()
      lane.accepted(run, this.#reader.hasRoom)
    }
    this.#schedule()
  }

  reopening(run: Pick<StoredRun, 'id' | 'seq' | 'flowId'>): void {
    this.tell(run.id, 'reopening')
    this.#lane(run.flowId).reopening(run)
  }

  notReopened(run: Pick<StoredRun, 'id' | 'seq' | 'flowId'>): void {
    this.tell(run.id, 'not reopened')
    this.#lane(run.flowId).notReopened(run)
    this.#schedule()
  }

  resume(run: AcceptedRun, journal: readonly string[]): void {
    this.tell(run.id, 'ended')
    this.#lane(run.flowId).reopened(run, journal)
    this.#schedule()
  }

  pauseChanged(flowId: string, isPaused: boolean): void {
    if (isPaused) this.#lanes.get(flowId)?.giveBack()
    // The store tells what is queued from here on: also of a flow that is paused, for what has begun goes on.
    this.#lane(flowId).beginAnew()
    this.#schedule()
  }

  /** They are taken up as there is room for them. */
  mayHaveDue(flowIds: readonly string[]): void {
    for (const flowId of flowIds) this.#lane(flowId).mayHaveDue()
    this.#schedule()
  }

  mayHaveRoomAgain(): void {
    if (this.#lanes.size > 0) this.#schedule()
  }

  stop(): Promise<void> {
    this.#mode = 'stopping'
    this.#due.stop()
    for (const execution of [...this.#executions.values()]) execution.interrupt()
    if (this.#executions.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onIdle = resolve
    })
  }

  #schedule(): void {
    if (this.#mode !== 'resting') return
    this.#mode = 'scheduled'
    this.#deps.clock.soon(() => this.#slice())
  }

  #slice(): void {
    if (this.#mode === 'stopping') return
    this.#mode = 'resting'
    const { pressure, clock } = this.#deps
    this.#startUntil(clock.stopwatch() + AWAITED_SLICE_MS, () => this.#awaited.next(this.#hasPlaceFor))
    const now = clock.stopwatch()
    const since = { lastAcceptedAt: this.#lastAcceptedAt, lastSliceAt: this.#lastSliceAt }
    const deadline = now + sliceLength({ now, ...since, pressure })
    this.#lastSliceAt = now
    if (!this.#startUntil(deadline, () => this.#nextLane())) this.#schedule()
  }

  /** False where the time was over first. */
  #startUntil(deadline: number, next: () => Lane | undefined): boolean {
    while (this.#places.free > 0 && this.#memory.hasRoom && !this.#deps.isCrowded()) {
      const lane = next()
      if (lane === undefined) return true
      this.#startNext(lane)
      if (this.#deps.clock.stopwatch() >= deadline) return false
    }
    return true
  }

  /** Flows take turns: the lane that is chosen goes to the end of the line. */
  #nextLane(): Lane | undefined {
    for (const lane of this.#lanes.values()) {
      if (lane.isIdle) {
        this.#forgetLane(lane)
        continue
      }
      if (lane.mode === 'behind' || lane.hasDue) this.#reader.readMore(lane)
      if (lane.size === 0 || !this.#hasPlaceFor(lane)) continue
      if (this.#lanes.size > 1) {
        this.#lanes.delete(lane.flowId)
        this.#lanes.set(lane.flowId, lane)
      }
      return lane
    }
    return undefined
  }

  #startNext(lane: Lane): void {
    const queued = lane.shift()!
    const { seq } = queued.run
    const known = this.#suspects.mayHaveHung(seq) ? { ...queued, mayHaveHung: true } : queued
    const taken = this.#take(lane, queued)
    if (taken !== undefined) this.#begun(taken, this.#deps.execute(known, this.#suspects.has(seq), taken))
  }

  /** Its lane gives out none that is in hand. Should it ever, then nothing is done twice, and somebody learns of it. */
  #take(lane: Lane, queued: RunInMemory): TakenRun | undefined {
    const { run } = queued
    if (this.#executions.has(run.id)) {
      this.#deps.onError(executedAlready(run.id), 'starting a run')
      return undefined
    }
    const weight = weightOf(queued)
    this.#places.take()
    this.#memory.take(run.flowId, weight)
    return new TakenRun(run, lane, weight, this.#told)
  }

  #begun(taken: TakenRun, execution: ExecutingRun): void {
    if (!taken.isDone) this.#executions.set(taken.run.id, execution)
  }

  #done({ run: { id, seq, flowId }, lane, weight }: TakenRun, how: Executed): void {
    const isParked = typeof how === 'object'
    this.#places.give()
    this.#memory.give(flowId, weight)
    this.#executions.delete(id)
    lane.executed(seq, isParked)
    if (isParked && how.dueAt !== null) this.#due.expect(flowId, how.dueAt)
    if (isParked && how.mayBeDue) this.mayHaveDue([flowId])
    if (this.#executions.size === 0) this.#onIdle?.()
    this.#schedule()
  }

  #awaits(isAwaiting: boolean): void {
    this.#places.awaits(isAwaiting)
    if (isAwaiting) this.#schedule()
  }

  readonly #hasPlaceFor = ({ flowId, active }: Lane): boolean => {
    const limit = Math.min(this.#deps.limitOf(flowId), this.#places.mostOfOne)
    return active < limit && this.#memory.hasRoomFor(flowId)
  }

  /** How far it had read is kept: an offer of a run that it has read and executed may still be on its way. */
  #forgetLane({ flowId, readUpTo }: Lane): void {
    this.#lanes.delete(flowId)
    if (readUpTo > 0) this.#readUpTo.set(flowId, readUpTo)
  }

  #lane(flowId: string): Lane {
    let lane = this.#lanes.get(flowId)
    if (lane === undefined) {
      lane = new Lane(flowId, this.#queued, this.#readUpTo.get(flowId))
      this.#lanes.set(flowId, lane)
    }
    return lane
  }
}
