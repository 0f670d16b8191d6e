import type { MillraceError } from '../../errors.ts'
import type { Acceptance, AcceptedRun, NewRun, RunStore } from '../store.ts'
import { BatchWriter } from './database/batch-writer.ts'
import type { Database } from './database/database.ts'
import type { News } from './database/news.ts'
import type { Timing } from './database/timing.ts'
import type { JobQueues } from './queue/job-queues.ts'
import { countPaused } from './queue/paused-jobs.ts'
import { acceptEvent } from './runs/accept-event.ts'
import { type Arrival, acceptOnce, forgetDeliveries, kindOfArrival } from './runs/accept-once.ts'
import { acceptPausedRuns, acceptRuns } from './runs/accept-runs.ts'
import { settledNumber } from './runs/change-numbers.ts'
import { createChildStore } from './runs/children/postgres-child-store.ts'
import { lastFailureBefore, readFailures } from './runs/failed-runs.ts'
import { acceptWithFiles, namesFiles } from './runs/file-rows.ts'
import { noteCrash, readDeadlyNodes, readHungSteps } from './runs/hung-steps.ts'
import { forgetEntries } from './runs/journal-runs.ts'
import { listRuns } from './runs/list-runs.ts'
import { keepPiece, readPiece } from './runs/long-values.ts'
import { backlog, flowsDue, nextDue, queuedRuns, takeDue } from './runs/open-runs.ts'
import { createPrune, deleteEnded } from './runs/prune-runs.ts'
import { latestWithOutput, readFirst, readRun, readToEnd, recentRuns } from './runs/read-runs.ts'
import { countChanges, readChanges } from './runs/run-changes.ts'
import { progressWriter } from './runs/run-progress.ts'
import type { RunQueueParts } from './runs/run-queue.ts'
import { createStats } from './runs/run-stats.ts'
import { acceptTest, testDocument, testScope } from './runs/test-runs.ts'
import { closeWait, listWaits, waitById } from './runs/waits/waits.ts'
import { wakeRun } from './runs/wake-run.ts'

interface RunStoreParts {
  readonly db: Database
  readonly queues: JobQueues
  readonly timing?: Timing
  readonly onUnwritable?: ((error: MillraceError) => void) | undefined
  readonly onBatch?: ((size: number, seconds: number) => void) | undefined
  /** What writes of runs mean for others: whoever executes those should know soon. */
  readonly onNews: (news: News) => void
}

interface PostgresRunStore {
  readonly store: RunStore
  readonly giveBackInTurn: RunQueueParts['giveBackInTurn']
  /** Resolves when all that was handed in is settled. */
  close(): Promise<void>
}

/**
 * While one batch waits for its sync the next one is worked on: with a single one on its way, either this process or
 * the database has nothing to do.
 */
const ACCEPTING_AT_ONCE = 2

