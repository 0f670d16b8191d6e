import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, readMigrations, versionOf } from './file/migrate.ts'

const path = join(import.meta.dirname, 'schema.sql')

export const renewCommand = 'npx node src/store/sqlite/schema.test-kit.ts'

/** The schema that all migrations together lead to, with what they put into it. */
export function migratedSchema(): string {
  const db = new DatabaseSync(':memory:')
  migrate(db, readMigrations(), 'memory')
  const schema = schemaOf(db)
  db.close()
  return schema
}

export function schemaOf(db: DatabaseSync): string {
  const parts = db
    .prepare(
      'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name'
    )
    .all() as { type: string; name: string; sql: string }[]
  const tables = parts.filter(({ type }) => type === 'table').map(({ name }) => name)
  const statements = [
    ...parts.map(({ sql }) => sql),
    ...tables.flatMap((table) => inserts(db, table)),
    `PRAGMA user_version = ${versionOf(db)}`
  ]
  const head = `-- What the migrations lead to, and a new store begins with. Made by: ${renewCommand}\n\n`
  return head + statements.map((statement) => `${statement};\n`).join('\n')
}

function inserts(db: DatabaseSync, table: string): string[] {
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const values = columns.map(({ name }) => `quote("${name}")`).join(` || ', ' || `)
  const rows = db.prepare(`SELECT ${values} AS row FROM ${table} ORDER BY row`).all()
  return rows.map(({ row }) => `INSERT INTO ${table} VALUES (${row})`)
}

if (import.meta.main) writeFileSync(path, migratedSchema())
