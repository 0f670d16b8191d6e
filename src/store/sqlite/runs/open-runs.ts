import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { mayFollow, type QueueOperation } from '../../queue-state.ts'
import type { RunRef } from '../../store.ts'
import type { BatchMember } from '../file/group-commit.ts'
import { flowIdOf, numberOfName } from '../file/interned-names.ts'
import {
  type EndedRow,
  type Family,
  IS_QUEUED,
  PAUSED,
  prepareQueueRows,
  QUEUED,
  type StoredPlace
} from './queue-rows.ts'
import { type Queued, QueuedNumbers } from './queued-numbers.ts'

/** How far the oldest open run may lie behind the newest number before it is written down by itself. */
const LONGEST_LAG = 1_000_000

/**
 * Which runs are open, and where each of them is: see queue-state.ts for the names.
 *
 * Memory knows all that are queued and decides; the tables say the same to the next start, at no write per run: a run from
 * `open_from` on that has no outcome is open, and queued where it has no row in `queue`. A row has only what would hold that mark back,
 * or lies below it: one that is not queued; one that was opened again or whose parking is over; one that others have long overtaken;
 * and one that has a parent, children or waits, so that its end looks for them. A row for every run was measured at 5 µs of about 24.
 *
 * One that is parked, paused or in line is in `queue` alone: however many there are, they cost no memory.
 */
