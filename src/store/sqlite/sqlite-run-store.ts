import type { DatabaseSync } from 'node:sqlite'
import { keepFiles } from '../library/file-store.ts'
import type { NewRun, RunStore } from '../store.ts'
import type { GroupCommit } from './file/group-commit.ts'
import type { InternedNames } from './file/interned-names.ts'
import { prepareReleases } from './file/releases.ts'
import type { StoredCounter } from './file/stored-counter.ts'
import { runSteps, sqliteDialect } from './library/sqlite-library.ts'
import { prepareOpenOf } from './open-of-flow.ts'
import { prepareAcceptEvent } from './runs/accept-event.ts'
import { prepareAcceptOnce, prepareForgetDeliveries } from './runs/accept-once.ts'
import { prepareAccept } from './runs/accept-run.ts'
import type { BlockTimes } from './runs/block-times.ts'
import { prepareChildRows } from './runs/children/child-rows.ts'
import { prepareChildren } from './runs/children/children.ts'
import { prepareFamilyEnds } from './runs/children/family-ends.ts'
import { prepareReadChildren } from './runs/children/read-children.ts'
import { prepareSiblings } from './runs/children/siblings.ts'
import { prepareEnd, prepareOutcomeRows } from './runs/end-run.ts'
import { prepareFailures } from './runs/failed-runs.ts'

import { prepareDeadlyNodes, prepareHungSteps } from './runs/hung-steps.ts'
import { prepareJournal } from './runs/journal-run.ts'
import { prepareLatestOutput } from './runs/latest-output.ts'
import { prepareList } from './runs/list-runs.ts'
import { prepareLongValues } from './runs/long-values.ts'
import type { OpenRuns } from './runs/open-runs.ts'
import { prepareCountPaused } from './runs/paused-runs.ts'
import { preparePrint } from './runs/print-messages.ts'
import { BEGINNING, preparePrune } from './runs/prune-runs.ts'
import { prepareQueue } from './runs/queued-runs.ts'
import { prepareRead } from './runs/read-run.ts'
import type { ReadTurns } from './runs/read-turns.ts'
import { prepareRecent } from './runs/recent-runs.ts'
import { prepareChanges } from './runs/run-changes.ts'
import type { RunRowBuffers } from './runs/run-row-buffers.ts'
import { prepareStats } from './runs/run-stats.ts'
import { prepareTests } from './runs/test-runs.ts'
import { prepareReadWaits } from './runs/waits/list-waits.ts'
import { prepareWaitRows } from './runs/waits/wait-rows.ts'
import { prepareWaits } from './runs/waits/waits.ts'

interface RunStoreParts {
  readonly db: DatabaseSync
  readonly commit: GroupCommit
  readonly numbers: StoredCounter
  readonly ended: StoredCounter
  readonly blockTimes: BlockTimes
  readonly open: OpenRuns
  readonly names: InternedNames
  readonly rows: RunRowBuffers
  readonly turns: ReadTurns
  readonly stopwatch: () => number
}

