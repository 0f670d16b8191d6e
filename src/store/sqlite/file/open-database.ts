import { DatabaseSync } from 'node:sqlite'
import { keepingEmptyBytes } from './empty-bytes.ts'
import { onAnyNode } from './older-node.ts'

/**
 * The one connection of the store. What is set here, and why (CPU of accept + end, in batches of 90):
 * - WAL and synchronous FULL: every commit is synced before it is answered.
 * - Foreign keys off: see the first migration.
 * - A timeout of 50 ms: nobody else should write here; a person with the sqlite3 tool may get in between.
 * - 8 MB of cache: writes go to the newest pages only, so on 1,000,000 runs 2 to 32 MB take the same time.
 * - A checkpoint every 1,000 pages, 33 µs: it holds the event loop for 6 ms. 500 pages: 34 µs, 5 ms;
 *   2,000: 32.5 µs, 10 ms; 4,000: 32 µs, 18 ms.
 * - Pages of 4 KB, the default: 8 and 16 KB save 1.5 µs in such batches, but a batch of one, which is what a
 *   quiet service writes, becomes two and four times as large.
 * - journal_size_limit: a WAL that grew while a backup was reading is cut again.
 */
export function openDatabase(path: string): DatabaseSync {
  const db = keepingEmptyBytes(onAnyNode(new DatabaseSync(path, { enableForeignKeyConstraints: false })))
  try {
    db.exec(`
      PRAGMA busy_timeout = 50;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -8000;
      PRAGMA wal_autocheckpoint = 1000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA temp_store = MEMORY`)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}
