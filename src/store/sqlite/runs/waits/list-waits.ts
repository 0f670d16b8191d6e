import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { StoredWait, WaitFilter, WaitState } from '../../../waits.ts'
import { flowIdOf, numberOfName } from '../../file/interned-names.ts'

interface WaitRow {
  readonly id: string
  readonly run_seq: number
  readonly run_id: string
  readonly flow_id: string
  readonly is_test: number | null
  readonly node: string
  readonly kind: StoredWait['kind']
  readonly state: WaitState
  readonly created_at: number
  readonly expires_at: number | null
  readonly ended_at: number | null
  readonly question: string | null
  readonly answer: string | null
}

const STATES: readonly WaitState[] = ['open', 'woken', 'over']

const COLUMNS = `
  SELECT w.id, w.run_seq, r.id AS run_id, ${flowIdOf('w')}, r.is_test, w.node, w.kind, w.state, w.created_at, w.expires_at,
    w.ended_at, w.question, w.answer
  FROM waits w CROSS JOIN runs r ON r.seq = w.run_seq`

/** Where the last page ended, and how many there may be. */
const PAGE = '(w.created_at, w.id) < (?, ?) ORDER BY w.created_at DESC, w.id DESC LIMIT ? + 0'
const OF_STATE = `${COLUMNS} WHERE w.id IS NOT NULL AND w.kind = ? AND w.state = ?`

export function prepareReadWaits(db: DatabaseSync) {
  const byId = db.prepare(`${COLUMNS} WHERE w.id = ?`)
  const ofRun = db.prepare(
    `${COLUMNS} WHERE w.run_seq = ? AND w.id IS NOT NULL AND w.kind = ? AND w.state = coalesce(?, w.state) AND ${PAGE}`
  )
  const ofAll = db.prepare(`${OF_STATE} AND ${PAGE}`)
  const ofFlow = db.prepare(`${OF_STATE} AND w.flow = ${numberOfName('?')} AND ${PAGE}`)

  /** Each state and each flow is a stretch of an index of its own: so many from each are enough to choose from. */
  function* found({ kind, state, flowIds, runSeq, before, limit }: WaitFilter): Generator<unknown[]> {
    const page: SQLInputValue[] = [before?.createdAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', limit]
    if (runSeq !== undefined) return yield ofRun.all(runSeq, kind, state ?? null, ...page)
    for (const each of state === undefined ? STATES : [state]) {
      if (flowIds === undefined) yield ofAll.all(kind, each, ...page)
      else for (const flowId of flowIds) yield ofFlow.all(kind, each, flowId, ...page)
    }
  }

  return {
    byId(id: string): StoredWait | undefined {
      const row = byId.get(id) as unknown as WaitRow | undefined
      return row === undefined ? undefined : storedWait(row)
    },

    list(filter: WaitFilter): StoredWait[] {
      const flowIds = filter.flowIds === undefined ? undefined : new Set(filter.flowIds)
      return [...found(filter)]
        .flatMap((rows) => (rows as WaitRow[]).map(storedWait))
        .filter((wait) => flowIds === undefined || flowIds.has(wait.flowId))
        .sort(newestFirst)
        .slice(0, filter.limit)
    }
  }
}

function newestFirst(a: StoredWait, b: StoredWait): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

function storedWait(row: WaitRow): StoredWait {
  const { id, node, kind, state, question, answer } = row
  return {
    id,
    node,
    kind,
    state,
    question,
    answer,
    runSeq: row.run_seq,
    runId: row.run_id,
    flowId: row.flow_id,
    isTest: row.is_test === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at
  }
}
