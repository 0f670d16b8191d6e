import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { MillraceError } from '../../../errors.ts'
import { GatherTime } from './gather-time.ts'
import { doWrite, settle, type Write } from './queued-write.ts'
import { type StoreTiming, SYSTEM_TIMING } from './store-timing.ts'
import { isStoreFault, storeClosed, storeUnwritable } from './unwritable.ts'

/** Something in memory that follows the database: it is written with a batch, and goes back with it. */
export interface BatchMember {
  /** Remembers what is in memory; the function that it returns puts it back. */
  snapshot(): () => void
  /** Writes what must fail together with the write that it came from, when writes are done apart. */
  flush?(): void
  /** Writes what was gathered in the batch, in the same transaction, just before the commit. */
  save(): void
  /** The batch is committed: nothing of it will be put back. */
  committed?(): void
}

export interface GroupCommitOptions {
  readonly db: DatabaseSync
  /** For messages. */
  readonly folder: string
  readonly members: readonly BatchMember[]
  /** Why nothing may be written now, whatever SQLite would say. Asked before every batch. */
  readonly refusal?: () => MillraceError | undefined
  readonly onUnwritable?: ((error: MillraceError) => void) | undefined
  readonly onBatch?: ((size: number, seconds: number) => void) | undefined
  /** How long writes that can wait do so. */
  readonly gatherTime?: Pick<GatherTime, 'waitMs' | 'committed'>
  readonly timing?: Partial<StoreTiming>
}

/** Bounds the time for which one flush holds the event loop: 15 to 20 ms for plain runs, little of which is the sync. */
const maxBatch = 1000

/**
 * With writes that cost more than those of plain runs, as when runs that waited are taken up and end, fewer: when those
 * that are done took so long, what is left waits for the next batch.
 */
const maxWritesMs = 8
/** Looked at after so many writes. */
const lookAfter = 16

/** With payloads and outputs of megabytes, fewer: about 20 ms on a disk of 200 MB a second. */
const maxBatchBytes = 4 * 1024 * 1024

/** So many are a batch that is worth its sync: they wait for no others. */
const ENOUGH = 64

/**
 * All writes of one tick share one transaction and one sync. A transaction per write was measured at a third
 * of the throughput; a timer that gathers for 1 or 2 ms gains nothing for requests and delays every answer at low
 * load. Writes whose callers say that they can wait do so where commits take much of the time: see GatherTime. Any
 * other write takes along those that came before it.
 *
 * Rules
 * 1. Writes are done in the order in which they were handed in, and settled in that order after the commit.
 * 2. A write decides before it writes. When it throws a MillraceError it has written nothing: it alone
 *    rejects.
 * 3. When the store itself fails (disk full, I/O error, read-only …) the whole batch is rolled back and every
 *    write in it rejects with `store_unwritable`. The next batch tries anew, so the store recovers by itself.
 * 4. Any other error is a fault of that one write (a value SQLite cannot take, an id that exists): the batch
 *    is rolled back and done again with a savepoint around each write, and only the faulty one rejects, with
 *    the error as it is. A write may therefore be done twice. Savepoints around all would cost each 1.5 µs.
 * 5. What is kept in memory about the database goes back with every rollback: see BatchMember.
 *
 * Failure window: when the sync of a commit fails, its pages may still reach the disk, and after a crash the
 * rejected batch may be there. Nobody was told that it is, so nothing is lost; a sender may come twice.
 */
export class GroupCommit {
  readonly #db: DatabaseSync
  readonly #options: GroupCommitOptions
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #stopwatch: () => number
  readonly #timing: StoreTiming
  #queued: Write[] = []
  #queuedBytes = 0
  #scheduled = false
  /** What the last commit took. */
  #lastMs = 0
  #closed = false
  readonly #gatherTime: Pick<GatherTime, 'waitMs' | 'committed'>
  /** While what waits is put off. */
  #gathering: { readonly timer: { stop(): void }; readonly idleMs: number; readonly size: number } | undefined

  constructor(options: GroupCommitOptions) {
    this.#db = options.db
    this.#options = options
    this.#timing = { ...SYSTEM_TIMING, ...options.timing }
    this.#stopwatch = this.#timing.stopwatch
    this.#gatherTime = options.gatherTime ?? new GatherTime(this.#stopwatch())
    this.#begin = options.db.prepare('BEGIN IMMEDIATE')
    this.#commit = options.db.prepare('COMMIT')
  }

  /**
   * `bytes`: about how much it writes, where that may be much. What an op leaves to later writes it may return a promise of:
   * once the batch is committed, its caller waits for that.
   */
  write<T>(op: () => T, bytes = 0): Promise<Awaited<T>> {
    return this.#write(op, bytes, () => this.#schedule())
  }

  /** For what nobody outside waits for: it may be committed a little later, with others. */
  writeSoon<T>(op: () => T, bytes = 0): Promise<Awaited<T>> {
    return this.#write(op, bytes, () => this.#gather())
  }

