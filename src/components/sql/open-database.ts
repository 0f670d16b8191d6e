import type { ConnectionResource, OpenConnection } from '../../plugin-api.ts'
import type { Database } from './database.ts'

/** The kinds of connection that lead to a database. */
export const DATABASE_KINDS = ['postgres', 'mysql', 'sqlite'] as const

/** Shared by all steps that use the connection. Each driver is loaded when the first of them needs it. */
export const databaseResource: ConnectionResource<Database> = {
  open: async (connection: OpenConnection): Promise<Database> => {
    if (connection.kind === 'postgres')
      return new (await import('./postgres-database.ts')).PostgresDatabase(connection)
    if (connection.kind === 'mysql')
      return new (await import('./mysql-database.ts')).MySqlDatabase(connection)
    return new (await import('./sqlite-database.ts')).SqliteDatabase(connection)
  },
  close: (database) => database.close()
}
