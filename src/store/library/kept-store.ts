import { type KeptChange, type KeptStore, type KeptValue, VALUE_START } from '../kept-values.ts'
import {
  type KeptRow,
  type KeptSummaryRow,
  keptPage,
  keptValue,
  keyRange,
  unexpired
} from '../rows/kept-row.ts'
import { firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

// `+ 0`: SQLite looks at a bare parameter of LIMIT while it plans, and so plans anew at every call (25 µs).
const listText = `
  SELECT context, key, substr(value, 1, ${VALUE_START}) AS value_start, length(value) AS value_length, updated_at, expires_at
  FROM kept_values
  WHERE context = ? AND key >= ? AND key > ? AND key < ? AND (expires_at IS NULL OR expires_at > ?)
  ORDER BY key LIMIT ? + 0`

/** All but changes, which each database makes in its own way. */
export function createKeptStore(db: LibraryDatabase, change: KeptStore['change']): KeptStore {
  const removeExpired = `
    DELETE FROM kept_values WHERE (context, key) IN (
      SELECT context, key FROM kept_values WHERE expires_at <= ?
      ORDER BY expires_at LIMIT ? + 0${db.dialect.forUpdateOfFree})
    RETURNING 1`
  return {
    get: (context, key, now) => db.read(() => readKept({ context, key, at: now })),
    async list(question) {
      const { context, now, limit } = question
      const { from, after, below } = keyRange(question)
      const values = [context, from, after, below, now, limit + 1]
      return keptPage(await db.read(() => rows<KeptSummaryRow>(listText, ...values)), limit)
    },
    change,
    removeExpired: async (now, slice) => (await db.writeUnheld(() => rows(removeExpired, now, slice))).length
  }
}

export function* readKept({
  context,
  key,
  at
}: Pick<KeptChange, 'context' | 'key' | 'at'>): LibrarySteps<KeptValue | undefined> {
  const row = yield* firstRow<KeptRow>(
    'SELECT * FROM kept_values WHERE context = ? AND key = ?',
    context,
    key
  )
  return unexpired(row && keptValue(row), at)
}
