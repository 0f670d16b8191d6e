import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MillraceError, messageOf } from '../../../errors.ts'
import { databasePath, refuseLostStore } from '../file/database-file.ts'

interface Backup {
  readonly bytes: number
  readonly flows: number
  readonly runs: number
}

/** A service that commits holds its lock for milliseconds. */
const waitMs = 5_000

/**
 * Copies the embedded store into one file while a service may be writing to it. VACUUM INTO reads one state of the
 * database from beginning to end, and in WAL mode nobody waits for it. SQLite's backup API, which copies page by
 * page, begins anew whenever another process writes, and so would not end under load.
 *
 * The file has its name only when it is whole and on disk.
 */
export function backUpStore(folder: string, file: string): Backup {
  if (!existsSync(databasePath(folder))) {
    throw new MillraceError(
      'config_invalid',
      `There is no store in ${folder}. Set MILLRACE_HOME to the folder of the store.`
    )
  }
  refuseLostStore(databasePath(folder))
  if (existsSync(file))
    throw refused(`There is something at ${file} already, and it stays as it is. Choose another name.`)
  const unfinished = `${file}.part`
  try {
    rmSync(unfinished, { force: true })
    // Payloads and the secret of sessions are in it: for the owner's eyes only. SQLite takes an empty file as it is.
    closeSync(openSync(unfinished, 'wx', 0o600))
    copyInto(databasePath(folder), unfinished)
    const backup = examine(unfinished)
    syncPath(unfinished)
    renameSync(unfinished, file)
    syncPath(dirname(file))
    return backup
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished)
    if (error instanceof MillraceError) throw error
    throw refused(
      `The backup ${file} cannot be written: ${messageOf(error)}. Check the folder, its rights and the space on the disk.`
    )
  }
}

function copyInto(database: string, file: string): void {
  // Not readOnly: such a connection leaves files beside the database that the service's user may not own.
  const db = new DatabaseSync(database)
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMs}`)
    db.prepare('VACUUM INTO ?').run(file)
  } finally {
    db.close()
  }
}

function examine(file: string): Backup {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const [found] = db.prepare('PRAGMA quick_check(1)').all() as unknown as { quick_check: string }[]
    if (found?.quick_check !== 'ok')
      throw refused(`The backup is damaged: ${found?.quick_check}. Check both disks.`)
    const counts = db.prepare(
      'SELECT (SELECT count(*) FROM flows) AS flows, (SELECT count(*) FROM runs) AS runs'
    )
    return { bytes: statSync(file).size, ...(counts.get() as unknown as Omit<Backup, 'bytes'>) }
  } finally {
    db.close()
  }
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function refused(message: string): MillraceError {
  return new MillraceError('copy_refused', message)
}
