import type { DatabaseSync } from 'node:sqlite'
import type { Outcome, RunRef } from '../../store.ts'
import type { InternedNames } from '../file/interned-names.ts'
import type { StoredCounter } from '../file/stored-counter.ts'
import type { FamilyEnds } from './children/family-ends.ts'
import { prepareKeepUsage } from './model-usage.ts'
import type { OpenRuns } from './open-runs.ts'
import type { Print } from './print-messages.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'

interface OutcomeParts {
  readonly numbers: StoredCounter
  readonly names: InternedNames
  readonly rows: RunRowBuffers
  readonly print: Print
}

interface EndParts {
  /** Of runs that no other one started. */
  readonly ended: StoredCounter
  readonly open: OpenRuns
  readonly outcomeRows: OutcomeRows
  readonly familyEnds: FamilyEnds
}

/** Hot: once per run. */
export function prepareOutcomeRows(db: DatabaseSync, { numbers, names, rows, print }: OutcomeParts) {
  const keepUsage = prepareKeepUsage(db)
  const numberOfNodes = prepareNumberOfNodes(names)

  return {
    /** Returns the number of this change. */
    add(run: RunRef, outcome: Outcome, kept: { hasPrinted?: true; isChild: boolean }) {
      const { seq, flowId } = run
      const { status, startedAt, finishedAt, error, steps } = outcome
      const no = numbers.add(1)
      const flow = names.numberOf(flowId)
      const nodes = numberOfNodes(outcome.nodesWithOutput)
      if (kept.isChild)
        rows.childOutcomes.add([seq, no, flow, status, startedAt, finishedAt, nodes, error, steps, 1])
      else rows.outcomes.add([seq, no, flow, status, startedAt, finishedAt, nodes, error, steps])
      if (kept.hasPrinted === true) print.addUnknown(run, outcome.messages)
      else print.add(run, outcome.messages)
      for (const usage of outcome.usage) keepUsage(seq, usage)
      return no
    }
  }
}

/** Runs of a flow mostly put out what the one before did: to print that anew was 3 % of what a run allocates. */
function prepareNumberOfNodes(names: InternedNames) {
  let last: readonly string[] = []
  let printed = '[]'
  return (nodes: readonly string[]): number => {
    if (nodes.length !== last.length || nodes.some((node, at) => node !== last[at])) {
      last = nodes
      printed = JSON.stringify(nodes)
    }
    return names.numberOf(printed)
  }
}

export type OutcomeRows = ReturnType<typeof prepareOutcomeRows>

const PLAIN = { isChild: false }

/** Leaving the open ones is the comparison: whoever takes a run out of them ends it. */
export function prepareEnd({ ended, open, outcomeRows, familyEnds }: EndParts) {
  return (run: RunRef, outcome: Outcome): number | null | Promise<number> => {
    const was = open.ended(run)
    if (was === undefined) return null
    if (was === 'fresh') {
      ended.add(1)
      return outcomeRows.add(run, outcome, PLAIN)
    }
    const isChild = was.rootSeq !== null
    if (!isChild) ended.add(1)
    const no = outcomeRows.add(run, outcome, { hasPrinted: true, isChild })
    const rest = familyEnds(run, was, outcome)
    return rest === undefined ? no : rest.then(() => no)
  }
}
