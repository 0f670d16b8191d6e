import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { StoredBytes } from '../../files.ts'
import { databasePath } from '../file/database-file.ts'

/** Of a store beside a service that may be running on it: which bytes its files have. None where there is no store yet. */
export async function* storedBytes(folder: string): AsyncGenerator<StoredBytes> {
  if (!existsSync(databasePath(folder))) return
  // Not readOnly: such a connection leaves files beside the database that the service's user may not own.
  const db = new DatabaseSync(databasePath(folder))
  try {
    db.exec('PRAGMA busy_timeout = 5000')
    const rows = db.prepare('SELECT name, digest, size FROM blobs ORDER BY name').iterate()
    yield* rows as Iterable<unknown> as Iterable<StoredBytes>
  } finally {
    db.close()
  }
}
