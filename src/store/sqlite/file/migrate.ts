import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { MillraceError } from '../../../errors.ts'
import { type Migration, readMigrationFiles } from '../../migration-files.ts'
import { storeTooNew, storeTooOld } from '../../other-versions.ts'

const migrationsFolder = join(import.meta.dirname, '..', 'migrations')

export function readMigrations(): Migration[] {
  return readMigrationFiles(migrationsFolder)
}

/** Set by the first migration: "MILL", as bytes. Stores from before 0.1.0 have a version and no such number. */
const APPLICATION_ID = 0x4d494c4c

/**
 * Brings the database to the newest version, one transaction per migration: a crash in between leaves a
 * version that the next start goes on from. Returns whether the database was empty before.
 */
export function migrate(
  db: DatabaseSync,
  migrations: readonly Pick<Migration, 'version' | 'sql'>[],
  folder: string
): boolean {
  const current = versionOf(db)
  if (isTooOld(db)) throw storeTooOld(`in ${folder}`, 'Move it away')
  if (current > migrations.length) throw storeTooNew(`in ${folder}`, current, migrations.length)
  if (current === 0) refuseForeign(db, folder)
  for (const { version, sql } of migrations.slice(current))
    allOrNothing(db, `${sql};\nPRAGMA user_version = ${version}`)
  return current === 0
}

function allOrNothing(db: DatabaseSync, sql: string): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec(sql)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Every version of Millrace has numbered its schema: what has tables and no number is somebody else's. */
function refuseForeign(db: DatabaseSync, folder: string): void {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table'").get() === undefined) return
  throw new MillraceError(
    'store_unwritable',
    `The database in ${folder} is not one of Millrace. Move it away, or restore a backup in its place.`
  )
}

export function isTooOld(db: DatabaseSync): boolean {
  const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  return versionOf(db) > 0 && id !== APPLICATION_ID
}

export function versionOf(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}
