import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgresServer } from '../../../test/support/postgres-server.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const path = join(import.meta.dirname, 'schema.sql')

export const renewCommand = 'npx node src/store/postgres/schema.test-kit.ts'

/** The schema that a database has, as PostgreSQL itself describes it. */
export async function schemaOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{
      name: string
      columns: string
      constraints: string
      indexes: string
    }>(`
      SELECT c.relname AS name,
        (SELECT string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
            || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
            || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), ''), E',\\n' ORDER BY a.attnum)
          FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
        coalesce((SELECT string_agg(E',\\n  ' || pg_get_constraintdef(k.oid), '' ORDER BY k.conname)
          FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype <> 'n'), '') AS constraints,
        coalesce((SELECT string_agg(E'\\n\\n' || pg_get_indexdef(i.indexrelid) || ';', '' ORDER BY x.relname)
          FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
          WHERE i.indrelid = c.oid AND NOT EXISTS
            (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)), '') AS indexes
      FROM pg_class c WHERE c.relnamespace = 'millrace'::regnamespace AND c.relkind = 'r'
      ORDER BY c.relname`)
    const head = `-- What the migrations lead to, for reading. Made by: ${renewCommand}\n\n`
    const tables = rows.map(
      ({ name, columns, constraints, indexes }) =>
        `CREATE TABLE millrace.${name} (\n${columns}${constraints}\n);${indexes}\n`
    )
    return head + tables.join('\n')
  } finally {
    await client.end()
  }
}

export function committedSchema(): string {
  return readFileSync(path, 'utf8')
}

if (import.meta.main) {
  const server = await startPostgresServer()
  const store = await openPostgresStore({ processId: 'test', url: server.url('postgres') })
  await store.close()
  writeFileSync(path, await schemaOf(server.url('postgres')))
  await server.stop()
}
