import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MillraceError } from '../../../errors.ts'
import { keepToOwner } from './database-file.ts'
import { onAnyNode } from './older-node.ts'

export interface FolderLock {
  release(): void
}

const busy = 5

/**
 * One process per folder. The lock is an exclusive transaction that is held open on a database of its own:
 * the operating system frees it the moment the process dies, however it dies, and SQLite also refuses a
 * second one in the same process, which a plain file lock does not. It is not taken on the main database, so
 * that backup tools can read that one while Millrace runs.
 *
 * Who holds it stands in a text file beside it, for the message only. Nothing may ever open and close lock.db
 * itself in this process: POSIX drops a process's locks on a file when it closes any descriptor of that file.
 */
export function lockFolder(folder: string): FolderLock {
  const holder = join(folder, 'lock.holder')
  const db = onAnyNode(new DatabaseSync(join(folder, 'lock.db')))
  try {
    // On a file that may not be written BEGIN EXCLUSIVE locks nothing and does not say so; the write in it
    // does. It is never committed, and with its journal in memory it leaves no trace.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1')
    writeFileSync(holder, `process ${process.pid} on ${hostname()}`, { mode: 0o600 })
    // By name: opening and closing the file would drop the lock.
    for (const file of [join(folder, 'lock.db'), holder]) keepToOwner(file)
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    throw new MillraceError(
      'store_locked',
      `The store in ${folder} is in use by ${readHolder(holder)}. Stop it, or give this one another folder.`,
      { cause: error }
    )
  }
  return {
    release() {
      if (!db.isOpen) return
      rmSync(holder, { force: true })
      db.close()
    }
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || 'another process'
  } catch {
    return 'another process'
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busy
}
