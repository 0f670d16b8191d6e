import type { StoredTrigger, TriggerStore } from '../triggers.ts'
import { type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const setMarkText = `
  INSERT INTO triggers (flow_id, node, mark) VALUES (?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET mark = excluded.mark`

/**
 * Returns a row where the mark has moved on. The row decides between processes: the second one waits for the first, and finds that
 * the mark has moved.
 */
export const advanceMarkText = `${setMarkText} WHERE triggers.mark IS NULL OR triggers.mark < excluded.mark RETURNING mark`

const setFaultText = `
  INSERT INTO triggers (flow_id, node, fault, failed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET fault = excluded.fault, failed_at = excluded.failed_at`

export function createTriggerStore(db: LibraryDatabase): TriggerStore {
  const { byBytes } = db.dialect
  const inOrder = `ORDER BY flow_id${byBytes}, node${byBytes}`

  function* list(flowId: string | undefined): LibrarySteps<StoredTrigger[]> {
    const found =
      flowId === undefined
        ? yield* rows<TriggerRow>(`SELECT * FROM triggers ${inOrder}`)
        : yield* rows<TriggerRow>(`SELECT * FROM triggers WHERE flow_id = ? ${inOrder}`, flowId)
    return found.map(storedTrigger)
  }

  return {
    list: (flowId) => db.read(() => list(flowId)),
    setMark: async (flowId, node, mark) => {
      await db.writeUnheld(() => rows(setMarkText, flowId, node, mark))
    },
    advanceMark: async (flowId, node, mark) => {
      await db.writeUnheld(() => rows(advanceMarkText, flowId, node, mark))
    },
    setFault: async (flowId, node, fault) => {
      const told = [fault?.message ?? null, fault?.at ?? null]
      await db.writeUnheld(() => rows(setFaultText, flowId, node, ...told))
    }
  }
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
