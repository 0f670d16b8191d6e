import type { ExecutableRun, QueuedPage, QueuedRun } from '../../store/store.ts'
import { type InMemory, type RunInMemory, RunWindow } from '../execute/run-window.ts'

/** A look into the store for the next runs in order. */
export interface Reading {
  /** Only what was accepted after this number is asked for. */
  readonly after: number
  /** What it brings is no longer the next stretch. */
  isOutdated: boolean
  /** Runs that were in hand when it began, or since, and are so no longer: it may have seen them as they were before. */
  readonly gone: Set<number>
}

/**
 * - **abreast**: it knows of all that is queued in the store. An offer is taken in; where there is no room for it, the lane is behind
 *   from then on.
 * - **behind**: an offer is left to the store, until reading from the mark on has come to the end. What that brings and is in hand is
 *   passed over.
 */
type LaneMode = 'abreast' | 'behind'

/**
 * The runs of one flow that this process is to execute. Only a window of those that are queued is in memory; the rest is in the store and
 * is read when the window runs empty, so a flood costs disk and not memory.
 *
 * A run is **in hand** from the moment it is taken in until whoever executes it is done. What holds at any moment:
 *
 * 1. A run is in hand at most once: it is queued in one of the windows, or it is being executed. Whoever brings it again, brings nothing.
 * 2. Every run up to `readUpTo` that was queued in the store was read, so an offer of such a run comes too late to be news. Reading alone
 *    moves that mark, and only forward.
 * 3. A run after that mark that is queued in the store and is not in hand is on its way here, or the lane is behind. One before it is so
 *    only where the flow was paused or resumed: then the lane is behind, and reads all anew.
 *
 * 4. One thing at a time is asked of the store: the next stretch, or what is due.
 *
 * Offers may come in any order, early or late, in both modes.
 *
 * The ordered window keeps the order of acceptance. Runs outside the order have a window of their own: those that were opened again, those
 * that somebody waits for, and those whose parking is over, of which no more are taken up than fit. Both have their turns.
 */
export class Lane {
  readonly flowId: string
  readonly ordered: RunWindow
  readonly unordered: RunWindow
  readonly #inHand = new Set<number>()
  #wasOrdered = true
  #readUpTo: number
  /** Where reading goes on. */
  #nextAfter: number
  /** The newest run that was left to the store. */
  #newestLeft = 0
  /** The store may hold runs that nobody has told of. */
  #mayHoldMore = false
  /** Parked runs of this flow may be due. */
  #hasDue = false
  #asked: 'nothing' | 'what is due' | Reading = 'nothing'
  /** Runs that are being opened again, and by how many: nobody but `reopened` is to bring one. */
  readonly #reopening = new Map<number, number>()
  /** Runs that were brought while they were being executed, and by what. */
  readonly #again = new Map<number, 'reopened' | RunInMemory>()

  constructor(flowId: string, memory: InMemory, readUpTo = 0) {
    this.flowId = flowId
    this.ordered = new RunWindow(memory)
    this.unordered = new RunWindow(memory)
    this.#readUpTo = readUpTo
    this.#nextAfter = readUpTo
  }

  /** How many are queued in memory. */
  get size(): number {
    return this.ordered.size + this.unordered.size
  }

  /** How many are being executed. */
  get active(): number {
    return this.#inHand.size - this.size
  }

  get readUpTo(): number {
    return this.#readUpTo
  }

  get mode(): LaneMode {
    return this.#mayHoldMore || this.#newestLeft > this.#readUpTo ? 'behind' : 'abreast'
  }

  get hasDue(): boolean {
    return this.#hasDue
  }

  /** Something is asked of the store. */
  get isReading(): boolean {
    return this.#asked !== 'nothing'
  }

  get isIdle(): boolean {
    const isWorking = this.#inHand.size > 0 || this.#reopening.size > 0
    return !isWorking && this.mode === 'abreast' && !this.#hasDue && !this.isReading
  }

