import type { DatabaseSync } from 'node:sqlite'
import { MillraceError } from '../../errors.ts'
import type { EmbeddedStore } from '../embedded-store.ts'
import { createLibraryStores } from '../library/library-stores.ts'
import { SharedProbe } from '../shared-probe.ts'
import { databasePath, prepareDatabaseFile } from './file/database-file.ts'
import { type FolderLock, lockFolder } from './file/folder-lock.ts'
import { GroupCommit } from './file/group-commit.ts'
import { InternedNames } from './file/interned-names.ts'
import { preparingLate } from './file/late-statements.ts'
import { makeFolder } from './file/make-folder.ts'
import { migrate, readMigrations, versionOf } from './file/migrate.ts'
import { openDatabase } from './file/open-database.ts'
import { finishReleases } from './file/releases.ts'
import { StoreCondition, withJudgedErrors, withJudgedFamilies } from './file/store-condition.ts'
import { type StoreTiming, SYSTEM_TIMING } from './file/store-timing.ts'
import { StoredCounter } from './file/stored-counter.ts'
import { countUncleanEnds, endClean, readUncleanEnds } from './file/unclean-ends.ts'
import { storeClosed, storeUnwritable } from './file/unwritable.ts'
import { changeValues } from './library/change-kept.ts'
import { boundExpiries } from './library/latest-expiries.ts'
import { runsOfFlow } from './library/pause-runs.ts'
import { createSqliteLibrary } from './library/sqlite-library.ts'
import { BlockTimes } from './runs/block-times.ts'
import { OpenRuns } from './runs/open-runs.ts'
import { ReadTurns } from './runs/read-turns.ts'
import { createRunRowBuffers } from './runs/run-row-buffers.ts'
import { createMessageStore } from './runs/sqlite-message-store.ts'
import { createRunStore } from './sqlite-run-store.ts'
import { findDamage } from './upkeep/find-damage.ts'

export interface SqliteStoreOptions {
  /** Made when it is missing. Holds the database and its lock. */
  readonly folder: string
  /** Called once for every batch that the disk refused. */
  readonly onUnwritable?: (error: MillraceError) => void
  /** Called after every commit, with the number of writes in it and the time it took. */
  readonly onBatch?: (size: number, seconds: number) => void
  /** What bounds the time of a batch, and when one is written. */
  readonly timing?: Partial<StoreTiming>
}

/** Opens the embedded store. Rejects with `store_locked`, `store_too_new` or `store_unwritable`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<EmbeddedStore> {
  const { folder } = options
  let lock: FolderLock | undefined
  let db: DatabaseSync | undefined
  try {
    // Bodies of webhooks are in there: for the owner's eyes only.
    makeFolder(folder)
    lock = lockFolder(folder)
    prepareDatabaseFile(folder)
    db = openDatabase(databasePath(folder))
    const condition = new StoreCondition(folder)
    const damage = findDamage(db, databasePath(folder), readUncleanEnds(db) > 0)
    if (damage !== undefined) condition.foundDamage(damage)
    const migrations = readMigrations()
    if (damage !== undefined && versionOf(db) < migrations.length) throw condition.refusal()
    const isNew = migrate(db, migrations, folder)
    return assemble({ db: preparingLate(db), lock, isNew, condition, options })
  } catch (error) {
    db?.close()
    lock?.release()
    throw error instanceof MillraceError ? error : storeUnwritable(folder, error)
  }
}

/** They go through the group commit, which tells what it fails with, and nothing may make them slower. */
const HOT_WRITES = ['accept', 'acceptOnce', 'acceptEvent', 'checkpoint', 'park', 'end', 'reopen'] as const

interface Opened {
  readonly db: DatabaseSync
  readonly lock: FolderLock
  readonly isNew: boolean
  readonly condition: StoreCondition
  readonly options: SqliteStoreOptions
}

function assemble({ db, lock, isNew, condition, options }: Opened): EmbeddedStore {
  const { folder } = options
  const timing = { ...SYSTEM_TIMING, ...options.timing }
  const isSound = condition.refusal() === undefined
  const uncleanEnds = isSound ? countUncleanEnds(db) : readUncleanEnds(db)
  if (isSound) {
    finishReleases(db)
    boundExpiries(db)
  }
  const numbers = new StoredCounter(db, 'last_number')
  const ended = new StoredCounter(db, 'ended_runs')
  const blockTimes = new BlockTimes(db)
  const open = new OpenRuns(db)
  const names = new InternedNames(db)
  const rows = createRunRowBuffers(db)
  const turns = new ReadTurns(timing.stopwatch, timing.soon)
  const members = [numbers, ended, blockTimes, open, names, ...Object.values(rows)]
  const onUnwritable = (error: MillraceError) => {
    condition.judge(error)
    probe.refused()
    options.onUnwritable?.(error)
  }
  const onBatch = (size: number, seconds: number) => {
    probe.wrote()
    options.onBatch?.(size, seconds)
  }
  const refusal = () => condition.refusal()
  const commit = new GroupCommit({ db, folder, members, refusal, onBatch, onUnwritable, timing })
  const touch = db.prepare("UPDATE meta SET value = value + 1 WHERE name = 'probes'")
  const probe = new SharedProbe({
    now: timing.stopwatch,
    write: () => commit.write(() => void touch.run()),
    refusal: () => (db.isOpen ? refusal() : storeClosed(folder))
  })
  const library = createSqliteLibrary(db, commit)
  const stores = createLibraryStores(library, {
    runsOfFlow: runsOfFlow(open),
    changeValues: changeValues(library)
  })
  const { stopwatch } = timing
  const runs = createRunStore({
    db,
    commit,
    numbers,
    ended,
    blockTimes,
    open,
    names,
    rows,
    turns,
    stopwatch
  })

  return {
    kind: 'embedded',
    isNew,
    uncleanEnds,
    openRuns: () => open.count,
    ...withJudgedFamilies(stores, condition),
    runs: withJudgedErrors(runs, condition, HOT_WRITES),
    messages: withJudgedErrors(createMessageStore(db, { turns, commit, rows }), condition),
    probe: () => probe.probe(),
    async close() {
      if (!db.isOpen) return
      commit.close()
      // Or the next start would not look for damage.
      if (condition.refusal() === undefined) endClean(db)
      db.close()
      lock.release()
    }
  }
}