/** Puts the query families together: writes go through the group commit, reads are done at once. */
export function createRunStore(given: RunStoreParts): RunStore {
  const parts = { ...given, keepFiles: prepareKeepFiles(given.db) }
  const { db, commit, numbers, ended, blockTimes, open, names, turns } = parts
  const accept = prepareAccept(parts)
  const acceptOnce = prepareAcceptOnce(db, accept)
  const acceptEvent = prepareAcceptEvent(db, accept)
  const tests = prepareTests(db, parts)
  const forgetDeliveries = prepareForgetDeliveries(db)
  const waitRows = prepareWaitRows(db)
  const childRows = prepareChildRows(db, parts)
  const print = preparePrint(db, parts)
  const outcomeRows = prepareOutcomeRows(db, { ...parts, print })
  const siblings = prepareSiblings(db, open, names)
  const releases = prepareReleases(db, commit)
  const familyEnds = prepareFamilyEnds(db, { waitRows, siblings, releases })
  const end = prepareEnd({ ...parts, outcomeRows, familyEnds })
  const journal = prepareJournal(db, { ...parts, waitRows, childRows, print })
  const children = prepareChildren(db, { open, journal, childRows, siblings, releases, outcomeRows })
  const childReader = prepareReadChildren(db, turns)
  const openOf = prepareOpenOf(db, open)
  const waits = prepareWaits(db, { ...parts, journal, print })
  const waitReader = prepareReadWaits(db)
  const hungSteps = prepareHungSteps(db)
  const deadlyNodes = prepareDeadlyNodes(db)
  const longValues = prepareLongValues(db, open)
  const prune = preparePrune(db, ended, blockTimes)
  const countPaused = prepareCountPaused(db)
  const reader = prepareRead(db, open)
  const queue = prepareQueue(db, open)
  const changes = prepareChanges(db, turns)
  const failures = prepareFailures(db)
  const latestOutput = prepareLatestOutput(db, () => numbers.value, turns)

  return {
    accept: (run) => commit.write(() => accept(run), run.input.byteLength),
    acceptTest: (run, document, scope) =>
      commit.write(() => tests.accept(run, document, scope), run.input.byteLength),
    testDocument: async (seq) => tests.document(seq),
    testScope: async (seq) => tests.scope(seq),
    acceptOnce: (run, deliveries) => commit.write(() => acceptOnce(run, deliveries), run.input.byteLength),
    acceptEvent: (run, event) => commit.write(() => acceptEvent(run, event), run.input.byteLength),
    checkpoint: (run, entry, printed) =>
      run.isAwaited === true
        ? commit.write(() => journal.checkpoint(run, entry, printed), entry.length)
        : commit.writeSoon(() => journal.checkpoint(run, entry, printed), entry.length),
    park: (run, entry, dueAt, awaits, printed) =>
      commit.write(() => journal.park(run, entry, dueAt, awaits, printed), entry.length),
    forgetEntries: (run, entries) => commit.write(() => journal.forget(run, entries)),
    openWait: (run, entry, wait, printed) =>
      commit.write(() => waits.openWait(run, entry, wait, printed), entry.length),
    wake: (wake) => commit.write(() => waits.wake(wake), wake.entry.length),
    closeWait: (run, node, at) => commit.write(() => waits.closeWait(run, node, at)),
    waitById: async (id) => waitReader.byId(id),
    listWaits: async (filter) => waitReader.list(filter),
    startChildren: (parent, node, added, rules) =>
      commit.write(() => children.start(parent, node, added, rules), bytesOf(added)),
    recordChildren: (parent, node, executed) =>
      commit.write(
        () => children.record(parent, node, executed),
        bytesOf(executed.map(({ child }) => child))
      ),
    startDetached: (parent, child) =>
      commit.write(() => children.startDetached(parent, child), bytesOf([child])),
    reopenChildren: (parent, node, reopened, rules) =>
      commit.write(() => children.reopen(parent, node, reopened, rules)),
    dropChildren: (parent, node) => commit.write(() => children.drop(parent, node)),
    isOrphaned: async (seq) => childReader.isOrphaned(seq),
    children: async (...question) => childReader.children(...question),
    lastChild: async (parentSeq, node) => childReader.lastChild(parentSeq, node),
    countChildren: childReader.countChildren,
    usageBelow: childReader.usageBelow,
    orphanedBelow: childReader.orphanedBelow,
    openBelow: childReader.openBelow,
    openOf: async (flowId, limit) => openOf(flowId, limit),
    openChildVersions: childReader.openChildVersions,
    end: (run, outcome) =>
      run.isAwaited === true
        ? commit.write(() => end(run, outcome), outcome.steps.length)
        : commit.writeSoon(() => end(run, outcome), outcome.steps.length),
    readToEnd: async (id) => reader.toEnd(id),
    endAsRead: (run, outcome) =>
      commit.writeSoon(
        () => (reader.lastEntry(run.seq) === run.lastEntry ? end(run, outcome) : null),
        outcome.steps.length
      ),
    keepPiece: (run, piece) => commit.write(() => longValues.keep(run, piece), piece.bytes.byteLength),
    readPiece: async (seq, name, piece) => longValues.read(seq, name, piece),
    hungSteps: async (seq) => hungSteps(seq),
    noteCrash: (step, at) => commit.write(() => deadlyNodes.note(step, at)),
    deadlyNodes: async () => deadlyNodes.read(),
    reopen: (run, entry, only) => commit.write(() => journal.reopen(run, entry, only)),

    backlog: async () => open.counts(),
    countPaused: async (flowIds) => countPaused(flowIds),
    queued: async (flowId, after, limit) => queue.queued(flowId, after, limit),
    takeDue: (flowId, now, limit) => commit.write(() => queue.takeDue(flowId, now, limit)),
    flowsDue: async (now) => queue.flowsDue(now),
    nextDue: async (after) => queue.nextDue(after),

    get: async (id) => reader.byId(id),
    first: async (seqs, bytes) => reader.first(seqs, bytes),
    list: prepareList(db, parts),
    recent: prepareRecent(db, () => numbers.value, turns),
    stats: prepareStats(db, blockTimes, turns),
    changes: changes.read,
    countChanges: changes.count,
    lastChange: async () => numbers.value,
    ...failures,
    latestWithOutput: async (flowId, node) => {
      const seq = await latestOutput(flowId, node)
      return seq === undefined ? undefined : reader.bySeq(seq)
    },
    async prune(rule) {
      let state = BEGINNING
      while (state.by !== 'done') state = await commit.write(() => prune.slice(rule, state))
      return state.gone
    },
    deleteEnded: async (seqs) => {
      for (const seq of seqs) while (!(await commit.write(() => prune.deleteOne(seq))));
    },
    forgetDeliveries: (acceptedBefore, slice) => commit.write(() => forgetDeliveries(acceptedBefore, slice))
  }
}

/** To be called inside a batch. */
function prepareKeepFiles(db: DatabaseSync): (seq: number, run: NewRun) => void {
  const run = runSteps(db)
  return (seq, { flowId, createdAt: at, files = [], uses = [] }) =>
    run(keepFiles(sqliteDialect, [{ run: { seq, flowId }, files, uses, at }]))
}

function bytesOf(runs: readonly NewRun[]): number {
  return runs.reduce((sum, { input }) => sum + input.byteLength, 0)
}
