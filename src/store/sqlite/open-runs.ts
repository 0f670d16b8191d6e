import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunRef } from '../store.ts'
import type { BatchMember } from './group-commit.ts'
import { flowIdOf } from './interned-names.ts'

/** How far the oldest open run may lie behind the newest number before it is written down by itself. */
const LONGEST_LAG = 1_000_000

/** A run that has a row in `queue`. */
interface QueueRow {
  readonly flowId: string
  /** Until when it is parked; null when it is not. */
  readonly dueAt: number | null
}

/**
 * Which runs are open. Memory knows it and decides; the tables say the same to the next start, at no write per run:
 * a run from `open_from` on that has no outcome is open. Only what would hold that mark back, or lies below it, has
 * a row in `queue`: a parked run, one that was opened again, and one that others have long overtaken. A row in
 * `queue` for every run was measured at 5 µs of about 24.
 */
export class OpenRuns implements BatchMember {
  readonly #db: DatabaseSync
  readonly #putAside: StatementSync
  readonly #takeBack: StatementSync
  readonly #saveMark: StatementSync
  /** Open and not parked, in the order of acceptance. */
  readonly #waiting = new Map<string, OrderedNumbers>()
  readonly #aside = new Map<number, QueueRow>()
  /** Open without a row in `queue`, in the order of acceptance. */
  readonly #fresh = new OrderedNumbers()
  #savedMark: number
  #newest: number
  #undo: (() => void)[] = []

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#putAside = db.prepare(
      `INSERT INTO queue (seq, flow_id, due_at) VALUES (?, ?, ?)
       ON CONFLICT (seq) DO UPDATE SET due_at = excluded.due_at`
    )
    this.#takeBack = db.prepare('DELETE FROM queue WHERE seq = ?')
    this.#saveMark = db.prepare("UPDATE meta SET value = ? WHERE name = 'open_from'")
    this.#savedMark = (
      db.prepare("SELECT value FROM meta WHERE name = 'open_from'").get() as { value: number }
    ).value
    this.#newest = this.#savedMark - 1
    this.#load()
  }

  has({ seq, flowId }: RunRef): boolean {
    return this.#waiting.get(flowId)?.has(seq) === true || this.#aside.get(seq)?.flowId === flowId
  }

  /** Whether it was parked or opened again, or has been open for long. */
  isAside(seq: number): boolean {
    return this.#aside.has(seq)
  }

  /** To be called inside a batch, like everything that changes something. */
  accepted(seq: number, flowId: string): void {
    this.#newest = Math.max(this.#newest, seq)
    this.#fresh.add(seq)
    this.#waitingOf(flowId).add(seq)
    this.#undo.push(() => this.#forget(seq, flowId))
  }

  /** Returns whether it was open until now. */
  ended(run: RunRef): boolean {
    if (!this.has(run)) return false
    const { seq, flowId } = run
    const aside = this.#aside.get(seq)
    if (aside !== undefined) this.#takeBack.run(seq)
    this.#forget(seq, flowId)
    this.#undo.push(() => {
      if (aside === undefined) this.#fresh.add(seq)
      else this.#aside.set(seq, aside)
      if (aside === undefined || aside.dueAt === null) this.#waitingOf(flowId).add(seq)
    })
    return true
  }

  reopened(run: RunRef): void {
    this.#setAside(run, null)
  }

  parked(run: RunRef, dueAt: number): void {
    this.#setAside(run, dueAt)
  }

  /** Its parking is over. */
  unparked(run: RunRef): void {
    this.#setAside(run, null)
  }

  /** Open runs per flow, parked ones included. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const [flowId, seqs] of this.#waiting) if (seqs.size > 0) counts.set(flowId, seqs.size)
    for (const { flowId, dueAt } of this.#aside.values()) {
      if (dueAt !== null) counts.set(flowId, (counts.get(flowId) ?? 0) + 1)
    }
    return counts
  }

  /** Of a flow and not parked, oldest first, after this number. */
  waiting(flowId: string, after: number, limit: number): number[] {
    return this.#waiting.get(flowId)?.after(after, limit) ?? []
  }

  /** All that are open below this number, newest first. */
  below(number: number): number[] {
    const all = [...this.#fresh.after(0, Number.POSITIVE_INFINITY), ...this.#aside.keys()]
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
      const flowId = this.#flowOf(oldest)
      this.#setAside({ seq: oldest, flowId }, null)
    }
  }

  #flowOf(seq: number): string {
    for (const [flowId, seqs] of this.#waiting) if (seqs.has(seq)) return flowId
    throw new Error(`the open run ${seq} belongs to no flow`)
  }

  #setAside({ seq, flowId }: RunRef, dueAt: number | null): void {
    const before = this.#aside.get(seq)
    const wasFresh = this.#fresh.has(seq)
    const wasWaiting = this.#waiting.get(flowId)?.has(seq) === true
    this.#putAside.run(seq, flowId, dueAt)
    this.#fresh.delete(seq)
    this.#aside.set(seq, { flowId, dueAt })
    if (dueAt === null) this.#waitingOf(flowId).add(seq)
    else this.#waiting.get(flowId)?.delete(seq)
    this.#undo.push(() => {
      this.#forget(seq, flowId)
      if (before !== undefined) this.#aside.set(seq, before)
      if (wasFresh) this.#fresh.add(seq)
      if (wasWaiting) this.#waitingOf(flowId).add(seq)
    })
  }

  #forget(seq: number, flowId: string): void {
    this.#fresh.delete(seq)
    this.#aside.delete(seq)
    const waiting = this.#waiting.get(flowId)
    waiting?.delete(seq)
    if (waiting?.size === 0) this.#waiting.delete(flowId)
  }

  #waitingOf(flowId: string): OrderedNumbers {
    let waiting = this.#waiting.get(flowId)
    if (waiting === undefined) {
      waiting = new OrderedNumbers()
      this.#waiting.set(flowId, waiting)
    }
    return waiting
  }

  #load(): void {
    const aside = this.#db.prepare('SELECT seq, flow_id, due_at FROM queue').all() as unknown as {
      seq: number
      flow_id: string
      due_at: number | null
    }[]
    for (const { seq, flow_id: flowId, due_at: dueAt } of aside) {
      this.#aside.set(seq, { flowId, dueAt })
      if (dueAt === null) this.#waitingOf(flowId).add(seq)
    }
    const fresh = this.#db.prepare(
      `SELECT seq, ${flowIdOf('r')} FROM runs r WHERE seq >= ? AND NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.seq = r.seq)`
    )
    for (const row of fresh.iterate(this.#savedMark)) {
      const { seq, flow_id: flowId } = row as unknown as { seq: number; flow_id: string }
      this.#newest = Math.max(this.#newest, seq)
      if (this.#aside.has(seq)) continue
      this.#fresh.add(seq)
      this.#waitingOf(flowId).add(seq)
    }
  }
}

