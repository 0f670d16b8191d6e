import {
  type ChangeOrigin,
  changed,
  type KeptChange,
  type KeptResult,
  type KeptStore,
  type KeptValue,
  madeBefore,
  toRemember,
  VALUE_START
} from '../../kept-values.ts'
import {
  type ContextPathMove,
  inTwoSteps,
  type KeptRow,
  type KeptSummaryRow,
  keptColumns,
  keptPage,
  keptValue,
  keyRange,
  unexpired
} from '../../rows/kept-row.ts'
import type { Database, Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'

const listText = `
  SELECT context, key, left(value, ${VALUE_START}) AS value_start, length(value) AS value_length, updated_at, expires_at
  FROM millrace.kept_values
  WHERE context = $1 AND key >= $2 AND key > $3 AND key < $4 AND (expires_at IS NULL OR expires_at > $5)
  ORDER BY key LIMIT $6`

/** Where there is no value yet, one whose time is over stands for it, so that there is a row to hold. */
const holdText = `
  INSERT INTO millrace.kept_values AS k (context, key, value, updated_at, expires_at) VALUES ($1, $2, 'null', 0, 0)
  ON CONFLICT (context, key) DO UPDATE SET key = k.key
  RETURNING context, key, value, updated_at, expires_at`

const putText = `
  UPDATE millrace.kept_values SET value = $3, updated_at = $4, expires_at = $5 WHERE context = $1 AND key = $2`

const removeText = 'DELETE FROM millrace.kept_values WHERE context = $1 AND key = $2'

const expiredText = `
  DELETE FROM millrace.kept_values WHERE (context, key) IN (
    SELECT context, key FROM millrace.kept_values WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING 1`

export function createKeptStore(db: Pick<Database, 'query' | 'transaction'>): KeptStore {
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
    change: (asked, origin) => db.transaction((query) => change(query, asked, origin), 'writers'),
    removeExpired: async (now, slice) => (await db.query(expiredText, [now, slice])).length
  }
}

/** Whoever holds the row of the value comes first; the other one finds what that has made of it. */
async function change(
  query: Query,
  asked: KeptChange,
  origin: ChangeOrigin | undefined
): Promise<KeptResult> {
  const place = [asked.context, storableText(asked.key)]
  const [held] = await query<KeptRow>({ name: 'hold-kept', text: holdText }, place)
  const before = unexpired(keptValue(held!), asked.at)
  const made = origin && (await remembered(query, origin))
  if (made !== undefined) {
    if (before === undefined) await query({ name: 'remove-kept', text: removeText }, place)
    return madeBefore(asked, made)
  }
  const { kept, ...result } = changed(before, asked)
  if (!result.won) return result
  if (kept === undefined) await query({ name: 'remove-kept', text: removeText }, place)
  else await query({ name: 'put-kept', text: putText }, storableColumns(kept))
  if (origin !== undefined) await remember(query, origin, toRemember(asked, result.value))
  return result
}

function storableColumns(kept: KeptValue) {
  return keptColumns(kept).map((value) => (typeof value === 'string' ? storableText(value) : value))
}

async function remembered(query: Query, { runSeq, node, change: name }: ChangeOrigin) {
  const text = 'SELECT result FROM millrace.kept_changes WHERE run_seq = $1 AND node = $2 AND change = $3'
  const rows = await query<{ result: string | null }>({ name: 'made-kept', text }, [
    runSeq,
    node,
    storableText(name)
  ])
  return rows[0]?.result
}

async function remember(query: Query, { runSeq, node, change: name }: ChangeOrigin, result: string | null) {
  const text = 'INSERT INTO millrace.kept_changes (run_seq, node, change, result) VALUES ($1, $2, $3, $4)'
  const kept = result === null ? null : storableText(result)
  await query({ name: 'remember-kept', text }, [runSeq, node, storableText(name), kept])
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
