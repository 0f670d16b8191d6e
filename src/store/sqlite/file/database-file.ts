import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MillraceError } from '../../../errors.ts'

export function databasePath(folder: string): string {
  return join(folder, 'millrace.db')
}

/** What SQLite keeps beside a database; it gives these the rights of the database. */
const BESIDE = ['-wal', '-shm', '-journal']

/** Sees to it that there is a database to open, and that nobody but its owner can read it: payloads are in there. */
export function prepareDatabaseFile(folder: string): void {
  const path = databasePath(folder)
  refuseLostStore(path)
  if (!existsSync(path)) makeDatabase(path)
  for (const file of [path, ...BESIDE.map((end) => path + end)]) keepToOwner(file)
}

/** Under another name until it is a database: a process that is killed here leaves nothing that looks like a store. */
function makeDatabase(path: string): void {
  const unfinished = `${path}.new`
  rmSync(unfinished, { force: true })
  closeSync(openSync(unfinished, 'wx', 0o600))
  const db = new DatabaseSync(unfinished)
  try {
    // The first thing that is written into a database, and lasting.
    db.exec('PRAGMA journal_mode = WAL')
  } finally {
    db.close()
  }
  renameSync(unfinished, path)
}

/** There was a store, and what is left of it is not one. */
interface LostStore {
  readonly says: string
  readonly remedy: string
}

/**
 * SQLite takes an empty file for a new database: a store that was cut to nothing would begin anew in silence. And what
 * was committed last may be in the log alone: beside another database it would be lost, or do damage.
 */
export function findLostStore(path: string): LostStore | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file?.size === 0) {
    return {
      says: `The database file ${path} is empty, so it is not a store.`,
      remedy: 'Restore a backup in its place; if there never was a store, delete the file and start again.'
    }
  }
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (file !== undefined || log === undefined || log.size === 0) return undefined
  return {
    says: `The database file ${path} is missing, but its log ${path}-wal is there.`,
    remedy: 'Put the file back, or restore a backup and delete the log; to start over, move the log away.'
  }
}

export function refuseLostStore(path: string): void {
  const lost = findLostStore(path)
  if (lost !== undefined) throw new MillraceError('store_unwritable', `${lost.says} ${lost.remedy}`)
}

/** Takes away what rights others have; the owner's stay as they are. Who may not do that finds it in `doctor`. */
export function keepToOwner(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(path, mode & 0o700)
  } catch {}
}
