import type { DatabaseSync } from 'node:sqlite'
import {
  type ChangeOrigin,
  changed,
  type KeptChange,
  type KeptResult,
  type KeptStore,
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
  LATEST_EXPIRY,
  unexpired
} from '../../rows/kept-row.ts'
import type { GroupCommit } from '../file/group-commit.ts'

export function createKeptStore(db: DatabaseSync, commit: GroupCommit): KeptStore {
  // More than 2^53 cannot even be read from here.
  db.exec(`UPDATE kept_values SET expires_at = ${LATEST_EXPIRY} WHERE expires_at > ${LATEST_EXPIRY}`)
  const find = db.prepare('SELECT * FROM kept_values WHERE context = ? AND key = ?')
  // `+ 0`: see run-changes.ts.
  const list = db.prepare(
    `SELECT context, key, substr(value, 1, ${VALUE_START}) AS value_start, length(value) AS value_length, updated_at, expires_at
     FROM kept_values
     WHERE context = ? AND key >= ? AND key > ? AND key < ? AND (expires_at IS NULL OR expires_at > ?)
     ORDER BY key LIMIT ? + 0`
  )
  const removeExpired = db.prepare(
    `DELETE FROM kept_values WHERE rowid IN
       (SELECT rowid FROM kept_values WHERE expires_at <= ? ORDER BY expires_at LIMIT ? + 0)`
  )
  const change = prepareChange(db)

  function read(context: string, key: string, now: number) {
    const row = find.get(context, key) as unknown as KeptRow | undefined
    return unexpired(row && keptValue(row), now)
  }

  return {
    get: async (context, key, now) => read(context, key, now),
    async list(question) {
      const { context, now, limit } = question
      const { from, after, below } = keyRange(question)
      const rows = list.all(context, from, after, below, now, limit + 1)
      return keptPage(rows as unknown as KeptSummaryRow[], limit)
    },
    change: (asked, origin) =>
      commit.write(
        () => change(read(asked.context, asked.key, asked.at), asked, origin),
        asked.kind === 'set' ? asked.value.length : 0
      ),
    removeExpired: (now, slice) => commit.write(() => Number(removeExpired.run(now, slice).changes))
  }
}

/** To be called inside a batch. */
function prepareChange(db: DatabaseSync) {
  const find = db.prepare('SELECT result FROM kept_changes WHERE run_seq = ? AND node = ? AND change = ?')
  const remember = db.prepare('INSERT INTO kept_changes (run_seq, node, change, result) VALUES (?, ?, ?, ?)')
  const put = db.prepare(
    `INSERT INTO kept_values (context, key, value, updated_at, expires_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (context, key) DO UPDATE SET
       value = excluded.value, updated_at = excluded.updated_at, expires_at = excluded.expires_at`
  )
  const remove = db.prepare('DELETE FROM kept_values WHERE context = ? AND key = ?')

  return (
    before: Parameters<typeof changed>[0],
    asked: KeptChange,
    origin: ChangeOrigin | undefined
  ): KeptResult => {
    const steps = origin && ([origin.runSeq, origin.node, origin.change] as const)
    const made = steps && (find.get(...steps) as { result: string | null } | undefined)
    if (made !== undefined) return madeBefore(asked, made.result)
    const { kept, ...result } = changed(before, asked)
    if (!result.won) return result
    if (kept === undefined) remove.run(asked.context, asked.key)
    else put.run(...keptColumns(kept))
    if (steps !== undefined) remember.run(...steps, toRemember(asked, result.value))
    return result
  }
}

/** What becomes of values when their context goes or gets another path. To be called inside a batch. */
export function prepareKeptOfContexts(db: DatabaseSync) {
  const remove = db.prepare('DELETE FROM kept_values WHERE context = ?')
  const rename = db.prepare('UPDATE kept_values SET context = ? WHERE context = ?')
  return {
    remove: (path: string) => void remove.run(path),
    move(moves: readonly ContextPathMove[]) {
      for (const { from, to } of inTwoSteps(moves)) {
        remove.run(to)
        rename.run(to, from)
      }
    }
  }
}
