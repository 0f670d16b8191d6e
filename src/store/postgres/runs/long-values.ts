import type { LongPiece } from '../../long-piece.ts'
import type { RunRef } from '../../store.ts'
import type { Database, Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { fromJobOf, sqlMayWrite } from '../queue/job-rows.ts'

/**
 * Only for whoever may write the run, and the job is held until this is committed: a process that was held to be dead
 * writes nothing any more once another has taken the run up, and that one writes the value anew.
 */
const keepText = `
  WITH allowed AS (
    SELECT 1 FROM ${fromJobOf('$1::bigint', '$2::text')} AND ${sqlMayWrite('j', '$3::text')} FOR SHARE
  )
  INSERT INTO millrace.long_values (run_seq, name, piece, bytes)
  SELECT $1::bigint, $4::text, $5::integer, $6::bytea FROM allowed
  ON CONFLICT (run_seq, name, piece) DO UPDATE SET bytes = excluded.bytes
  RETURNING piece`

export async function keepPiece(
  db: Database,
  { seq, flowId, claim = undefined }: RunRef,
  { name, piece, bytes }: LongPiece
): Promise<boolean> {
  const values = [seq, flowId, claim ?? null, storableText(name), piece, bytes]
  return (await db.writeTold({ name: 'keep-piece', text: keepText }, values)).length > 0
}

const readText = 'SELECT bytes FROM millrace.long_values WHERE run_seq = $1 AND name = $2 AND piece = $3'

export async function readPiece(
  query: Query,
  seq: number,
  name: string,
  piece: number
): Promise<Uint8Array | undefined> {
  const [row] = await query<{ bytes: Uint8Array }>({ name: 'read-piece', text: readText }, [
    seq,
    storableText(name),
    piece
  ])
  return row?.bytes
}
