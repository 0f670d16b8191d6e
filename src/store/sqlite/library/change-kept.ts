import {
  type ChangeOrigin,
  changed,
  type KeptChange,
  type KeptResult,
  type KeptStore,
  madeBefore,
  toRemember
} from '../../kept-values.ts'
import { readKept } from '../../library/kept-store.ts'
import { firstRow, type LibraryDatabase, type LibrarySteps, rows } from '../../library/library-database.ts'
import { keptColumns } from '../../rows/kept-row.ts'

const putText = `
  INSERT INTO kept_values (context, key, value, updated_at, expires_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (context, key) DO UPDATE SET
    value = excluded.value, updated_at = excluded.updated_at, expires_at = excluded.expires_at`

export function changeValues(db: LibraryDatabase): KeptStore['change'] {
  return (asked, origin) =>
    db.writeUnheld(() => changeKept(asked, origin), asked.kind === 'set' ? asked.value.length : 0)
}

/** Nobody comes in between: changes are made one after the other. */
function* changeKept(asked: KeptChange, origin: ChangeOrigin | undefined): LibrarySteps<KeptResult> {
  const made = origin && (yield* noteOf(origin))
  if (made !== undefined) return madeBefore(asked, made.result)
  const { kept, ...result } = changed(yield* readKept(asked), asked)
  if (!result.won) return result
  if (kept === undefined) {
    yield* rows('DELETE FROM kept_values WHERE context = ? AND key = ?', asked.context, asked.key)
  } else yield* rows(putText, ...keptColumns(kept))
  if (origin !== undefined) {
    yield* rows(
      'INSERT INTO kept_changes (run_seq, node, change, result) VALUES (?, ?, ?, ?)',
      ...[origin.runSeq, origin.node, origin.change, toRemember(asked, result.value)]
    )
  }
  return result
}

function* noteOf({
  runSeq,
  node,
  change
}: ChangeOrigin): LibrarySteps<{ readonly result: string | null } | undefined> {
  return yield* firstRow(
    'SELECT result FROM kept_changes WHERE run_seq = ? AND node = ? AND change = ?',
    ...[runSeq, node, change]
  )
}
