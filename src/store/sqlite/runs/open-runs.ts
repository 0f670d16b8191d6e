import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunRef } from '../../store.ts'
import { NEVER } from '../../waits.ts'
import type { BatchMember } from '../file/group-commit.ts'
import { flowIdOf, numberOfFlow } from '../file/interned-names.ts'
import { OrderedNumbers } from './ordered-numbers.ts'
import { type EndedRow, type Family, prepareQueueRows } from './queue-rows.ts'

/** How far the oldest open run may lie behind the newest number before it is written down by itself. */
const LONGEST_LAG = 1_000_000

interface Beginning {
  /** Whether its flow is paused or not. */
  readonly begins: boolean
  readonly waitsForTurn?: boolean
}

/**
 * Which runs are open. Memory knows all that are not parked and decides; the tables say the same to the next start, at
 * no write per run: a run from `open_from` on that has no outcome is open. Only what would hold that mark back, or lies
 * below it, has a row in `queue`: a parked run, one that was opened again or whose parking is over, one that others
 * have long overtaken; and one that has a parent, children or waits, so that its end looks for them. A row in `queue` for every run was measured at 5 µs of about 24.
 *
 * A parked run is in `queue` alone, with the time at which it is due: however many wait, they cost no memory. So is one
 * that is held because its flow is paused.
 */
