import { type CommandStore, openCommandStore } from '../store/sqlite/upkeep/open-command-store.ts'
import type { Config } from './config.ts'

/** The store for a command beside services that may be running on it. */
export async function openStoreForCommand(
  { home, database }: Pick<Config, 'home' | 'database'>,
  command: string
): Promise<CommandStore> {
  if (database === null) return openCommandStore(home)
  const { openPostgresStore } = await import('../store/postgres/open-postgres-store.ts')
  return openPostgresStore({ url: database.url, connections: 4, processId: command, mayBeFirst: false })
}
