import type { SeenByTrigger, StoredTrigger, TakenByTrigger, TriggerStore } from '../triggers.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

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

/** Items are kept and read in pages: a thousand small ones one by one would take a thousand turns. */
const PAGE_LENGTH = 64 * 1024

const dropTakenText = 'DELETE FROM taken_items WHERE flow_id = ? AND node = ?'

const keepTakenText = 'INSERT INTO taken_items (flow_id, node, page, items) VALUES (?, ?, ?, ?)'

const takenText = `
  SELECT i.page, i.items, t.mark FROM taken_items i JOIN triggers t ON t.flow_id = i.flow_id AND t.node = i.node
  WHERE i.flow_id = ? AND i.node = ? ORDER BY i.page LIMIT 1`

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

  function* keepSeen(
    [flowId, node]: readonly [string, string],
    { mark, seen }: SeenByTrigger,
    before: number,
    taken: readonly string[]
  ): LibrarySteps<boolean> {
    if (!(yield* anyRow(keepSeenText, flowId, node, mark, seen, before))) return false
    yield* rows(dropTakenText, flowId, node)
    for (const { from, items } of pagesOf(taken, mark + 1))
      yield* rows(keepTakenText, flowId, node, from, items.join('\n'))
    return true
  }

  function* taken(flowId: string, node: string): LibrarySteps<TakenByTrigger | undefined> {
    const row = yield* firstRow<TakenRow>(takenText, flowId, node)
    return row && takenIn(row)
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
    keepSeen: (flowId, node, seen, before, taken = []) =>
      db.writeUnheld(() => keepSeen([flowId, node], seen, before, taken), lengthOf(taken)),
    taken: (flowId, node) => db.read(() => taken(flowId, node)),
    forgetTaken: async (flowId, node, page) => {
      await db.writeUnheld(() => rows(`${dropTakenText} AND page = ?`, flowId, node, page))
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

/** `page`: the mark of the first of its items. */
interface TakenRow {
  readonly page: number
  readonly items: string
  readonly mark: number | null
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

function takenIn({ page, items, mark }: TakenRow): TakenByTrigger {
  const from = Math.max(page, (mark ?? 0) + 1)
  return { from, items: items.split('\n').slice(from - page), page }
}

function* pagesOf(taken: readonly string[], first: number): Generator<{ from: number; items: string[] }> {
  let [items, length, from]: [string[], number, number] = [[], 0, first]
  for (const item of taken) {
    if (items.length > 0 && length + item.length > PAGE_LENGTH) {
      yield { from, items }
      from += items.length
      items = []
      length = 0
    }
    items.push(item)
    length += item.length
  }
  if (items.length > 0) yield { from, items }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((length, text) => length + text.length, 0)
}
