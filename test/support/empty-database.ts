import type { Client } from 'pg'

const tablesText = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`

const sequencesText = `
  SELECT format('%I.%I', schemaname, sequencename) AS name, coalesce(last_value, start_value) AS value,
    last_value IS NOT NULL AS "wasUsed"
  FROM pg_sequences`

/**
 * The statements that bring any database with the schema of this one back to what is in this one now. Rows are deleted:
 * to truncate a table makes its files anew, which takes as long as a new database.
 */
export async function describeContent(client: Client): Promise<string> {
  const statements = ['SET session_replication_role = replica']
  for (const { name } of (await client.query<{ name: string }>(tablesText)).rows) {
    statements.push(`DELETE FROM ${name}`)
    const { rows } = await client.query<{ all: string | null }>(
      `SELECT json_agg(each)::text AS all FROM ONLY ${name} each`
    )
    if (rows[0]!.all !== null) statements.push(insertInto(name, client.escapeLiteral(rows[0]!.all)))
  }
  const { rows } = await client.query<{ name: string; value: string; wasUsed: boolean }>(sequencesText)
  for (const { name, value, wasUsed } of rows)
    statements.push(`SELECT setval('${name}', ${value}, ${wasUsed})`)
  return statements.join(';\n')
}

function insertInto(table: string, rows: string): string {
  return `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, ${rows})`
}
