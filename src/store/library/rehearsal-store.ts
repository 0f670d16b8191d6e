import type { RehearsalStore, StoredRehearsal } from '../rehearsals.ts'
import { anyRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const COLUMNS = 'flow_id, id, revision, asked, author, started_at, finished_at, result'

const beginText = `
  INSERT INTO flow_rehearsals (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (flow_id) DO UPDATE SET id = excluded.id, revision = excluded.revision, asked = excluded.asked,
    author = excluded.author, started_at = excluded.started_at, finished_at = excluded.finished_at, result = excluded.result`

const finishText =
  'UPDATE flow_rehearsals SET result = ?, finished_at = ? WHERE flow_id = ? AND id = ? RETURNING id'

export function createRehearsalStore(db: LibraryDatabase): RehearsalStore {
  // Held until the end of the transaction: it may be deleted in this moment.
  const liveFlow = `SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL${db.dialect.forShare}`

  function* begin(rehearsal: StoredRehearsal): LibrarySteps<boolean> {
    if (!(yield* anyRow(liveFlow, rehearsal.flowId))) return false
    yield* rows(beginText, ...valuesOf(rehearsal))
    return true
  }

  return {
    find: (flowId) => db.read(() => find(flowId)),
    begin: (rehearsal) => db.writeUnheld(() => begin(rehearsal)),
    finish: ({ flowId, id }, result, at) =>
      db.writeUnheld(() => anyRow(finishText, result, at, flowId, id), result.length)
  }
}

function* find(flowId: string): LibrarySteps<StoredRehearsal | undefined> {
  const text = `SELECT ${COLUMNS} FROM flow_rehearsals WHERE flow_id = ?`
  const [row] = yield* rows<RehearsalRow>(text, flowId)
  return row && storedRehearsal(row)
}

/** A row of flow_rehearsals, in either database. */
interface RehearsalRow {
  readonly flow_id: string
  readonly id: string
  readonly revision: number | null
  readonly asked: number
  readonly author: string | null
  readonly started_at: number
  readonly finished_at: number | null
  readonly result: string | null
}

function storedRehearsal(row: RehearsalRow): StoredRehearsal {
  const { id, revision, asked, author, result } = row
  return {
    flowId: row.flow_id,
    id,
    revision,
    asked,
    author,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    result
  }
}

/** In the order of the columns. */
function valuesOf(rehearsal: StoredRehearsal): (string | number | null)[] {
  const { flowId, id, revision, asked, author, startedAt, finishedAt, result } = rehearsal
  return [flowId, id, revision, asked, author, startedAt, finishedAt, result]
}
