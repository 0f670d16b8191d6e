import { sharedPostgres } from './postgres.ts'
import { stage } from './stage.ts'

/** From here on every service of this process has a PostgreSQL store: for each folder one database. */
export function playOnPostgres(): void {
  const postgres = sharedPostgres()
  const databases = new Map<string, Promise<string>>()
  stage.databaseOf = (home) => {
    const database = databases.get(home) ?? postgres.database()
    databases.set(home, database)
    return database
  }
}