export class OpenRuns implements BatchMember {
  readonly #db: DatabaseSync
  readonly #rows: ReturnType<typeof prepareQueueRows>
  readonly #findEntry: StatementSync
  readonly #findOwnParent: StatementSync
  readonly #saveMark: StatementSync
  /** Flows that are paused, those among them included that were deleted. */
  readonly #paused = new Set<string>()
  readonly #queued = new QueuedNumbers()
  #savedMark: number
  #newest: number
  #undo: (() => void)[] = []

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#rows = prepareQueueRows(db)
    this.#findEntry = db.prepare('SELECT 1 FROM journal WHERE run_seq = ? LIMIT 1')
    this.#findOwnParent = db.prepare(
      `SELECT 1 FROM queue q JOIN waits w ON w.no = q.awaited_by WHERE q.seq = ?1 AND w.flow = ${numberOfName('?2')}`
    )
    this.#saveMark = db.prepare("UPDATE meta SET value = ? WHERE name = 'open_from'")
    this.#savedMark = (
      db.prepare("SELECT value FROM meta WHERE name = 'open_from'").get() as { value: number }
    ).value
    this.#newest = this.#savedMark - 1
    this.#load()
  }

  /** How many are queued. */
  get count(): number {
    return this.#queued.count
  }

  /** Undefined where the run is not open, or is one of another flow. */
  stateOf(run: RunRef): StoredPlace['state'] | undefined {
    return this.#queued.has(run) ? 'queued' : this.#rows.stateOf(run)
  }

  has(run: RunRef): boolean {
    return this.stateOf(run) !== undefined
  }

  /** Whether this may be done to it, where it is. */
  may(operation: QueueOperation, run: RunRef): boolean {
    const state = this.stateOf(run)
    return state !== undefined && mayFollow(operation, state).length > 0
  }

  isQueued(run: RunRef): boolean {
    return this.#queued.has(run)
  }

  /** Queued runs per flow. */
  counts(): Map<string, number> {
    return this.#queued.counts()
  }

  /** Queued runs of a flow, oldest first, after this number. */
  queued(flowId: string, after: number, limit: number): number[] {
    return this.#queued.after(flowId, after, limit)
  }

  /** All queued runs below this number, newest first. */
  below(number: number): number[] {
    return this.#queued.below(number)
  }

  /** To be called inside a batch, like everything from here on. Returns where the run is. */
  accepted(seq: number, flowId: string, beginsPaused = false): 'queued' | 'paused' {
    this.passed(seq)
    if (this.#paused.size > 0 && !beginsPaused && this.#paused.has(flowId)) {
      this.#rows.put({ seq, flowId }, PAUSED)
      return 'paused'
    }
    this.#enter(seq, flowId, 'fresh')
    return 'queued'
  }

  /** As `accepted`; `isInLine`: it has no turn yet. */
  childAccepted(
    run: RunRef,
    family: Family,
    { beginsPaused, isInLine }: { beginsPaused: boolean; isInLine: boolean }
  ): StoredPlace['state'] {
    const { seq, flowId } = run
    this.passed(seq)
    const place = isInLine ? ({ state: 'in line', beginsPaused } as const) : this.#begin(flowId, beginsPaused)
    this.#rows.putChild(run, family, place)
    if (place.state === 'queued') this.#enter(seq, flowId, 'recorded')
    return place.state
  }

  /** A run with this number was accepted that was never open. */
  passed(seq: number): void {
    this.#newest = Math.max(this.#newest, seq)
  }

  /** Undefined when it had ended before; else what its row said if it had one, as one that was opened again has. */
  ended(run: RunRef): 'fresh' | EndedRow | undefined {
    const how = this.#queued.howIs(run)
    if (how === undefined) return this.#rows.stateOf(run) && this.#rows.remove(run.seq)
    this.#leave(run.seq, run.flowId, how)
    return how === 'recorded' ? this.#rows.remove(run.seq) : 'fresh'
  }

  reopened(run: RunRef, family?: Family): void {
    if (family === undefined) this.#record(run)
    else {
      this.#rows.putChild(run, family, QUEUED)
      this.#enter(run.seq, run.flowId, 'recorded')
    }
  }

  /** It is in line, and its turn may come at once. It has begun before, so it goes on also while its flow is paused. */
  childReopened(run: RunRef, family: Family): void {
    this.#rows.putChild(run, family, { state: 'in line', beginsPaused: true })
  }

  turnCame({ seq, flowId }: RunRef, at: number, beginsPaused: boolean): void {
    const { state } = this.#begin(flowId, beginsPaused)
    this.#rows.giveTurn(seq, state === 'paused' ? PAUSED : { state: 'parked', dueAt: at, isWaiting: false })
  }

  /** It reaches a checkpoint. One that had begun when its flow was paused is so no longer: it goes on, also after a crash. */
  begun(run: RunRef): void {
    if (this.stateOf(run) === 'paused') this.#record(run)
  }

  /**
   * What is queued of the flow and has not begun, as far as is known, is paused from here on. Not what a run of the same flow waits
   * for: it is a part of one that has begun.
   */
  paused(flowId: string): void {
    if (this.#paused.has(flowId)) return
    this.#paused.add(flowId)
    this.#undo.push(() => void this.#paused.delete(flowId))
    for (const seq of this.queued(flowId, 0, Number.POSITIVE_INFINITY)) {
      if (this.#findEntry.get(seq) !== undefined || this.#findOwnParent.get(seq, flowId) !== undefined)
        continue
      this.#rows.put({ seq, flowId }, PAUSED)
      this.#leave(seq, flowId, this.#queued.howIs({ seq, flowId })!)
    }
  }

  resumed(flowId: string): void {
    if (!this.#paused.delete(flowId)) return
    this.#undo.push(() => void this.#paused.add(flowId))
    for (const seq of this.#rows.resume(flowId)) this.#enter(seq, flowId, 'recorded')
  }

  /** `isWaiting`: one of its steps waits, so it does not only pause between two attempts. */
  parked(run: RunRef, dueAt: number, isWaiting = false): void {
    const how = this.#queued.howIs(run)
    this.#rows.put(run, { state: 'parked', dueAt, isWaiting })
    if (how !== undefined) this.#leave(run.seq, run.flowId, how)
  }

  /** If it is parked, then no longer than until this moment. */
  due(seq: number, at: number): void {
    this.#rows.setDue(seq, at)
  }

  /** Its parking is over. */
  unparked(run: RunRef): void {
    this.#record(run)
  }

  /** Something belongs to it that its end has to see to: from now on it has a row by itself, which tells. */
  remembered(run: RunRef): void {
    if (this.#queued.howIs(run) === 'fresh') this.#record(run)
  }

  snapshot(): () => void {
    const length = this.#undo.length
    return () => {
      for (const undo of this.#undo.splice(length).reverse()) undo()
    }
  }

  save(): void {
    this.#recordOldOpenRuns()
    const mark = this.#queued.firstFresh() ?? this.#newest + 1
    if (mark === this.#savedMark) return
    const before = this.#savedMark
    this.#saveMark.run(mark)
    this.#savedMark = mark
    this.#undo.push(() => {
      this.#savedMark = before
    })
  }

  committed(): void {
    this.#undo = []
  }

  /** Where a run is that may begin, if its flow is not paused or it does all the same. */
  #begin(flowId: string, beginsPaused: boolean): typeof QUEUED | typeof PAUSED {
    return !beginsPaused && this.#paused.has(flowId) ? PAUSED : QUEUED
  }

  /** One run that goes on for hours must not make the next start look through all that came after it. */
  #recordOldOpenRuns(): void {
    for (;;) {
      const oldest = this.#queued.firstFresh()
      if (oldest === undefined || this.#newest - oldest < LONGEST_LAG) return
      this.#record({ seq: oldest, flowId: this.#queued.flowOf(oldest) })
    }
  }

  /** It is queued, and has a row that says so. */
  #record(run: RunRef): void {
    const { seq, flowId } = run
    const before = this.#queued.howIs(run)
    this.#rows.put(run, QUEUED)
    this.#queued.add(seq, flowId, 'recorded')
    this.#undo.push(() => {
      if (before === undefined) this.#queued.delete(seq, flowId)
      else this.#queued.add(seq, flowId, before)
    })
  }

  #enter(seq: number, flowId: string, how: Queued): void {
    this.#queued.add(seq, flowId, how)
    this.#undo.push(() => this.#queued.delete(seq, flowId))
  }

  #leave(seq: number, flowId: string, how: Queued): void {
    this.#queued.delete(seq, flowId)
    this.#undo.push(() => this.#queued.add(seq, flowId, how))
  }

  #load(): void {
    const paused = this.#db.prepare('SELECT id FROM flows WHERE paused_mode IS NOT NULL')
    for (const { id } of paused.all() as { id: string }[]) this.#paused.add(id)
    const recorded = this.#db.prepare(`SELECT seq, flow_id FROM queue WHERE ${IS_QUEUED}`)
    for (const row of recorded.iterate()) {
      const { seq, flow_id: flowId } = row as unknown as OpenRow
      this.#queued.add(seq, flowId, 'recorded')
    }
    const fresh = this.#db.prepare(
      `SELECT seq, ${flowIdOf('r')} FROM runs r WHERE seq >= ?
         AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.seq = r.seq)
         AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.seq = r.seq)`
    )
    for (const row of fresh.iterate(this.#savedMark)) {
      const { seq, flow_id: flowId } = row as unknown as OpenRow
      this.passed(seq)
      this.#queued.add(seq, flowId, 'fresh')
    }
  }
}

interface OpenRow {
  readonly seq: number
  readonly flow_id: string
}
