import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MillraceError, messageOf } from '../../../errors.ts'
import type { StoredBytes } from '../../files.ts'
import { databasePath, refuseLostStore } from '../file/database-file.ts'

interface Backup {
  readonly bytes: number
  readonly flows: number
  readonly runs: number
}

/** What is saved besides, beside the file. */
interface SavedBeside<Saved> {
  /** Is told which bytes files have before the database is copied. */
  before(files: readonly StoredBytes[]): Promise<void>
  /** Is told which bytes the copy names. */
  after(files: readonly StoredBytes[]): Promise<Saved>
}

/** A service that commits holds its lock for milliseconds. */
const waitMs = 5_000

/**
 * Copies the embedded store into one file while a service may be writing to it. VACUUM INTO reads one state of the
 * database from beginning to end, and in WAL mode nobody waits for it. SQLite's backup API, which copies page by
 * page, begins anew whenever another process writes, and so would not end under load.
 *
 * The file has its name only when it is whole and on disk, and so is what is saved beside it.
 */
export async function backUpStore<Saved>(
  folder: string,
  file: string,
  beside: SavedBeside<Saved>
): Promise<Backup & { readonly files: Saved }> {
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
    await beside.before(onLive(databasePath(folder), readBytes))
    onLive(databasePath(folder), (db) => db.prepare('VACUUM INTO ?').run(unfinished))
    const { backup, named } = examine(unfinished)
    const files = await beside.after(named)
    syncPath(unfinished)
    renameSync(unfinished, file)
    syncPath(dirname(file))
    return { ...backup, files }
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished)
    if (error instanceof MillraceError) throw error
    throw refused(
      `The backup ${file} cannot be written: ${messageOf(error)}. Check the folder, its rights and the space on the disk.`
    )
  }
}

function onLive<R>(database: string, work: (db: DatabaseSync) => R): R {
  // Not readOnly: such a connection leaves files beside the database that the service's user may not own.
  const db = new DatabaseSync(database)
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMs}`)
    return work(db)
  } finally {
    db.close()
  }
}

function readBytes(db: DatabaseSync): StoredBytes[] {
  const rows = db.prepare('SELECT name, digest, size FROM blobs ORDER BY name').all()
  return (rows as unknown as StoredBytes[]).map(({ name, digest, size }) => ({ name, digest, size }))
}

function examine(file: string): { readonly backup: Backup; readonly named: StoredBytes[] } {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const [found] = db.prepare('PRAGMA quick_check(1)').all() as unknown as { quick_check: string }[]
    if (found?.quick_check !== 'ok')
      throw refused(`The backup is damaged: ${found?.quick_check}. Check both disks.`)
    const counts = db.prepare(
      'SELECT (SELECT count(*) FROM flows) AS flows, (SELECT count(*) FROM runs) AS runs'
    )
    const { flows, runs } = counts.get() as unknown as Omit<Backup, 'bytes'>
    return { backup: { bytes: statSync(file).size, flows, runs }, named: readBytes(db) }
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
