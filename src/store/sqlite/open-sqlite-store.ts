import { mkdirSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { MillraceError } from '../../errors.ts'
import type { Store } from '../store.ts'
import { BlockTimes } from './block-times.ts'
import { databasePath, prepareDatabaseFile } from './database-file.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { GroupCommit } from './group-commit.ts'
import { InternedNames } from './interned-names.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { OpenRuns } from './open-runs.ts'
import { ReadTurns } from './read-turns.ts'
import { createRunRowBuffers } from './run-row-buffers.ts'
import { createContextStore } from './sqlite-context-store.ts'
import { createFlowStore } from './sqlite-flow-store.ts'
import { createKeyStore } from './sqlite-key-store.ts'
import { createMessageStore } from './sqlite-message-store.ts'
import { createRunStore } from './sqlite-run-store.ts'
import { createSignInStore } from './sqlite-sign-in-store.ts'
import { StoredCounter } from './stored-counter.ts'
import { countUncleanEnds, endClean } from './unclean-ends.ts'
import { storeUnwritable } from './unwritable.ts'

export interface SqliteStoreOptions {
  /** Made when it is missing. Holds the database and its lock. */
  readonly folder: string
  /** Called once for every batch that the disk refused. */
  readonly onUnwritable?: (error: MillraceError) => void
  /** Called after every commit, with the number of writes in it and the time it took. */
  readonly onBatch?: (size: number, seconds: number) => void
}

/** Opens the embedded store. Rejects with `store_locked`, `store_too_new` or `store_unwritable`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { folder } = options
  let lock: FolderLock | undefined
  let db: DatabaseSync | undefined
  try {
    // Bodies of webhooks are in there: for the owner's eyes only.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    lock = lockFolder(folder)
    prepareDatabaseFile(folder)
    db = openDatabase(databasePath(folder))
    const isNew = migrate(db, readMigrations(), folder)
    return assemble({ db, lock, isNew, options })
  } catch (error) {
    db?.close()
    lock?.release()
    throw error instanceof MillraceError ? error : storeUnwritable(folder, error)
  }
}

interface Opened {
  readonly db: DatabaseSync
  readonly lock: FolderLock
  readonly isNew: boolean
  readonly options: SqliteStoreOptions
}

function assemble({ db, lock, isNew, options }: Opened): Store {
  const { folder, onBatch, onUnwritable } = options
  const uncleanEnds = countUncleanEnds(db)
  const numbers = new StoredCounter(db, 'last_number')
  const ended = new StoredCounter(db, 'ended_runs')
  const blockTimes = new BlockTimes(db)
  const open = new OpenRuns(db)
  const names = new InternedNames(db)
  const rows = createRunRowBuffers(db)
  const turns = new ReadTurns()
  const members = [numbers, ended, blockTimes, open, names, ...Object.values(rows)]
  const commit = new GroupCommit({ db, folder, members, onBatch, onUnwritable })

  return {
    kind: 'embedded',
    isNew,
    uncleanEnds,
    flows: createFlowStore(db, commit),
    runs: createRunStore({ db, commit, numbers, ended, blockTimes, open, names, rows, turns }),
    messages: createMessageStore(db, turns),
    keys: createKeyStore(db, commit),
    signIns: createSignInStore(db, commit),
    contexts: createContextStore(db, commit),
    probe: prepareProbe(db, commit, folder),
    async close() {
      if (!db.isOpen) return
      commit.close()
      endClean(db)
      db.close()
      lock.release()
    }
  }
}

/**
 * A database file that was deleted or replaced under a running process still takes every write, into nowhere.
 * No statement would notice; the probe does.
 */
function prepareProbe(db: DatabaseSync, commit: GroupCommit, folder: string): () => Promise<void> {
  const write = db.prepare("UPDATE meta SET value = value + 1 WHERE name = 'probes'")
  const path = databasePath(folder)
  const opened = fileIdentity(path)
  return () =>
    commit.write(() => {
      if (fileIdentity(path) !== opened) {
        throw new MillraceError(
          'store_unwritable',
          `The database file ${path} was moved or deleted while Millrace was running. ` +
            'Put it back if it still exists, and start Millrace again.',
          { publicMessage: 'The database file was moved or deleted while Millrace was running.' }
        )
      }
      write.run()
    })
}

function fileIdentity(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
