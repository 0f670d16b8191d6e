import type { DatabaseSync } from 'node:sqlite'
import { type OutcomeRow, storedOutcome } from '../../rows/run-row.ts'
import type { Change } from '../../store.ts'
import { flowIdOf, numberOfName, numbersOfNames } from '../file/interned-names.ts'
import { blockOf } from './block-times.ts'
import type { ReadTurns } from './read-turns.ts'
import { factsOf, outcomeColumns, type RunRowWithParent, runColumns } from './run-rows.ts'

interface Found {
  readonly no: number
  readonly kind: Change['kind']
  readonly run_seq: number
  readonly flow_id: string
}

interface EndedRow extends OutcomeRow {
  readonly id: string
}

/** So many characters of journal and steps are read at once: a page of runs with large outputs is a short one. */
const mostAtOnce = 512 * 1024

/** The three kinds of change, merged by number; children are in an index of their own. Goes block by block, like every search for a flow. */
export function prepareChanges(db: DatabaseSync, turns: ReadTurns) {
  const numbersIn = prepareForFlows(db, inBlock)
  const countIn = prepareForFlows(db, countInBlock)
  const nextBlock = prepareNextBlock(db)
  const details = prepareDetails(db)

  async function read(flowIds: FlowIds, after: number, limit: number): Promise<Change[]> {
    const changes: Change[] = []
    if (flowIds?.length === 0) return changes
    const [statement, flows] = numbersIn(flowIds)
    const pause = turns.begin()
    await pause()
    let size = 0
    let block = nextBlock(blockOf(after + 1))
    while (block !== null && changes.length < limit) {
      const found = statement.all(block, flows, after, limit - changes.length) as unknown as Found[]
      for (const each of found) {
        const change = details(each)
        changes.push(change)
        size += sizeOf(change)
        if (size > mostAtOnce) return changes
      }
      await pause()
      block = nextBlock(block + 1)
    }
    return changes
  }

  async function count(flowIds: FlowIds, after: number, most: number): Promise<number> {
    if (flowIds?.length === 0) return 0
    const [statement, flows] = countIn(flowIds)
    const pause = turns.begin()
    await pause()
    let counted = 0
    let block = nextBlock(blockOf(after + 1))
    while (block !== null && counted < most) {
      counted += (statement.get(block, flows, after) as { count: number }).count
      await pause()
      block = nextBlock(block + 1)
    }
    return Math.min(counted, most)
  }

  return { read, count }
}

type FlowIds = readonly string[] | null

/** One statement for all flows, one for a single flow and one for several: each has a plan of its own. */
function prepareForFlows(db: DatabaseSync, text: (whose: string) => string) {
  const ofAll = db.prepare(text('?2 IS NULL'))
  const ofFlow = db.prepare(text(`flow = ${numberOfName('?2')}`))
  const ofFlows = db.prepare(text(`flow IN ${numbersOfNames('?2')}`))
  return (flowIds: FlowIds) => {
    if (flowIds === null) return [ofAll, null] as const
    return flowIds.length === 1
      ? ([ofFlow, flowIds[0]!] as const)
      : ([ofFlows, JSON.stringify(flowIds)] as const)
  }
}

function prepareNextBlock(db: DatabaseSync) {
  const statement = db.prepare(
    `SELECT min(block) AS block FROM (
       SELECT min(block) AS block FROM runs WHERE block >= ?1 AND is_child IS NULL
       UNION ALL
       SELECT min(block) FROM runs WHERE block >= ?1 AND is_child = 1
       UNION ALL
       SELECT min(block) FROM journal WHERE block >= ?1
       UNION ALL
       SELECT min(block) FROM outcomes WHERE block >= ?1)`
  )
  return (from: number) => (statement.get(from) as { block: number | null }).block
}

function sizeOf(change: Change): number {
  if (change.kind === 'accepted') return 0
  return change.kind === 'journal' ? change.entry.length : change.outcome.steps.length
}

function countInBlock(whose: string): string {
  return `
    SELECT (SELECT count(*) FROM runs WHERE block = ?1 AND ${whose} AND seq > ?3 AND is_child IS NULL)
      + (SELECT count(*) FROM runs WHERE block = ?1 AND ${whose} AND seq > ?3 AND is_child = 1)
      + (SELECT count(*) FROM journal WHERE block = ?1 AND ${whose} AND no > ?3)
      + (SELECT count(*) FROM outcomes WHERE block = ?1 AND ${whose} AND no > ?3) AS count`
}

/** `+ 0`: SQLite looks at a bare parameter of LIMIT while it plans, and so plans anew at every call (25 µs). */
function inBlock(whose: string): string {
  return `
    SELECT no, kind, run_seq, ${flowIdOf('found')} FROM (
    SELECT seq AS no, 'accepted' AS kind, seq AS run_seq, flow FROM runs
      WHERE block = ?1 AND ${whose} AND seq > ?3 AND is_child IS NULL
    UNION ALL
    SELECT seq, 'accepted', seq, flow FROM runs WHERE block = ?1 AND ${whose} AND seq > ?3 AND is_child = 1
    UNION ALL
    SELECT no, 'journal', run_seq, flow FROM journal WHERE block = ?1 AND ${whose} AND no > ?3
    UNION ALL
    SELECT no, 'ended', seq, flow FROM outcomes WHERE block = ?1 AND ${whose} AND no > ?3
    ORDER BY no LIMIT ?4 + 0) AS found ORDER BY no`
}

function prepareDetails(db: DatabaseSync) {
  const run = db.prepare(`SELECT ${runColumns} FROM runs r WHERE r.seq = ?`)
  const journal = db.prepare(
    'SELECT j.entry, r.id FROM journal j JOIN runs r ON r.seq = j.run_seq WHERE j.no = ?'
  )
  const outcome = db.prepare(
    `SELECT r.id, ${outcomeColumns} FROM outcomes o JOIN runs r ON r.seq = o.seq WHERE o.seq = ?`
  )

  return ({ no, kind, run_seq, flow_id: flowId }: Found): Change => {
    if (kind === 'accepted') {
      return { kind, no, flowId, run: factsOf(run.get(run_seq) as unknown as RunRowWithParent) }
    }
    if (kind === 'journal') {
      const row = journal.get(no) as { entry: string; id: string }
      return { kind, no, flowId, runId: row.id, entry: row.entry }
    }
    const row = outcome.get(run_seq) as unknown as EndedRow
    return { kind, no, flowId, runId: row.id, outcome: storedOutcome(row)! }
  }
}
