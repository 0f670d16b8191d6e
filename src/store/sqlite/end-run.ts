import type { DatabaseSync } from 'node:sqlite'
import type { Outcome, RunRef } from '../store.ts'
import type { InternedNames } from './interned-names.ts'
import { prepareKeepUsage } from './model-usage.ts'
import type { OpenRuns } from './open-runs.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'
import type { StoredCounter } from './stored-counter.ts'
import type { WaitRows } from './wait-rows.ts'

export interface EndParts {
  readonly numbers: StoredCounter
  readonly ended: StoredCounter
  readonly open: OpenRuns
  readonly names: InternedNames
  readonly rows: RunRowBuffers
  readonly waitRows: WaitRows
}

/** Hot: once per run. Leaving the open ones is the comparison: whoever takes a run out of them ends it. */
export function prepareEnd(db: DatabaseSync, { numbers, ended, open, names, rows, waitRows }: EndParts) {
  const keepUsage = prepareKeepUsage(db)
  const messageIds = db.prepare('SELECT id FROM messages WHERE run_seq = ?')
  /** A run that was opened again ends with the messages of its earlier steps too; those are there already. */
  const unknownOf = (seq: number, messages: Outcome['messages']) => {
    const known = new Set(messageIds.all(seq).map((row) => row.id))
    return messages.filter(({ id }) => !known.has(id))
  }

  return (run: RunRef, outcome: Outcome): number | null => {
    const { seq } = run
    const wasOpenAs = open.ended(run)
    if (wasOpenAs === undefined) return null
    const { status, startedAt, finishedAt, error, steps } = outcome
    const no = numbers.add(1)
    const flow = names.numberOf(run.flowId)
    const nodes = names.numberOf(JSON.stringify(outcome.nodesWithOutput))
    rows.outcomes.add(seq, no, flow, status, startedAt, finishedAt, nodes, error, steps)
    for (const message of wasOpenAs === 'recorded' ? unknownOf(seq, outcome.messages) : outcome.messages) {
      const { session, createdAt, id, sender, text, long = null } = message
      rows.messages.add(seq, flow, session, createdAt, id, sender, text, long)
    }
    if (wasOpenAs === 'recorded') waitRows.runEnded(seq, finishedAt)
    for (const usage of outcome.usage) keepUsage(seq, usage)
    ended.add(1)
    return no
  }
}
