import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, readMigrations } from './migrate.ts'

const path = join(import.meta.dirname, 'schema.sql')

export const renewCommand = 'npx node src/store/sqlite/schema.test-kit.ts'

/** The schema that all migrations together lead to. */
export function migratedSchema(): string {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const rows = db
    .prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name')
    .all() as { sql: string }[]
  db.close()
  const head = `-- What the migrations lead to, for reading. Made by: ${renewCommand}\n\n`
  return head + rows.map((row) => `${row.sql};\n`).join('\n')
}

export function committedSchema(): string {
  return readFileSync(path, 'utf8')
}

if (import.meta.main) writeFileSync(path, migratedSchema())