/**
 * A set of numbers that is read in ascending order. They come in that order but for a few, so the set's own order is
 * the right one almost always, and it is put right when it is not.
 */
class OrderedNumbers {
  #numbers = new Set<number>()
  #largest = 0
  #isOrdered = true
  /** Goes on where the last look at the front ended: what is gone in front of it is not passed again. */
  #front: SetIterator<number> | undefined
  #first: number | undefined
  #page: { readonly last: number; readonly rest: SetIterator<number> } | undefined

  get size(): number {
    return this.#numbers.size
  }

  has(number: number): boolean {
    return this.#numbers.has(number)
  }

  add(number: number): void {
    if (this.#numbers.size === 0) this.#reset()
    if (number < this.#largest) this.#isOrdered = false
    else this.#largest = number
    this.#numbers.add(number)
  }

  delete(number: number): boolean {
    return this.#numbers.delete(number)
  }

  first(): number | undefined {
    this.#putInOrder()
    if (this.#numbers.size === 0) return undefined
    this.#front ??= this.#numbers.values()
    while (this.#first === undefined || !this.#numbers.has(this.#first)) {
      this.#first = this.#front.next().value
    }
    return this.#first
  }

  after(number: number, limit: number): number[] {
    this.#putInOrder()
    // Whoever reads page after page goes on where the last page ended.
    const rest = this.#page?.last === number ? this.#page.rest : this.#numbers.values()
    const found: number[] = []
    while (found.length < limit) {
      const { value, done } = rest.next()
      if (done === true) {
        this.#page = undefined
        return found
      }
      if (value > number) found.push(value)
    }
    this.#page = { last: found.at(-1) ?? number, rest }
    return found
  }

  #putInOrder(): void {
    if (this.#isOrdered) return
    this.#numbers = new Set([...this.#numbers].sort((a, b) => a - b))
    this.#front = undefined
    this.#first = undefined
    this.#page = undefined
    this.#isOrdered = true
  }

  #reset(): void {
    this.#numbers = new Set()
    this.#largest = 0
    this.#isOrdered = true
    this.#front = undefined
    this.#first = undefined
    this.#page = undefined
  }
}
