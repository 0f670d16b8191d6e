import { type KeptStore, VALUE_START } from '../../kept-values.ts'
import {
  type ContextPathMove,
  inTwoSteps,
  type KeptRow,
  type KeptSummaryRow,
  keptPage,
  keptValue,
  keyRange,
  unexpired
} from '../../rows/kept-row.ts'
import type { Database, Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { TurnsByKey } from '../database/turns-by-key.ts'
import { changeKept } from './change-kept.ts'

const listText = `
  SELECT context, key, left(value, ${VALUE_START}) AS value_start, length(value) AS value_length, updated_at, expires_at
  FROM millrace.kept_values
  WHERE context = $1 AND key >= $2 AND key > $3 AND key < $4 AND (expires_at IS NULL OR expires_at > $5)
  ORDER BY key LIMIT $6`

const expiredText = `
  DELETE FROM millrace.kept_values WHERE (context, key) IN (
    SELECT context, key FROM millrace.kept_values WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING 1`

export function createKeptStore(db: Pick<Database, 'query' | 'writeTold'>): KeptStore {
  // Of those here only one at a time is to find that somebody was quicker, or waits on a connection.
  const turns = new TurnsByKey()
  return {
    async get(context, key, now) {
      const text = 'SELECT * FROM millrace.kept_values WHERE context = $1 AND key = $2'
      const [row] = await db.query<KeptRow>(text, [context, storableText(key)])
      return unexpired(row && keptValue(row), now)
    },
    async list(question) {
      const { context, now, limit } = question
      const { from, after, below } = keyRange(question)
      const range = [from, after, below].map(storableText)
      return keptPage(await db.query<KeptSummaryRow>(listText, [context, ...range, now, limit + 1]), limit)
    },
    change: (asked, origin) =>
      turns.do(`${asked.context}\n${asked.key}`, () => changeKept(db, asked, origin)),
    removeExpired: async (now, slice) => (await db.query(expiredText, [now, slice])).length
  }
}

/** The values of a context that goes. */
export async function removeKept(query: Query, path: string): Promise<void> {
  await query('DELETE FROM millrace.kept_values WHERE context = $1', [path])
}

/** The values of contexts that get other paths. */
export async function moveKept(query: Query, moves: readonly ContextPathMove[]): Promise<void> {
  for (const { from, to } of inTwoSteps(moves)) {
    await removeKept(query, to)
    await query('UPDATE millrace.kept_values SET context = $2 WHERE context = $1', [from, to])
  }
}
