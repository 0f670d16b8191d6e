import type { FileParts } from '../../file-parts.ts'
import type { StoredBytes } from '../../files.ts'
import { Database, type Query } from '../database/database.ts'
import { createFileParts } from '../files/postgres-file-parts.ts'

/** What there is of files, for who only looks. */
interface StoredFiles {
  readonly fileParts: FileParts
  bytes(): AsyncIterable<StoredBytes>
  close(): Promise<void>
}

const PAGE = 5_000

/** Undefined where the tables are not there yet. */
export async function openStoredFiles(url: string): Promise<StoredFiles | undefined> {
  const db = new Database({ url, connections: 2 })
  const [found] = await db.query<{ isThere: boolean }>(
    `SELECT to_regclass('millrace.blobs') IS NOT NULL AS "isThere"`
  )
  if (found!.isThere) {
    return { fileParts: createFileParts(db), bytes: () => readBytes(db.query), close: () => db.close() }
  }
  await db.close()
  return undefined
}

async function* readBytes(query: Query): AsyncGenerator<StoredBytes> {
  for (let after = ''; ; ) {
    const page = await query<StoredBytes>(
      'SELECT name, digest, size FROM millrace.blobs WHERE name > $1 ORDER BY name LIMIT $2',
      [after, PAGE]
    )
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)!.name
  }
}
