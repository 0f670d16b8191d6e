import { MillraceError, messageOf } from '../../../errors.ts'

interface SqliteError extends Error {
  /** SQLite's extended result code; its low byte is the primary one. */
  readonly errcode: number
}

const readOnly =
  'the database is read-only. Make the folder and its files writable, or mount the disk for writing.'
const noFolder = 'the folder cannot be made. Set MILLRACE_HOME to a folder that can be written.'
const full = 'the disk is full. Make room on it; Millrace goes on by itself.'

/**
 * Primary result codes that say that the store cannot be written, in words for whoever must act. A code that
 * is not here (a constraint, a value that is too big or of a wrong type) speaks about one statement, not
 * about the store.
 */
const faults: ReadonlyMap<number, string> = new Map([
  [3, 'access to the database file was refused. Give the user that runs Millrace the right to write it.'],
  [5, 'another program is writing to the database. Close that program.'],
  [6, 'another program is writing to the database. Close that program.'],
  [7, 'there is no memory left. Give Millrace more memory.'],
  [8, readOnly],
  [10, 'the disk reported an I/O error. Check the disk, its quota and the limit on file sizes.'],
  [11, 'the database file is damaged. Stop Millrace and restore a backup.'],
  [13, full],
  [14, 'the database file cannot be opened. Check that the folder exists and may be written.'],
  [15, 'the lock on the database failed. Use a local disk, not a network share.'],
  [26, 'the file is not a Millrace database. Move it away, or restore a backup.']
])

/** The same, where the folder is made and its holder is written down, without SQLite. */
const fileFaults: Readonly<Record<string, string>> = {
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  // What Node says of a folder that is to be made on a read-only disk.
  ENOENT: noFolder,
  ENOTDIR: noFolder,
  EEXIST: 'a file has that name. Set MILLRACE_HOME to a folder, or move the file away.',
  ENOSPC: full
}

/**
 * True for an error that concerns the whole store, so that no other write of the same batch can have held.
 */
export function isStoreFault(error: unknown): boolean {
  return isSqliteError(error) && faults.has(error.errcode & 0xff)
}

const DAMAGED = [11, 26]

/** True where pages of the database do not hold what they should. */
export function isDamage(error: unknown): boolean {
  return isSqliteError(error) && DAMAGED.includes(error.errcode & 0xff)
}

export function storeUnwritable(folder: string, cause: unknown): MillraceError {
  const code = isSqliteError(cause) ? `, code ${cause.errcode}` : ''
  const words = wordsFor(cause)
  const detail = words === undefined ? `${messageOf(cause)}${code}.` : `${words} (${messageOf(cause)}${code})`
  const message = `The store in ${folder} cannot be written: ${detail}`
  return new MillraceError('store_unwritable', message, {
    cause,
    ...(words === undefined ? {} : { publicMessage: `The store cannot be written: ${words}` })
  })
}

function wordsFor(cause: unknown): string | undefined {
  if (isSqliteError(cause)) return faults.get(cause.errcode & 0xff)
  if (cause instanceof Error && 'code' in cause) return fileFaults[String(cause.code)]
  return undefined
}

export function storeClosed(folder: string): MillraceError {
  return new MillraceError('store_unwritable', `The store in ${folder} is closed.`)
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}
