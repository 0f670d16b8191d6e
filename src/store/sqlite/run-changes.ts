import type { DatabaseSync } from 'node:sqlite'
import { type OutcomeRow, type RunRow, runFacts, storedOutcome } from '../rows/run-row.ts'
import type { Change } from '../store.ts'
import { blockOf } from './block-times.ts'
import { flowIdOf, numberOfFlow, numbersOfFlows } from './interned-names.ts'
import { createPauser } from './pauser.ts'
import { outcomeColumns, runColumns } from './run-rows.ts'

interface Found {
  readonly no: number
  readonly kind: Change['kind']
  readonly run_seq: number
  readonly flow_id: string
}

interface EndedRow extends OutcomeRow {
  readonly id: string
}

/** The three kinds of change, merged by number. Goes by blockTimes, like every search for a flow. */
export function prepareChanges(db: DatabaseSync) {
  const ofAll = db.prepare(inStretch('?2 IS NULL'))
  const ofFlow = db.prepare(inStretch(`flow = ${numberOfFlow('?2')}`))
  const ofFlows = db.prepare(inStretch(`flow IN ${numbersOfFlows('?2')}`))
  const nextStretch = db.prepare(
    `SELECT min(stretch) AS stretch FROM (
       SELECT min(stretch) AS stretch FROM runs WHERE stretch >= ?1
       UNION ALL
       SELECT min(stretch) FROM journal WHERE stretch >= ?1
       UNION ALL
       SELECT min(stretch) FROM outcomes WHERE stretch >= ?1)`
  )
  const details = prepareDetails(db)

  return async (flowIds: readonly string[] | null, after: number, limit: number): Promise<Change[]> => {
    const changes: Change[] = []
    if (flowIds?.length === 0) return changes
    const [statement, flows] = statementFor(flowIds)
    const pause = createPauser()
    let stretch = next(blockOf(after + 1))
    while (stretch !== null && changes.length < limit) {
      const found = statement.all(stretch, flows, after, limit - changes.length) as unknown as Found[]
      for (const each of found) changes.push(details(each))
      await pause()
      stretch = next(stretch + 1)
    }
    return changes
  }

  function statementFor(flowIds: readonly string[] | null) {
    if (flowIds === null) return [ofAll, null] as const
    return flowIds.length === 1
      ? ([ofFlow, flowIds[0]!] as const)
      : ([ofFlows, JSON.stringify(flowIds)] as const)
  }

  function next(from: number): number | null {
    return (nextStretch.get(from) as { stretch: number | null }).stretch
  }
}

/** `+ 0`: SQLite looks at a bare parameter of LIMIT while it plans, and so plans anew at every call (25 µs). */
function inStretch(whose: string): string {
  return `
    SELECT no, kind, run_seq, ${flowIdOf('found')} FROM (
    SELECT seq AS no, 'accepted' AS kind, seq AS run_seq, flow FROM runs
      WHERE stretch = ?1 AND ${whose} AND seq > ?3
    UNION ALL
    SELECT no, 'journal', run_seq, flow FROM journal WHERE stretch = ?1 AND ${whose} AND no > ?3
    UNION ALL
    SELECT no, 'ended', seq, flow FROM outcomes WHERE stretch = ?1 AND ${whose} AND no > ?3
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
      return { kind, no, flowId, run: runFacts(run.get(run_seq) as unknown as RunRow) }
    }
    if (kind === 'journal') {
      const row = journal.get(no) as { entry: string; id: string }
      return { kind, no, flowId, runId: row.id, entry: row.entry }
    }
    const row = outcome.get(run_seq) as unknown as EndedRow
    return { kind, no, flowId, runId: row.id, outcome: storedOutcome(row)! }
  }
}
