import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ChildRange, RunFilter } from '../../store.ts'
import { numberOfName, numbersOfNames } from '../file/interned-names.ts'
import { blockOf } from './block-times.ts'
import type { OpenRuns } from './open-runs.ts'
import { IS_CHILD, IS_STORED_ALONE } from './queue-rows.ts'

/**
 * Where a list takes its candidates from: chunks of run numbers, newest first, each below all before. A chunk
 * may be empty. Between two chunks no statement is open, so writes may happen.
 */
type RunSource = Generator<number[], void>

const chunk = 512

/**
 * A source gives every run that can match the filter, and as few others as an index allows; the rest of the
 * filter is checked row by row. With a flow and a rare status both given, the status is the better guess:
 * failed runs are few, runs of the flow that somebody looks at are many.
 */
export function prepareSources(db: DatabaseSync, openRuns: OpenRuns) {
  // Block by block, from the index that children are not in: after a run with 100,000 of them there is nothing else.
  const all = db.prepare(
    'SELECT seq FROM runs WHERE block = ?1 AND ?2 IS NULL AND is_child IS NULL AND seq < ?3 ORDER BY seq DESC'
  )
  const ofParent = db.prepare(
    `SELECT seq FROM children WHERE parent_seq = ? AND seq < ? ORDER BY seq DESC LIMIT ${chunk}`
  )
  // Each by the index that has its order: one of a hundred thousand children would have them sorted for every chunk.
  const ofNode = db.prepare(
    `SELECT seq FROM children INDEXED BY children_by_parent
     WHERE parent_seq = ? AND seq < ? AND node = ${numberOfName('?')} ORDER BY seq DESC LIMIT ${chunk}`
  )
  const ofRange = db.prepare(
    `SELECT seq FROM children INDEXED BY children_by_node
     WHERE parent_seq = ? AND seq < ? AND node = ${numberOfName('?')} AND child_index >= ? AND child_index < ?
     ORDER BY seq DESC LIMIT ${chunk}`
  )
  const withOutcome = db.prepare(
    `SELECT seq FROM outcomes
     WHERE status = ? AND status <> 'succeeded' AND is_child IS NULL AND seq < ? ORDER BY seq DESC LIMIT ${chunk}`
  )
  const stored = db.prepare(
    `SELECT seq FROM queue
     WHERE ${IS_STORED_ALONE} AND NOT ${IS_CHILD} AND seq < ? ORDER BY seq DESC LIMIT ${chunk}`
  )
  const pausing = db.prepare(
    `SELECT seq FROM queue
     WHERE ${IS_STORED_ALONE} AND is_waiting IS NOT 1 AND NOT ${IS_CHILD} AND seq < ?
     ORDER BY seq DESC LIMIT ${chunk}`
  )
  const waiting = db.prepare(
    `SELECT seq FROM queue WHERE is_waiting = 1 AND seq < ? ORDER BY seq DESC LIMIT ${chunk}`
  )
  const tests = db.prepare(
    `SELECT run_seq FROM test_documents WHERE run_seq < ? ORDER BY run_seq DESC LIMIT ${chunk}`
  )
  const blocks = db.prepare(`SELECT block FROM blocks WHERE block <= ? ORDER BY block DESC LIMIT ${chunk}`)
  const ofFlow = db.prepare(
    `SELECT seq FROM runs WHERE block = ?1 AND flow = ${numberOfName('?2')} AND is_child IS NULL AND seq < ?3
     ORDER BY seq DESC`
  )
  const ofFlows = db.prepare(
    `SELECT seq FROM runs
     WHERE block = ?1 AND flow IN ${numbersOfNames('?2')} AND is_child IS NULL AND seq < ?3
     ORDER BY seq DESC`
  )
  for (const statement of [
    all,
    ofParent,
    ofNode,
    ofRange,
    withOutcome,
    stored,
    pausing,
    waiting,
    tests,
    blocks,
    ofFlow,
    ofFlows
  ])
    statement.setReturnArrays(true)

  function* inChunks(next: (below: number) => unknown[], below: number): RunSource {
    for (;;) {
      const seqs = numbers(next(below))
      if (seqs.length === 0) return
      yield seqs
      below = seqs[seqs.length - 1]!
    }
  }

  /** Those that are not queued are in the table alone, all others are in memory. */
  function* open(inStore: StatementSync, below: number): RunSource {
    for (let last = below; last > 0; ) {
      const inTable = numbers(inStore.all(last))
      const from = inTable.length < chunk ? 0 : inTable[chunk - 1]!
      const inMemory = openRuns.below(last).filter((seq) => seq >= from)
      const seqs = [...inTable, ...inMemory].sort((a, b) => b - a)
      for (let at = 0; at < seqs.length; at += chunk) yield seqs.slice(at, at + chunk)
      last = from
    }
  }

  function* inBlocks(flowIds: readonly string[] | undefined, below: number): RunSource {
    const [statement, flows] = inBlock(flowIds)
    for (let last = blockOf(below - 1); ; ) {
      const group = numbers(blocks.all(last))
      if (group.length === 0) return
      for (const block of group) yield numbers(statement.all(block, flows, below))
      last = group[group.length - 1]! - 1
    }
  }

  function inBlock(flowIds: readonly string[] | undefined) {
    if (flowIds === undefined) return [all, null] as const
    return flowIds.length === 1
      ? ([ofFlow, flowIds[0]!] as const)
      : ([ofFlows, JSON.stringify(flowIds)] as const)
  }

  function childrenBelow(parentSeq: number, before: number, range: ChildRange | undefined): unknown[] {
    if (range === undefined) return ofParent.all(parentSeq, before)
    const { node, fromIndex = 0, belowIndex } = range
    if (fromIndex === 0 && belowIndex === undefined) return ofNode.all(parentSeq, before, node)
    return ofRange.all(parentSeq, before, node, fromIndex, belowIndex ?? Number.MAX_SAFE_INTEGER)
  }

  return (filter: RunFilter, below: number): RunSource => {
    const { status, flowIds, isTest, parentSeq } = filter
    if (parentSeq !== undefined) {
      return inChunks((before) => childrenBelow(parentSeq, before, filter.childrenOf), below)
    }
    if (isTest === true) return inChunks((before) => tests.all(before), below)
    if (status === 'open') return open(stored, below)
    if (status === 'not waiting') return open(pausing, below)
    if (status === 'waiting') return inChunks((before) => waiting.all(before), below)
    if (status === 'failed' || status === 'cancelled') {
      return inChunks((before) => withOutcome.all(status, before), below)
    }
    return inBlocks(flowIds, below)
  }
}

/** The only column of rows, which were read as arrays. */
function numbers(rows: unknown[]): number[] {
  return rows.map((row) => (row as [number])[0])
}
