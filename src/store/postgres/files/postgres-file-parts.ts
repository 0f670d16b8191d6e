import type { FileParts } from '../../file-parts.ts'
import type { Database } from '../database/database.ts'
import { FewAtATime } from './few-at-a-time.ts'

const writeText = `
  INSERT INTO millrace.file_parts (name, part, written_at, bytes)
  VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, $3)`

// As base64: 1 MB takes 9 ms then, and 12 as the driver reads bytes, in hex.
const readText = `
  SELECT encode(substring(bytes FROM $3 FOR $4), 'base64') AS bytes FROM millrace.file_parts
  WHERE name = $1 AND part = $2`

// Its last part tells when something was written by a name: a sender may take its time.
const namesText = `
  SELECT name, (SELECT max(written_at) FROM millrace.file_parts p WHERE p.name = f.name) AS "writtenAt"
  FROM millrace.file_parts f WHERE name > $1 AND part = 0 ORDER BY name LIMIT $2`

/** Uploads and downloads share the readers' connections with questions of people, and leave the most of them to those. */
const AT_A_TIME = 2

/**
 * Each part is written by a statement of its own. One transaction for all of them would hold a connection for as long as the sender
 * takes, and nobody sees the parts before the file has a row.
 */
export function createFileParts(db: Database): FileParts {
  const turns = new FewAtATime(AT_A_TIME)
  return {
    write: (name, part, bytes) =>
      turns.do(async () => {
        await db.query({ name: 'write-file-part', text: writeText }, [name, part, bytes])
      }),
    read: (name, part, from, most) =>
      turns.do(async () => {
        const values = [name, part, from + 1, most]
        const [row] = await db.query<{ bytes: string }>({ name: 'read-file-part', text: readText }, values)
        return row && Buffer.from(row.bytes, 'base64')
      }),
    remove: async (names) => {
      await db.query('DELETE FROM millrace.file_parts WHERE name = ANY ($1)', [names])
    },
    namesAfter: (name, most) => db.query(namesText, [name, most])
  }
}
