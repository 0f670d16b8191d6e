import type { DatabaseSync } from 'node:sqlite'
import {
  type Child,
  type ChildCounts,
  type FlowVersion,
  NO_CHILDREN,
  type OpenRun
} from '../../../children.ts'
import { type ChildRow, storedChild } from '../../../rows/child-row.ts'
import { flowIdOf, numberOfName } from '../../file/interned-names.ts'
import { IS_CHILD } from '../queue-rows.ts'
import type { ReadTurns } from '../read-turns.ts'
import { prepareIsBelow, prepareIsOrphaned } from './orphaned.ts'
import { prepareUsageBelow } from './usage-below.ts'

interface BelowRow {
  readonly seq: number
  readonly id: string
  readonly flow_id: string
  readonly depth: number
  readonly awaited_by: number | null
  readonly detached_from: number | null
}

interface CountRow {
  readonly status: keyof ChildCounts
  readonly count: number
}

const CHUNK = 512

export function prepareReadChildren(db: DatabaseSync, turns: ReadTurns) {
  const ofNode = db.prepare(
    `SELECT c.seq, r.id, ${flowIdOf('r')}, c.child_index, o.status, o.finished_at, o.error, o.steps
     FROM children c CROSS JOIN runs r ON r.seq = c.seq LEFT JOIN outcomes o ON o.seq = c.seq
     WHERE c.parent_seq = ? AND c.node = ${numberOfName('?')} AND c.child_index >= ?
     ORDER BY c.child_index, c.seq LIMIT ? + 0`
  )
  const lastOfNode = db.prepare(
    `SELECT c.seq, r.id, ${flowIdOf('r')}, c.child_index, o.status, o.finished_at, o.error, o.steps
     FROM children c CROSS JOIN runs r ON r.seq = c.seq LEFT JOIN outcomes o ON o.seq = c.seq
     WHERE c.parent_seq = ? AND c.node = ${numberOfName('?')} ORDER BY c.child_index DESC LIMIT 1`
  )
  const lastIndex = db.prepare(
    `SELECT max(child_index) AS last FROM children WHERE parent_seq = ? AND node = ${numberOfName('?')}`
  )
  const countsIn = db.prepare(
    `SELECT coalesce(o.status, 'open') AS status, count(*) AS count
     FROM children c LEFT JOIN outcomes o ON o.seq = c.seq
     WHERE c.parent_seq = ? AND c.node = ${numberOfName('?')} AND c.child_index >= ? AND c.child_index < ?
     GROUP BY 1`
  )
  const isBelow = prepareIsBelow(db)
  const root = db.prepare('SELECT root_seq FROM children WHERE seq = ?')
  const openOf = db.prepare(
    `SELECT q.seq, r.id, q.flow_id, q.depth, q.awaited_by, q.detached_from FROM queue q CROSS JOIN runs r ON r.seq = q.seq
     WHERE q.root_seq = ? AND (q.depth, q.seq) > (?, ?) ORDER BY q.depth, q.seq LIMIT ${CHUNK}`
  )
  const openChildren = db.prepare(
    `SELECT q.seq, q.flow_id AS flowId, r.flow_version AS flowVersion, r.context FROM queue q CROSS JOIN runs r ON r.seq = q.seq
     WHERE q.seq > ? AND ${IS_CHILD} ORDER BY q.seq LIMIT ${CHUNK}`
  )

  const isOrphaned = prepareIsOrphaned(db)

  /**
   * Goes through all that are open below the same root, in chunks: those below an ended run are among them. What holds for one of some siblings
   * holds for all of them, and is asked once.
   */
  async function belowWhere(
    seq: number,
    limit: number,
    isWanted: (row: BelowRow) => boolean
  ): Promise<OpenRun[]> {
    const rootSeq = (root.get(seq) as { root_seq: number } | undefined)?.root_seq ?? seq
    const wanted = new Map<string, boolean>()
    const isFound = (row: BelowRow) => {
      const siblings = `${row.awaited_by} ${row.detached_from}`
      let is = wanted.get(siblings)
      if (is === undefined) {
        is = (rootSeq === seq || isBelow(row.seq, seq)) && isWanted(row)
        wanted.set(siblings, is)
      }
      return is
    }
    const found: OpenRun[] = []
    const pause = turns.begin()
    for (let last: BelowRow | undefined; found.length < limit; ) {
      await pause()
      const rows = openOf.all(rootSeq, last?.depth ?? 0, last?.seq ?? 0) as unknown as BelowRow[]
      if (rows.length === 0) break
      for (const row of rows) if (isFound(row)) found.push({ seq: row.seq, id: row.id, flowId: row.flow_id })
      last = rows.at(-1)
    }
    return found.slice(0, limit)
  }

  return {
    children(parentSeq: number, node: string, fromIndex: number, limit: number): Child[] {
      const rows = ofNode.all(parentSeq, node, fromIndex, limit) as unknown as ChildRow[]
      return rows.map(storedChild)
    },

    lastChild(parentSeq: number, node: string): Child | undefined {
      const row = lastOfNode.get(parentSeq, node) as ChildRow | undefined
      return row && storedChild(row)
    },

    /** In chunks: there may be a hundred thousand. */
    async countChildren(parentSeq: number, node: string): Promise<ChildCounts> {
      const { last } = lastIndex.get(parentSeq, node) as { last: number | null }
      const counts = { ...NO_CHILDREN }
      const pause = turns.begin()
      for (let from = 0; from <= (last ?? -1); from += CHUNK) {
        await pause()
        const rows = countsIn.all(parentSeq, node, from, from + CHUNK) as unknown as CountRow[]
        for (const { status, count } of rows) counts[status] += count
      }
      return counts
    },

    isOrphaned,

    usageBelow: prepareUsageBelow(db, turns),

    orphanedBelow(seq: number, limit: number): Promise<OpenRun[]> {
      return belowWhere(seq, limit, (row) => isOrphaned(row.seq))
    },

    openBelow(seq: number, limit: number): Promise<OpenRun[]> {
      return belowWhere(seq, limit, () => true)
    },

    async openChildVersions(): Promise<FlowVersion[]> {
      const versions = new Map<string, FlowVersion>()
      const pause = turns.begin()
      for (let after: number | undefined = 0; after !== undefined; ) {
        await pause()
        const rows = openChildren.all(after) as unknown as (FlowVersion & { seq: number })[]
        for (const { flowId, flowVersion, context } of rows)
          versions.set(`${flowId}@${flowVersion}${context ?? ''}`, { flowId, flowVersion, context })
        after = rows.at(-1)?.seq
      }
      return [...versions.values()]
    }
  }
}