  /** A run was accepted. Without room it is left to the store. */
  accepted(run: ExecutableRun, hasRoom: boolean): void {
    if (this.#wasRead(run)) return
    if (this.mode === 'behind' || !hasRoom) this.#newestLeft = Math.max(this.#newestLeft, run.seq)
    else this.#takeIn(this.ordered, { run, journal: NO_JOURNAL })
  }

  /** A run was accepted that is not to wait for those before it. */
  acceptedAhead(run: ExecutableRun): void {
    const queued = this.#takeOut(run)
    if (queued !== undefined) this.unordered.push(queued)
    else if (!this.#wasRead(run)) this.#takeIn(this.unordered, { run, journal: NO_JOURNAL })
  }

  /** The store holds runs that this process has not seen: it starts. */
  mayBeBehind(): void {
    const reading = this.#reading
    if (reading !== undefined) reading.isOutdated = true
    this.#mayHoldMore = true
  }

  beginReading(): Reading {
    const reading = { after: this.#nextAfter, isOutdated: false, gone: new Set<number>() }
    this.#asked = reading
    return reading
  }

  readingFailed(): void {
    this.#asked = 'nothing'
  }

  /**
   * The next stretch was read. `newestBefore` is the number of the last change before that: a store that one process has to itself shows
   * runs in the order of their numbers, so none is left out before it, nor before the last that was read.
   */
  loaded(reading: Reading, { runs, isLast }: QueuedPage, newestBefore: number): void {
    this.#asked = 'nothing'
    if (reading.isOutdated) return
    for (const run of runs) {
      const isKnown = this.#inHand.has(run.seq) || this.#reopening.has(run.seq) || reading.gone.has(run.seq)
      if (!isKnown) this.#takeIn(this.ordered, queuedOf(run))
    }
    const last = runs.at(-1)?.seq ?? 0
    this.#nextAfter = Math.max(this.#nextAfter, last, isLast ? newestBefore : 0)
    this.#readUpTo = Math.max(this.#readUpTo, this.#nextAfter)
    if (isLast) this.#mayHoldMore = false
  }

  /** The flow is paused: what is queued in order is the store's again. */
  giveBack(): void {
    for (const { run } of this.ordered.clear()) this.#inHand.delete(run.seq)
  }

  /** Runs may be queued in the store that the mark has passed: all is read anew, but for what is in hand. */
  beginAnew(): void {
    this.#nextAfter = 0
    this.mayBeBehind()
  }

  mayHaveDue(): void {
    this.#hasDue = true
  }

  /** Whoever tells from here on that something is due may tell of what this does not see. */
  beginTakingDue(): void {
    this.#asked = 'what is due'
    this.#hasDue = false
  }

  takingDueFailed(): void {
    this.#asked = 'nothing'
    this.#hasDue = true
  }

  /** Parked runs that were due have been taken up. */
  woken({ runs, isLast }: QueuedPage): void {
    this.#asked = 'nothing'
    if (!isLast) this.#hasDue = true
    for (const run of runs) this.#bring(queuedOf(run), 'woken')
  }

  /** A run is about to be opened again: what is read of it from here on is left to who tells that it was. */
  reopening({ seq }: Pick<ExecutableRun, 'seq'>): void {
    this.#reopening.set(seq, (this.#reopening.get(seq) ?? 0) + 1)
  }

  /** A run was opened again. */
  reopened(run: ExecutableRun, journal: readonly string[]): void {
    this.#isReopened(run)
    this.#bring({ run, journal, isReopened: true }, 'reopened')
  }

  /** It was not, as far as is known. */
  notReopened(run: Pick<ExecutableRun, 'seq'>): void {
    this.#isReopened(run)
    this.beginAnew()
  }

  #isReopened({ seq }: Pick<ExecutableRun, 'seq'>): void {
    const others = (this.#reopening.get(seq) ?? 0) - 1
    if (others > 0) this.#reopening.set(seq, others)
    else this.#reopening.delete(seq)
  }

  /** The run ended while nobody executed it: what is being read may have it as it was before. */
  endedElsewhere({ seq }: Pick<ExecutableRun, 'seq'>): void {
    this.#reading?.gone.add(seq)
  }

  /** The run was ended: if it is queued here, then no longer. Unless it is because it was opened again, maybe since. */
  leave(run: Pick<ExecutableRun, 'seq' | 'id'>): void {
    const queued = this.#takeOut(run)
    if (queued?.isReopened === true) this.unordered.push(queued)
    else if (queued !== undefined) this.#inHand.delete(run.seq)
  }

  /** The next one, to be executed. */
  shift(): RunInMemory | undefined {
    if (this.unordered.size === 0) return this.ordered.shift()
    this.#wasOrdered = !this.#wasOrdered && this.ordered.size > 0
    return this.#wasOrdered ? this.ordered.shift() : this.unordered.shift()
  }

  /** One that is to be executed out of its turn; undefined where it is not queued here. */
  remove(id: string): RunInMemory | undefined {
    return this.ordered.remove(id) ?? this.unordered.remove(id)
  }

  /** Whoever executed it is done. */
  executed(seq: number, isParked: boolean): void {
    this.#inHand.delete(seq)
    this.#reading?.gone.add(seq)
    if (this.#again.size > 0) this.#executedOneOf(seq, isParked)
  }

  /**
   * A parked run can be taken up before who parked it has been told that it is parked: then it goes on as it was taken up. In any other
   * case the store knows whether it is still to be executed.
   */
  #executedOneOf(seq: number, isParked: boolean): void {
    const again = this.#again.get(seq)
    if (again === undefined) return
    this.#again.delete(seq)
    if (isParked && again !== 'reopened') this.#takeIn(this.unordered, again)
    else this.beginAnew()
  }

  #bring(queued: RunInMemory, by: 'woken' | 'reopened'): void {
    const { run } = queued
    // One that is queued here was read after it was opened again: it goes on from what is brought now, once.
    if (this.#takeOut(run) !== undefined) this.unordered.push(queued)
    else if (this.#inHand.has(run.seq)) this.#again.set(run.seq, by === 'woken' ? queued : 'reopened')
    else this.#takeIn(this.unordered, queued)
  }

  get #reading(): Reading | undefined {
    return typeof this.#asked === 'object' ? this.#asked : undefined
  }

  #wasRead({ seq }: ExecutableRun): boolean {
    return seq <= this.#readUpTo || this.#inHand.has(seq)
  }

  #takeOut({ seq, id }: Pick<ExecutableRun, 'seq' | 'id'>): RunInMemory | undefined {
    return this.#inHand.has(seq) ? this.remove(id) : undefined
  }

  #takeIn(window: RunWindow, queued: RunInMemory): void {
    this.#inHand.add(queued.run.seq)
    if (window === this.ordered) window.insert(queued)
    else window.push(queued)
  }
}

const NO_JOURNAL: readonly string[] = []

function queuedOf(run: QueuedRun): RunInMemory {
  return { run, journal: run.journal }
}
