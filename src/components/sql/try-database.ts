import type { OpenConnection } from '../../plugin-api.ts'
import { askDatabase } from './ask-database.ts'

const VERSION = {
  maxRows: 1,
  texts: {
    postgres: "select 'PostgreSQL ' || current_setting('server_version') as version",
    mysql: 'select version() as version',
    sqlite:
      "select 'SQLite ' || sqlite_version() || ', ' || count(*) || iif(count(*) = 1, ' table', ' tables') as version from sqlite_master where type = 'table'"
  }
}

/** Signs in and asks for the version. Resolves to words for whoever tries the connection. */
export async function tryDatabase(connection: OpenConnection, signal: AbortSignal): Promise<string> {
  const [row] = await askDatabase(connection, VERSION, signal)
  return `It answers: ${String(row?.version)}.`
}
