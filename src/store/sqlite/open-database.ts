import { DatabaseSync } from 'node:sqlite'

/**
 * The one connection of the store. What is set here, and why:
 * - journal_mode WAL, synchronous FULL: every commit is synced before it is answered.
 * - foreign keys off: see the first migration.
 * - timeout 50 ms: nobody else should write here; a person with the sqlite3 tool gets in between, no more.
 * - cache_size 16 MB, wal_autocheckpoint 2,000 pages: see the numbers below.
 * - journal_size_limit: a WAL that grew while a backup was reading is cut again.
 */
export function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: 50 })
  try {
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -8000;
      PRAGMA wal_autocheckpoint = 2000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA temp_store = MEMORY`)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}
