import type { DatabaseSync } from 'node:sqlite'
import { InTurn } from '../../in-turn.ts'
import type { RunSummary } from '../../store.ts'
import { flowIdOf, numbersOfNames } from '../file/interned-names.ts'
import { BLOCK_LENGTH, blockOf } from './block-times.ts'
import type { ReadTurns } from './read-turns.ts'
import { runSummary, type SummaryRow, summaryColumns } from './run-rows.ts'

interface Numbered {
  readonly seq: number
  readonly flow_id: string
}

/** Nobody draws more than this many runs beside the name of a flow. */
export const mostRecent = 50

/** One entry per flow; past this the memory is emptied, and searches begin anew. */
const maxRemembered = 10_000

/** Runs read in one statement. */
const readAtOnce = 64

/**
 * The newest runs of each flow. For a flow that seldom or never runs the search goes back through every block
 * (50 ms per 1,000,000 runs, with pauses), so what it saw is remembered: the next one looks only at what was
 * accepted since. A run that was deleted meanwhile is simply not found any more; retention deletes the oldest
 * first, so none is missing in the middle. Tests are told by the few documents that they have, since the index that
 * is searched does not know them.
 */
export function prepareRecent(db: DatabaseSync, lastChange: () => number, turns: ReadTurns) {
  const remembered = prepareMemory(db, lastChange, turns)
  const read = db.prepare(
    `SELECT ${summaryColumns} FROM json_each(?) AS chosen
     CROSS JOIN runs r ON r.seq = chosen.value LEFT JOIN outcomes o ON o.seq = r.seq`
  )

  return async (flowIds: readonly string[], limit: number): Promise<Map<string, RunSummary[]>> => {
    const newest = await remembered(flowIds, limit)
    const found = new Map<string, RunSummary[]>()
    const pause = turns.begin()
    for (let at = 0; at < newest.length; at += readAtOnce) {
      await pause()
      const rows = read.all(JSON.stringify(newest.slice(at, at + readAtOnce))) as unknown as SummaryRow[]
      for (const row of rows) {
        const runs = found.get(row.flow_id) ?? []
        found.set(row.flow_id, runs)
        runs.push(runSummary(row))
      }
    }
    return found
  }
}

/** What is known of a flow: of its runs up to a number, the newest, newest first. */
interface Known {
  upTo: number
  seqs: number[]
}

/** A search that is under way: what it has found, and where it need not look any more. */
interface Search {
  readonly flowId: string
  readonly known: Known
  readonly found: number[]
}

/** The numbers of the newest runs of each flow, newest first. */
function prepareMemory(db: DatabaseSync, lastChange: () => number, turns: ReadTurns) {
  const newestBlock = db.prepare(
    'SELECT max(block) AS block FROM runs WHERE block BETWEEN ? AND ? AND is_child IS NULL'
  )
  const inBlock = db.prepare(
    `SELECT seq, ${flowIdOf('runs')} FROM runs
     WHERE block = ?1 AND flow IN ${numbersOfNames('?2')} AND seq <= ?3 AND is_child IS NULL
       AND seq NOT IN (SELECT run_seq FROM test_documents WHERE run_seq >= ?1 * ${BLOCK_LENGTH} AND run_seq < (?1 + 1) * ${BLOCK_LENGTH})
     ORDER BY seq DESC`
  )
  const byFlow = new Map<string, Known>()
  const inTurn = new InTurn()

  function knownOf(flowId: string): Known {
    if (byFlow.size >= maxRemembered) byFlow.clear()
    const known = byFlow.get(flowId) ?? { upTo: 0, seqs: [] }
    byFlow.set(flowId, known)
    return known
  }

  /** From the newest block back, for each flow until it has enough or meets what is known. */
  async function look(searches: readonly Search[], upTo: number): Promise<void> {
    const pause = turns.begin()
    let open = searches
    let top = blockOf(upTo)
    while (open.length > 0) {
      await pause()
      const lowest = Math.min(...open.map(({ known }) => blockOf(known.upTo + 1)))
      const { block } = newestBlock.get(lowest, top) as { block: number | null }
      if (block === null) return
      take(open, inBlock.all(block, JSON.stringify(open.map(({ flowId }) => flowId)), upTo))
      open = open.filter(({ known, found }) => found.length < mostRecent && blockOf(known.upTo + 1) < block)
      top = block - 1
    }
  }

  function take(searches: readonly Search[], rows: unknown[]): void {
    const search = new Map(searches.map((each) => [each.flowId, each]))
    for (const { seq, flow_id } of rows as Numbered[]) {
      const { known, found } = search.get(flow_id)!
      if (seq > known.upTo && found.length < mostRecent) found.push(seq)
    }
  }

  async function lookOn(flowIds: readonly string[]): Promise<Known[]> {
    const upTo = lastChange()
    const searches = flowIds.map((flowId): Search => ({ flowId, known: knownOf(flowId), found: [] }))
    await look(searches, upTo)
    // Only now: a search that fails on its way must not be taken for one that found nothing.
    for (const { known, found } of searches) {
      known.seqs = [...found, ...known.seqs].slice(0, mostRecent)
      known.upTo = upTo
    }
    return searches.map(({ known }) => known)
  }

  return async (flowIds: readonly string[], limit: number): Promise<number[]> => {
    // One after the other: two at the same time would both find, and remember, the same.
    const known = await inTurn.do(() => lookOn(flowIds))
    return known.flatMap(({ seqs }) => seqs.slice(0, limit))
  }
}
