import { join } from 'node:path'
import { type Migration, readMigrationFiles } from '../../migration-files.ts'
import { storeTooNew, storeTooOld } from '../../other-versions.ts'
import type { Database, Query } from './database.ts'

const migrationsFolder = join(import.meta.dirname, '..', 'migrations')

/**
 * Taken while migrating, so that of all processes that start together one does it and the others wait. A number of
 * our own among the advisory locks of the database.
 */
const MIGRATION_LOCK = 5_570_193_308_531_130_000n

export function readMigrations(): Migration[] {
  return readMigrationFiles(migrationsFolder)
}

/**
 * Brings the database to the newest version, all of it or nothing.
 *
 * Safe while older processes go on: a migration only expands (a new table, a column that may be null or has a
 * default, an index), so what runs keeps working on it. What is no longer needed is taken away by a later
 * migration, in a release after the one that stopped using it. The first line of each file says which it is.
 */
export function migrate(db: Database, migrations: readonly Migration[]): Promise<void> {
  return db.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    const current = await versionOf(query)
    if (await isTooOld(query)) throw storeTooOld(`at ${db.place}`, 'Use another database')
    if (current > migrations.length) throw storeTooNew(`at ${db.place}`, current, migrations.length)
    // Who waits for a table behind a long query makes everybody else wait behind them: better to fail and try again.
    await query("SET LOCAL lock_timeout = '10s'")
    for (const migration of migrations.slice(current)) await apply(query, migration)
  })
}

/** Looks before it creates: a user without the right to create schemas may run what somebody else has set up. */
async function versionOf(query: Query): Promise<number> {
  const [found] = await query<{ isThere: boolean }>(
    `SELECT to_regclass('millrace.migrations') IS NOT NULL AS "isThere"`
  )
  if (!found!.isThere) {
    await query('CREATE SCHEMA IF NOT EXISTS millrace')
    await query(
      `CREATE TABLE millrace.migrations (
         version    integer PRIMARY KEY,
         name       text NOT NULL,
         applied_at timestamptz NOT NULL DEFAULT now()
       )`
    )
  }
  const [row] = await query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM millrace.migrations'
  )
  return row!.version
}

/** Stores from before 0.1.0 began with another migration. */
export async function isTooOld(query: Query): Promise<boolean> {
  const [first] = await query<{ name: string }>('SELECT name FROM millrace.migrations WHERE version = 1')
  return first?.name === '0001-initial.sql'
}

async function apply(query: Query, { version, name, sql }: Migration): Promise<void> {
  await query(sql)
  await query('INSERT INTO millrace.migrations (version, name) VALUES ($1, $2)', [version, name])
}