export class OpenRuns implements BatchMember {
  readonly #db: DatabaseSync
  readonly #rows: ReturnType<typeof prepareQueueRows>
  readonly #findEntry: StatementSync
  readonly #findOwnParent: StatementSync
  readonly #saveMark: StatementSync
  /** Flows that are paused, those among them included that were deleted. */
  readonly #paused = new Set<string>()
  /** Open, neither parked nor held, in the order of acceptance. */
  readonly #waiting = new Map<string, OrderedNumbers>()
  #count = 0
  /** Those of them that have a row in `queue`. */
  readonly #recorded = new Set<number>()
  /** Those of them that have none, in the order of acceptance. */
  readonly #fresh = new OrderedNumbers()
  #savedMark: number
  #newest: number
  #undo: (() => void)[] = []

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#rows = prepareQueueRows(db)
    this.#findEntry = db.prepare('SELECT 1 FROM journal WHERE run_seq = ? LIMIT 1')
    this.#findOwnParent = db.prepare(
      `SELECT 1 FROM queue q JOIN waits w ON w.no = q.siblings WHERE q.seq = ?1 AND w.flow = ${numberOfFlow('?2')}`
    )
    this.#saveMark = db.prepare("UPDATE meta SET value = ? WHERE name = 'open_from'")
    this.#savedMark = (
      db.prepare("SELECT value FROM meta WHERE name = 'open_from'").get() as { value: number }
    ).value
    this.#newest = this.#savedMark - 1
    this.#load()
  }

  /** How many are open and neither parked nor held. */
  get count(): number {
    return this.#count
  }

  has(run: RunRef): boolean {
    return this.#isWaiting(run) || this.#rows.isParked(run)
  }

  /** To be called inside a batch, like everything that changes something. Returns whether the run is held. */
  accepted(seq: number, flowId: string, beginsWhilePaused = false): boolean {
    this.#newest = Math.max(this.#newest, seq)
    if (this.#paused.size > 0 && !beginsWhilePaused && this.#paused.has(flowId)) {
      this.#rows.put({ seq, flowId }, { isHeld: true })
      return true
    }
    this.#fresh.add(seq)
    this.#addWaiting(seq, flowId)
    this.#undo.push(() => this.#forget(seq, flowId))
    return false
  }

  /** Undefined when it had ended before; else what its row said if it had one, as one that was opened again has. */
  ended(run: RunRef): 'fresh' | EndedRow | undefined {
    const { seq, flowId } = run
    if (!this.#isWaiting(run)) return this.#rows.isParked(run) ? this.#rows.remove(seq) : undefined
    const wasRecorded = this.#recorded.has(seq)
    this.#leaveMemory(seq, flowId)
    return wasRecorded ? this.#rows.remove(seq) : 'fresh'
  }

  /** Returns whether it is held. One that waits for its turn is in the table alone. */
  childAccepted(run: RunRef, family: Family, { begins, waitsForTurn = false }: Beginning): boolean {
    const { seq, flowId } = run
    this.passed(seq)
    if (waitsForTurn) {
      this.#rows.putChild(run, family, { dueAt: NEVER }, begins ? 2 : 1)
      return false
    }
    const isHeld = !begins && this.#paused.has(flowId)
    this.#rows.putChild(run, family, { isHeld })
    if (isHeld) return true
    this.#recorded.add(seq)
    this.#addWaiting(seq, flowId)
    this.#undo.push(() => this.#forget(seq, flowId))
    return false
  }

  /** It waits for its turn, which may come at once. It has begun before, so it goes on also while its flow is paused. */
  childReopened(run: RunRef, family: Family): void {
    this.#rows.putChild(run, family, { dueAt: NEVER }, 2)
  }

  turnCame({ seq, flowId }: RunRef, at: number, begins: boolean): void {
    const isHeld = !begins && this.#paused.has(flowId)
    this.#rows.giveTurn(seq, isHeld ? { isHeld } : { dueAt: at })
  }

  /** A run with this number was accepted that was never open. */
  passed(seq: number): void {
    this.#newest = Math.max(this.#newest, seq)
  }

  /** It reaches a checkpoint. One that had begun when its flow was paused is held no longer: it goes on, also after a crash. */
  begun(run: RunRef): boolean {
    if (this.#isWaiting(run)) return true
    if (!this.#rows.isParked(run)) return false
    if (this.#rows.isHeld(run.seq)) this.#recordWaiting(run)
    return true
  }

  /**
   * What waits of the flow and has not begun, as far as is known, is held from here on. Not what a run of the same flow waits
   * for: it is a part of one that has begun.
   */
  paused(flowId: string): void {
    if (this.#paused.has(flowId)) return
    this.#paused.add(flowId)
    this.#undo.push(() => void this.#paused.delete(flowId))
    for (const seq of this.waiting(flowId, 0, Number.POSITIVE_INFINITY)) {
      if (this.#findEntry.get(seq) !== undefined || this.#findOwnParent.get(seq, flowId) !== undefined)
        continue
      this.#rows.put({ seq, flowId }, { isHeld: true })
      this.#leaveMemory(seq, flowId)
    }
  }

  resumed(flowId: string): void {
    if (!this.#paused.delete(flowId)) return
    const seqs = this.#rows.release(flowId)
    for (const seq of seqs) {
      this.#recorded.add(seq)
      this.#addWaiting(seq, flowId)
    }
    this.#undo.push(() => {
      for (const seq of seqs) this.#forget(seq, flowId)
      this.#paused.add(flowId)
    })
  }

  reopened(run: RunRef, family?: Family): void {
    this.#recordWaiting(run)
    if (family !== undefined) this.#rows.putChild(run, family)
  }

  /** `isWaiting`: one of its steps waits, so it does not only pause between two attempts. */
  parked(run: RunRef, dueAt: number, isWaiting = false): void {
    const { seq, flowId } = run
    this.#rows.put(run, { dueAt, isWaiting })
    if (this.#isWaiting(run)) this.#leaveMemory(seq, flowId)
  }

  /** If it is parked, then no longer than until this moment. */
  due(seq: number, at: number): void {
    this.#rows.setDue(seq, at)
  }

  /** Something belongs to it that its end has to see to: from now on it has a row by itself, which tells. */
  remembered(run: RunRef): void {
    if (this.#isWaiting(run) && !this.#recorded.has(run.seq)) this.#recordWaiting(run)
  }

  /** Its parking is over. False where it was not parked: somebody has it already. */
  unparked(run: RunRef): boolean {
    const wasParked = !this.#isWaiting(run)
    this.#recordWaiting(run)
    return wasParked
  }

  /** Open runs per flow that are neither parked nor held. */
  counts(): Map<string, number> {
    return new Map(this.#waiting.entries().map(([flowId, seqs]) => [flowId, seqs.size]))
  }

  /** Of a flow, neither parked nor held, oldest first, after this number. */
  waiting(flowId: string, after: number, limit: number): number[] {
    return this.#waiting.get(flowId)?.after(after, limit) ?? []
  }

  /** All that are open, neither parked nor held, below this number, newest first. */
  below(number: number): number[] {
    const all = [...this.#fresh.after(0, Number.POSITIVE_INFINITY), ...this.#recorded]
    return all.filter((seq) => seq < number).sort((a, b) => b - a)
  }

  snapshot(): () => void {
    const length = this.#undo.length
    return () => {
      for (const undo of this.#undo.splice(length).reverse()) undo()
    }
  }

  save(): void {
    this.#recordOldOpenRuns()
    const mark = this.#fresh.first() ?? this.#newest + 1
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

  /** One run that goes on for hours must not make the next start look through all that came after it. */
  #recordOldOpenRuns(): void {
    for (;;) {
      const oldest = this.#fresh.first()
      if (oldest === undefined || this.#newest - oldest < LONGEST_LAG) return
      this.#recordWaiting({ seq: oldest, flowId: this.#flowOf(oldest) })
    }
  }

  #flowOf(seq: number): string {
    for (const [flowId, seqs] of this.#waiting) if (seqs.has(seq)) return flowId
    throw new Error(`the open run ${seq} belongs to no flow`)
  }

  #recordWaiting({ seq, flowId }: RunRef): void {
    const wasRecorded = this.#recorded.has(seq)
    const wasFresh = this.#fresh.has(seq)
    this.#rows.put({ seq, flowId })
    this.#fresh.delete(seq)
    this.#recorded.add(seq)
    this.#addWaiting(seq, flowId)
    this.#undo.push(() => {
      if (!wasRecorded) this.#recorded.delete(seq)
      if (wasFresh) this.#fresh.add(seq)
      else if (!wasRecorded) this.#forget(seq, flowId)
    })
  }

  #isWaiting({ seq, flowId }: RunRef): boolean {
    return this.#waiting.get(flowId)?.has(seq) === true
  }

  #leaveMemory(seq: number, flowId: string): void {
    const wasRecorded = this.#recorded.has(seq)
    this.#forget(seq, flowId)
    this.#undo.push(() => {
      if (wasRecorded) this.#recorded.add(seq)
      else this.#fresh.add(seq)
      this.#addWaiting(seq, flowId)
    })
  }

  #forget(seq: number, flowId: string): void {
    this.#fresh.delete(seq)
    this.#recorded.delete(seq)
    const waiting = this.#waiting.get(flowId)
    if (waiting?.delete(seq) === true) this.#count--
    if (waiting?.size === 0) this.#waiting.delete(flowId)
  }

  #addWaiting(seq: number, flowId: string): void {
    let waiting = this.#waiting.get(flowId)
    if (waiting === undefined) {
      waiting = new OrderedNumbers()
      this.#waiting.set(flowId, waiting)
    }
    if (waiting.has(seq)) return
    waiting.add(seq)
    this.#count++
  }

  #load(): void {
    const paused = this.#db.prepare('SELECT id FROM flows WHERE paused_mode IS NOT NULL')
    for (const { id } of paused.all() as { id: string }[]) this.#paused.add(id)
    const recorded = this.#db.prepare('SELECT seq, flow_id FROM queue WHERE due_at IS NULL AND held = 0')
    for (const row of recorded.iterate()) {
      const { seq, flow_id: flowId } = row as unknown as OpenRow
      this.#recorded.add(seq)
      this.#addWaiting(seq, flowId)
    }
    const fresh = this.#db.prepare(
      `SELECT seq, ${flowIdOf('r')} FROM runs r WHERE seq >= ?
         AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.seq = r.seq)
         AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.seq = r.seq)`
    )
    for (const row of fresh.iterate(this.#savedMark)) {
      const { seq, flow_id: flowId } = row as unknown as OpenRow
      this.#newest = Math.max(this.#newest, seq)
      this.#fresh.add(seq)
      this.#addWaiting(seq, flowId)
    }
  }
}

interface OpenRow {
  readonly seq: number
  readonly flow_id: string
}