/** Puts the query families together: the hot writes go in batches, accepting beside all the others. */
export function createRunStore({
  db,
  queues,
  timing,
  onUnwritable,
  onBatch,
  onNews
}: RunStoreParts): PostgresRunStore {
  const { query, place } = db
  const accepting = new BatchWriter<NewRun, AcceptedRun>({
    place,
    timing,
    onUnwritable,
    onBatch,
    bytesOf: bytesOfRun,
    atOnce: ACCEPTING_AT_ONCE,
    commit: (runs) =>
      queues.with(
        runs.map((run) => run.flowId),
        () => acceptRuns(db, runs)
      )
  })
  // By themselves too: those of flows that go on pay nothing for those that are paused.
  const acceptingPaused = new BatchWriter<NewRun, AcceptedRun>({
    place,
    timing,
    onUnwritable,
    onBatch,
    bytesOf: bytesOfRun,
    commit: (runs) =>
      queues.with(
        runs.map((run) => run.flowId),
        () => acceptPausedRuns(db, runs)
      )
  })
  // By themselves: what carries no name of a delivery pays nothing for those that do.
  const acceptingOnce = new BatchWriter<Arrival, Acceptance>({
    place,
    timing,
    onUnwritable,
    onBatch,
    kindOf: kindOfArrival,
    bytesOf: ({ run }) => bytesOfRun(run),
    commit: (arrivals) =>
      queues.with(
        arrivals.map(({ run }) => run.flowId),
        () => acceptOnce(db, arrivals)
      )
  })
  // By themselves: what names no file pays nothing for what does.
  const acceptingFiles = new BatchWriter<NewRun, AcceptedRun>({
    place,
    timing,
    onUnwritable,
    onBatch,
    kindOf: (run) => run.whilePaused,
    bytesOf: bytesOfRun,
    commit: (runs) =>
      queues.with(
        runs.map((run) => run.flowId),
        () => acceptWithFiles(db, runs)
      )
  })
  const progress = progressWriter({ db, queues, place, timing, onUnwritable, onBatch, onNews })

  return {
    store: {
      accept(run) {
        if (namesFiles(run)) return acceptingFiles.write(run)
        return (run.whilePaused === 'hold' ? acceptingPaused : accepting).write(run)
      },
      acceptTest: (run, ...test) =>
        db.told(() => queues.with([run.flowId], () => acceptTest(db, run, ...test))),
      testDocument: (seq) => testDocument(query, seq),
      testScope: (seq) => testScope(query, seq),
      acceptOnce: (run, deliveries) => acceptingOnce.write({ run, deliveries }),
      acceptEvent: (run, event) =>
        db.told(() => queues.with([run.flowId], () => acceptEvent(db, run, event))),
      checkpoint: (run, text, printed = []) => progress.write({ kind: 'journal', run, text, printed }),
      park: (run, text, dueAt, awaits = [], printed = []) =>
        progress.write({ kind: 'park', run, text, dueAt, awaits, printed }),
      forgetEntries: (run, entries) => db.told(() => forgetEntries(db, run, entries)),
      ...createChildStore({ db, queues, onNews }),
      openWait: (run, text, wait, printed = []) =>
        progress.write({ kind: 'open-wait', run, text, wait, printed }),
      async wake(wake) {
        const { result, isDue } = await wakeRun(db, wake)
        if (isDue) onNews({ work: [wake.run.flowId], cancel: [] })
        return result
      },
      closeWait: (run, node, at) => closeWait(db, run, node, at),
      waitById: (id) => waitById(query, id),
      listWaits: (filter) => listWaits(query, filter),
      end: (run, outcome) => progress.write({ kind: run.isTied ? 'end-tied' : 'end', run, outcome }),
      readToEnd: (id) => readToEnd(query, id),
      endAsRead: ({ seq, flowId, lastEntry, claimedUnder }, outcome) => {
        const asRead = { lastEntry, ...(claimedUnder !== undefined && { claimedUnder }) }
        return progress.write({ kind: 'end-tied', run: { seq, flowId }, outcome, asRead })
      },
      keepPiece: (run, piece) => keepPiece(db, run, piece),
      readPiece: (seq, name, piece) => readPiece(query, seq, name, piece),
      hungSteps: (seq) => readHungSteps(query, seq),
      noteCrash: (step, at) => db.told(() => noteCrash(db, step, at)),
      deadlyNodes: () => readDeadlyNodes(query),
      reopen: (run, text, only) => progress.write({ kind: 'reopen', run, text, only }),

      backlog: () => backlog(query),
      countPaused: (flowIds) => countPaused(query, flowIds),
      queued: (flowId, after, limit) => queuedRuns(query, flowId, after, limit),
      takeDue: (flowId, now, limit) => takeDue(db, flowId, now, limit),
      flowsDue: (now) => flowsDue(query, now),
      nextDue: (after) => nextDue(query, after),

      get: (id) => readRun(query, id),
      first: (seqs, bytes) => readFirst(query, seqs, bytes),
      list: (filter) => listRuns(query, filter),
      recent: (flowIds, limit) => recentRuns(query, flowIds, limit),
      stats: createStats(query),
      changes: (flowIds, after, limit) => readChanges(query, flowIds, after, limit),
      countChanges: (flowIds, after, most) => countChanges(query, flowIds, after, most),
      lastChange: () => settledNumber(query),
      failures: (after, limit) => readFailures(query, after, limit),
      lastFailureBefore: (at) => lastFailureBefore(query, at),
      latestWithOutput: (flowId, node) => latestWithOutput(query, flowId, node),
      prune: createPrune(db),
      deleteEnded: (seqs) => deleteEnded(db, seqs),
      forgetDeliveries: (acceptedBefore, slice) => forgetDeliveries(query, acceptedBefore, slice)
    },
    giveBackInTurn: (run) => progress.write({ kind: 'give-back', run }),
    async close() {
      const writers = [accepting, acceptingPaused, acceptingOnce, acceptingFiles, progress]
      await Promise.all(writers.map((writer) => writer.close()))
    }
  }
}

function bytesOfRun({ input, request }: NewRun): number {
  return input.byteLength + (request?.length ?? 0)
}
