import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../../errors.ts'
import type { StoredConnection } from '../../connections.ts'
import type { StoredKey } from '../../credentials.ts'
import { type ExamineConnections, type ExamineKeys, type Finding, fault, ok, warning } from '../../finding.ts'
import { tooNew, tooOld } from '../../other-versions.ts'
import { type ConnectionRow, storedConnection } from '../../rows/connection-row.ts'
import { type KeyRow, storedKey } from '../../rows/key-row.ts'
import { databasePath, findLostStore } from '../file/database-file.ts'
import { isTooOld, readMigrations, versionOf } from '../file/migrate.ts'

interface ExamineOptions {
  readonly folder: string
  /** Free bytes of the disk that a folder is on. */
  readonly freeBytes?: (folder: string) => number
  /** What is to be said of the connections that are stored. */
  readonly examineConnections?: ExamineConnections
  readonly examineKeys?: ExamineKeys | undefined
}

const MB = 1024 * 1024
/** Below this the next burst of webhooks may fill the disk. */
const FEW_BYTES = 1024 * MB
const TOO_FEW_BYTES = 100 * MB

/** Looks at the embedded store without changing it, whether a service is running on it or not. */
export function examineSqliteStore(options: ExamineOptions): Finding[] {
  const { folder, freeBytes = freeBytesOf } = options
  const file = databasePath(folder)
  const place = existingFolder(folder)
  const ground = [examineFolder(place), examineSpace(place, freeBytes, file), ...examineRights(folder)]
  const lost = findLostStore(file)
  if (lost !== undefined) return [...ground, fault('database file', lost.says, lost.remedy)]
  if (!existsSync(file)) {
    return [ok('store', `there is none in ${folder} yet; the first start makes it`), ...ground]
  }
  return [...ground, examineLock(folder), ...examineFile(file, options)]
}

/** The folder, or the nearest one above it that it would be made in. */
function existingFolder(folder: string): string {
  const path = resolve(folder)
  return existsSync(path) ? path : existingFolder(dirname(path))
}

function examineFolder(folder: string): Finding {
  try {
    rmdirSync(mkdtempSync(join(folder, '.doctor-')))
    return ok('folder', `${folder} can be written`)
  } catch (error) {
    return fault(
      'folder',
      `${folder} cannot be written: ${messageOf(error)}`,
      'Give the user that runs Millrace the right to write it, or set MILLRACE_HOME to another folder.'
    )
  }
}

/** Of the database, its lock, and what else holds secrets: backups and keys that somebody left beside them. */
const PRIVATE = /^(?:millrace|lock|secret)\.|\.(?:db|key|part)$/

/** The next start closes them; where that is refused, or nobody starts it, they stay open. */
function examineRights(folder: string): Finding[] {
  const names = privateFiles(folder)
  if (names.length === 0) return []
  const open = names.filter((name) => isOpenTo(OTHERS, join(folder, name)))
  if (open.length === 0) return [ok('file rights', 'only the owner can read the store')]
  const said = `others than the owner have rights to ${open.join(', ')} in ${folder}`
  const remedy = `Payloads and secrets are in there: chmod 600 ${open.map((name) => join(folder, name)).join(' ')}`
  // In a folder that nobody else can enter they are out of reach all the same.
  return [
    isOpenTo(VISITORS, folder) ? fault('file rights', said, remedy) : warning('file rights', said, remedy)
  ]
}

const OTHERS = 0o077
const VISITORS = 0o011

function isOpenTo(whom: number, path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & whom) !== 0
}

function privateFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => PRIVATE.test(name))
  } catch {
    // There is none yet, or it cannot be read; the folder has a line of its own.
    return []
  }
}

function examineSpace(folder: string, freeBytes: (folder: string) => number, file: string): Finding {
  const free = freeBytes(folder)
  const used = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const told = `${inMB(free)} free, the store takes ${inMB(used)}`
  const remedy = 'Make room, or keep fewer runs: MILLRACE_RETENTION_DAYS, MILLRACE_RETENTION_RUNS.'
  if (free < TOO_FEW_BYTES) return fault('disk space', told, remedy)
  return free < FEW_BYTES ? warning('disk space', told, remedy) : ok('disk space', told)
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Reading is refused exactly while somebody holds the lock. Nothing is written, so a start at this moment is not
 * refused because of us but in the microseconds of the read itself.
 */
function examineLock(folder: string): Finding {
  const path = join(folder, 'lock.db')
  if (!existsSync(path)) return ok('lock', 'nobody has opened the store')
  try {
    const db = new DatabaseSync(path, { readOnly: true })
    try {
      db.prepare('SELECT count(*) FROM sqlite_master').get()
      return ok('lock', 'free: no service is running on this folder')
    } finally {
      db.close()
    }
  } catch (error) {
    if (/locked|busy/.test(messageOf(error))) return ok('lock', `held by ${holderOf(folder)}`)
    return fault('lock', `it cannot be read: ${messageOf(error)}`, `Check the rights of ${path}.`)
  }
}

function holderOf(folder: string): string {
  try {
    return readFileSync(join(folder, 'lock.holder'), 'utf8').trim()
  } catch {
    return 'another process'
  }
}

function examineFile(
  file: string,
  { examineConnections = () => [], examineKeys }: ExamineOptions
): Finding[] {
  let db: DatabaseSync | undefined
  try {
    // Not readOnly: such a connection leaves files beside the database that the service's user may not own.
    db = new DatabaseSync(file)
    db.exec('PRAGMA busy_timeout = 5000')
    if (isTooOld(db)) return [tooOld('schema')]
    const keys = examineKeys === undefined ? [] : [examineKeys(readKeys(db))]
    return [examineVersion(db), examineIntegrity(db), ...keys, ...examineConnections(readConnections(db))]
  } catch (error) {
    return [
      fault(
        'database file',
        `${file} cannot be read: ${messageOf(error)}`,
        'Check its rights, or restore a backup.'
      )
    ]
  } finally {
    db?.close()
  }
}

function readConnections(db: DatabaseSync): StoredConnection[] {
  const rows = db.prepare('SELECT * FROM connections ORDER BY context, name').all()
  return (rows as unknown as ConnectionRow[]).map(storedConnection)
}

function readKeys(db: DatabaseSync): StoredKey[] {
  return (db.prepare('SELECT * FROM keys').all() as unknown as KeyRow[]).map(storedKey)
}

function examineVersion(db: DatabaseSync): Finding {
  const [current, known] = [versionOf(db), readMigrations().length]
  if (current > known) return tooNew('schema', current, known)
  if (current === known) return ok('schema', `version ${current}`)
  return warning('schema', `version ${current}; the next start brings it to ${known}`, 'Make a backup first.')
}

function examineIntegrity(db: DatabaseSync): Finding {
  const rows = db.prepare('PRAGMA quick_check(3)').all() as unknown as { quick_check: string }[]
  if (rows[0]?.quick_check === 'ok') return ok('integrity', 'every page of the database is sound')
  const told = rows.map(({ quick_check }) => quick_check).join('; ')
  return fault(
    'integrity',
    `the database is damaged: ${told}`,
    'Stop Millrace and restore a backup. Check the disk.'
  )
}

function inMB(bytes: number): string {
  return `${Math.round(bytes / MB).toLocaleString('en')} MB`
}