  /** Commits what waits and takes nothing more. */
  close(): void {
    this.#closed = true
    this.#gathering?.timer.stop()
    while (this.#queued.length > 0) this.#flush()
  }

  #write<T>(op: () => T, bytes: number, schedule: () => void): Promise<Awaited<T>> {
    if (this.#closed) return Promise.reject(storeClosed(this.#options.folder))
    return new Promise((resolve, reject) => {
      const settle = resolve as (value: unknown) => void
      this.#queuedBytes += bytes
      this.#queued.push({ op, bytes, resolve: settle, reject, refused: false, result: undefined })
      schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#flushOnce(0, this.#stopwatch())
  }

  /**
   * Once a turn of the loop brings nothing more. It takes one new connection in each: of callers that come on connections of their own,
   * thousands at a time, each had a sync to itself.
   */
  #flushOnce(seen: number, since: number): void {
    this.#timing.soon(() => {
      const { length } = this.#queued
      const mayPay = length < ENOUGH && this.#stopwatch() - since < this.#lastMs
      if (length > seen && mayPay) return this.#flushOnce(length, since)
      this.#scheduled = false
      if (length > 0) this.#flush()
    })
  }

  #gather(): void {
    if (this.#scheduled) return
    if (this.#queued.length >= ENOUGH) return this.#schedule()
    if (this.#gathering !== undefined) return
    const wait = this.#gatherTime.waitMs(this.#stopwatch())
    if (wait === 0) return this.#schedule()
    const timer = this.#timing.startTimer(wait, () => this.#schedule())
    this.#gathering = { timer, idleMs: this.#timing.idleMs(), size: this.#queued.length }
  }

  #flush(): void {
    const batch = this.#takeBatch()
    const started = this.#stopwatch()
    const failure = this.#commitBatch(batch)
    const ended = this.#stopwatch()
    this.#counted(batch.length, ended - started, ended)
    // The next batch is on its way before anybody is told of this one, whatever the listeners do.
    if (this.#queued.length > 0) this.#schedule()
    if (failure === undefined) {
      for (const write of batch) settle(write)
      this.#options.onBatch?.(batch.length, (ended - started) / 1000)
    } else {
      for (const write of batch) write.reject(failure)
      this.#options.onUnwritable?.(failure)
    }
  }

  #counted(size: number, ms: number, now: number): void {
    this.#lastMs = ms
    const gathering = this.#gathering
    this.#gathering = undefined
    gathering?.timer.stop()
    this.#gatherTime.committed(now, {
      ms,
      wasPutOff: gathering !== undefined,
      idleMs: gathering === undefined ? 0 : this.#timing.idleMs() - gathering.idleMs,
      joined: size - (gathering?.size ?? size)
    })
  }

  #takeBatch(): Write[] {
    const count = this.#batchSize()
    const batch = count < this.#queued.length ? this.#queued.splice(0, count) : this.#queued
    if (batch === this.#queued) {
      this.#queued = []
      this.#queuedBytes = 0
    } else for (const { bytes } of batch) this.#queuedBytes -= bytes
    return batch
  }

  /** At least one: what is larger than a batch is one by itself. */
  #batchSize(): number {
    if (this.#queuedBytes <= maxBatchBytes) return maxBatch
    let bytes = 0
    let count = 0
    for (; count < maxBatch && bytes <= maxBatchBytes; count++)
      bytes += this.#queued[count]?.bytes ?? maxBatchBytes
    return Math.max(1, bytes > maxBatchBytes ? count - 1 : count)
  }

  /** Returns why nothing of the batch was kept, or undefined when it was committed. */
  #commitBatch(batch: Write[]): MillraceError | undefined {
    const refusal = this.#options.refusal?.()
    if (refusal !== undefined) return refusal
    const restore = this.#snapshot()
    let error = this.#attempt(batch, doWrite)
    if (error !== undefined && !isStoreFault(error)) {
      restore()
      error = this.#attempt(batch, (write) => this.#runApart(write))
    }
    if (error === undefined) return undefined
    restore()
    return storeUnwritable(this.#options.folder, error)
  }

  #attempt(batch: Write[], runWrite: (write: Write) => void): unknown {
    try {
      this.#rollBack()
      this.#begin.run()
      this.#runInTime(batch, runWrite)
      for (const member of this.#options.members) member.save()
      this.#commit.run()
      for (const member of this.#options.members) member.committed?.()
      return undefined
    } catch (error) {
      this.#rollBack()
      return error
    }
  }

  /** What there is no time for goes back to the front of the line: nothing of it has been done. */
  #runInTime(batch: Write[], runWrite: (write: Write) => void): void {
    const until = this.#stopwatch() + maxWritesMs
    for (let done = 0; done < batch.length; ) {
      runWrite(batch[done++]!)
      if (done % lookAfter === 0 && done < batch.length && this.#stopwatch() >= until) {
        const left = batch.splice(done)
        this.#queued = [...left, ...this.#queued]
        for (const { bytes } of left) this.#queuedBytes += bytes
        return
      }
    }
  }

  /** Rule 4: a faulty write is undone by itself. */
  #runApart(write: Write): void {
    const restore = this.#snapshot()
    this.#db.exec('SAVEPOINT one_write')
    try {
      doWrite(write)
      for (const member of this.#options.members) member.flush?.()
    } catch (error) {
      if (isStoreFault(error)) throw error
      this.#db.exec('ROLLBACK TO one_write')
      restore()
      write.refused = true
      write.result = error
    }
    this.#db.exec('RELEASE one_write')
  }

  /**
   * SQLite ends the transaction by itself after some errors, and then ROLLBACK is an error of its own. When
   * rolling back fails too, the transaction stays open and the next attempt begins with this again.
   */
  #rollBack(): void {
    if (!this.#db.isTransaction) return
    try {
      this.#db.exec('ROLLBACK')
    } catch {
      // The first error is the one to report.
    }
  }

  #snapshot(): () => void {
    const restores = this.#options.members.map((member) => member.snapshot())
    return () => {
      for (const restore of restores) restore()
    }
  }
}
