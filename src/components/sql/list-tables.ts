import type { OpenConnection } from '../../plugin-api.ts'
import { askDatabase } from './ask-database.ts'
import type { Row } from './collect-rows.ts'

interface TableColumns {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

interface TableList {
  readonly tables: readonly TableColumns[]
  /** There are more, which are not told. */
  readonly isCut: boolean
}

/** Columns in all. A query editor that offers more helps nobody. */
const MOST = 5_000

const COLUMNS = {
  maxRows: MOST,
  texts: {
    postgres: `select case when pg_table_is_visible(c.oid) then c.relname else n.nspname || '.' || c.relname end as table_name,
        a.attname as column_name, format_type(a.atttypid, a.atttypmod) as column_type
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
        and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
        and has_table_privilege(c.oid, 'select')
      order by n.nspname, c.relname, a.attnum limit ${MOST}`,
    mysql: `select table_name as table_name, column_name as column_name, column_type as column_type
      from information_schema.columns where table_schema = database()
      order by table_name, ordinal_position limit ${MOST}`,
    sqlite: `select m.name as table_name, c.name as column_name, c.type as column_type
      from sqlite_master m join pragma_table_info(m.name) c
      where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\'
      order by m.name, c.cid limit ${MOST}`
  }
}

/** What a query can name: for whoever types one. */
export async function listTables(connection: OpenConnection, signal: AbortSignal): Promise<TableList> {
  const rows = await askDatabase(connection, COLUMNS, signal)
  const byTable = Map.groupBy(rows, (row) => String(row.table_name))
  const tables = [...byTable].map(([name, columns]) => ({ name, columns: columns.map(columnOf) }))
  return { tables, isCut: rows.length >= MOST }
}

function columnOf(row: Row) {
  return { name: String(row.column_name), type: String(row.column_type) }
}
