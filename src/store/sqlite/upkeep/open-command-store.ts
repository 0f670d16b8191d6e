import { existsSync } from 'node:fs'
import { MillraceError } from '../../../errors.ts'
import { createConnectionStore } from '../../library/connection-store.ts'
import { createKeyStore } from '../../library/key-store.ts'
import { createSignInStore } from '../../library/sign-in-store.ts'
import { createTokenStore } from '../../library/token-store.ts'
import type { Store } from '../../store.ts'
import { databasePath, refuseLostStore } from '../file/database-file.ts'
import { GroupCommit } from '../file/group-commit.ts'
import { readMigrations, versionOf } from '../file/migrate.ts'
import { openDatabase } from '../file/open-database.ts'
import { createSqliteLibrary } from '../library/sqlite-library.ts'

/** What a command may do while the service runs on the same folder. */
export type CommandStore = Pick<Store, 'signIns' | 'close'> & {
  readonly keys: Pick<Store['keys'], 'list'>
  readonly connections: Pick<Store['connections'], 'list' | 'replace'>
  readonly tokens: Pick<Store['tokens'], 'list' | 'write'>
}

/** The service commits in milliseconds; a backup that is being made may take longer. */
const waitMs = 5_000

/**
 * Opens the store beside a service that may be running on it, for what that service keeps nothing of in memory:
 * sign-in links are taken from the database itself, and keys are only read. A connection is replaced as it was read or
 * not at all, and a service that wants to change it then finds out and reads it again. Everything else is why one
 * process has the folder to itself, and is not offered here.
 */
export function openCommandStore(folder: string): CommandStore {
  if (!existsSync(databasePath(folder))) {
    throw new MillraceError(
      'config_invalid',
      `There is no store in ${folder}. Start Millrace first, or set MILLRACE_HOME to the folder that it uses.`
    )
  }
  refuseLostStore(databasePath(folder))
  const db = openDatabase(databasePath(folder))
  db.exec(`PRAGMA busy_timeout = ${waitMs}`)
  if (versionOf(db) !== readMigrations().length) {
    db.close()
    throw new MillraceError(
      'config_invalid',
      `The store in ${folder} was written by another version of Millrace. Run the command of that version, or start this one once.`
    )
  }
  const commit = new GroupCommit({ db, folder, members: [] })
  const library = createSqliteLibrary(db, commit)
  return {
    keys: createKeyStore(library),
    signIns: createSignInStore(library),
    connections: createConnectionStore(library),
    tokens: createTokenStore(library),
    async close() {
      commit.close()
      db.close()
    }
  }
}
