import type { SeenByTrigger, StoredTrigger, TriggerStore } from '../triggers.ts'
import { firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

/** All but what it has seen, which may be long. */
const COLUMNS = 'flow_id, node, mark, fault, failed_at'

const setMarkText = `
  INSERT INTO triggers (flow_id, node, mark) VALUES (?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET mark = excluded.mark`

/**
 * Returns a row where the mark has moved on. The row decides between processes: the second one waits for the first, and finds that
 * the mark has moved.
 */
export const advanceMarkText = `${setMarkText} WHERE triggers.mark IS NULL OR triggers.mark < excluded.mark RETURNING mark`

const keepSeenText = `
  INSERT INTO triggers (flow_id, node, mark, seen) VALUES (?, ?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET mark = excluded.mark, seen = excluded.seen
  WHERE coalesce(triggers.mark, 0) = ? RETURNING mark`

const setFaultText = `
  INSERT INTO triggers (flow_id, node, fault, failed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET fault = excluded.fault, failed_at = excluded.failed_at`

export function createTriggerStore(db: LibraryDatabase): TriggerStore {
  const { byBytes } = db.dialect
  const inOrder = `ORDER BY flow_id${byBytes}, node${byBytes}`

  function* list(flowId: string | undefined): LibrarySteps<StoredTrigger[]> {
    const found =
      flowId === undefined
        ? yield* rows<TriggerRow>(`SELECT ${COLUMNS} FROM triggers ${inOrder}`)
        : yield* rows<TriggerRow>(`SELECT ${COLUMNS} FROM triggers WHERE flow_id = ? ${inOrder}`, flowId)
    return found.map(storedTrigger)
  }

  function* seen(flowId: string, node: string): LibrarySteps<SeenByTrigger> {
    const row = yield* firstRow<SeenRow>(
      'SELECT mark, seen FROM triggers WHERE flow_id = ? AND node = ?',
      flowId,
      node
    )
    return { mark: row?.mark ?? 0, seen: row?.seen ?? null }
  }

  return {
    list: (flowId) => db.read(() => list(flowId)),
    setMark: async (flowId, node, mark) => {
      await db.writeUnheld(() => rows(setMarkText, flowId, node, mark))
    },
    advanceMark: async (flowId, node, mark) => {
      await db.writeUnheld(() => rows(advanceMarkText, flowId, node, mark))
    },
    seen: (flowId, node) => db.read(() => seen(flowId, node)),
    keepSeen: async (flowId, node, { mark, seen }, before) => {
      const kept = await db.writeUnheld(() => rows(keepSeenText, flowId, node, mark, seen, before))
      return kept.length > 0
    },
    setFault: async (flowId, node, fault) => {
      const told = [fault?.message ?? null, fault?.at ?? null]
      await db.writeUnheld(() => rows(setFaultText, flowId, node, ...told))
    }
  }
}

interface SeenRow {
  readonly mark: number | null
  readonly seen: string | null
}

interface TriggerRow {
  readonly flow_id: string
  readonly node: string
  readonly mark: number | null
  readonly fault: string | null
  readonly failed_at: number | null
}

function storedTrigger({ flow_id, node, mark, fault, failed_at }: TriggerRow): StoredTrigger {
  return {
    flowId: flow_id,
    node,
    mark,
    fault: fault === null ? null : { message: fault, at: failed_at ?? 0 }
  }
}
