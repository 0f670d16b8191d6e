import type { DatabaseSync } from 'node:sqlite'
import type { Outcome, RunRef } from '../../store.ts'
import type { InternedNames } from '../file/interned-names.ts'
import type { StoredCounter } from '../file/stored-counter.ts'
import type { FamilyEnds } from './children/family-ends.ts'
import { prepareKeepUsage } from './model-usage.ts'
import type { OpenRuns } from './open-runs.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'

export interface OutcomeParts {
  readonly numbers: StoredCounter
  readonly names: InternedNames
  readonly rows: RunRowBuffers
}

export interface EndParts {
  /** Of runs that no other one started. */
  readonly ended: StoredCounter
  readonly open: OpenRuns
  readonly outcomeRows: OutcomeRows
  readonly familyEnds: FamilyEnds
}

/** Hot: once per run. */
export function prepareOutcomeRows(db: DatabaseSync, { numbers, names, rows }: OutcomeParts) {
  const keepUsage = prepareKeepUsage(db)

  return {
    /** Returns the number of this change. */
    add(
      { seq, flowId }: RunRef,
      outcome: Outcome,
      kept: { messages?: Outcome['messages']; isChild: boolean }
    ) {
      const { status, startedAt, finishedAt, error, steps } = outcome
      const no = numbers.add(1)
      const flow = names.numberOf(flowId)
      const nodes = names.numberOf(JSON.stringify(outcome.nodesWithOutput))
      if (kept.isChild)
        rows.childOutcomes.add(seq, no, flow, status, startedAt, finishedAt, nodes, error, steps, 1)
      else rows.outcomes.add(seq, no, flow, status, startedAt, finishedAt, nodes, error, steps)
      for (const message of kept.messages ?? outcome.messages) {
        const { session, createdAt, id, sender, text, long = null } = message
        rows.messages.add(seq, flow, session, createdAt, id, sender, text, long)
      }
      for (const usage of outcome.usage) keepUsage(seq, usage)
      return no
    }
  }
}

export type OutcomeRows = ReturnType<typeof prepareOutcomeRows>

const PLAIN = { isChild: false }

/** Leaving the open ones is the comparison: whoever takes a run out of them ends it. */
export function prepareEnd(db: DatabaseSync, { ended, open, outcomeRows, familyEnds }: EndParts) {
  const messageIds = db.prepare('SELECT id FROM messages WHERE run_seq = ?')
  /** A run that was opened again ends with the messages of its earlier steps too; those are there already. */
  const unknownOf = (seq: number, messages: Outcome['messages']) => {
    const known = new Set(messageIds.all(seq).map((row) => row.id))
    return messages.filter(({ id }) => !known.has(id))
  }

  return (run: RunRef, outcome: Outcome): number | null | Promise<number> => {
    const was = open.ended(run)
    if (was === undefined) return null
    if (was === 'fresh') {
      ended.add(1)
      return outcomeRows.add(run, outcome, PLAIN)
    }
    const isChild = was.siblings !== null
    if (!isChild) ended.add(1)
    const no = outcomeRows.add(run, outcome, { messages: unknownOf(run.seq, outcome.messages), isChild })
    const rest = familyEnds(run, was, outcome)
    return rest === undefined ? no : rest.then(() => no)
  }
}
