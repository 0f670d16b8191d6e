import { acceptedFields, valuesOfRun } from '../../run-fields.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { InternedNames } from '../file/interned-names.ts'
import type { StoredCounter } from '../file/stored-counter.ts'
import type { BlockTimes } from './block-times.ts'
import type { OpenRuns } from './open-runs.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'

export interface AcceptParts {
  readonly numbers: StoredCounter
  readonly open: OpenRuns
  readonly names: InternedNames
  readonly blockTimes: BlockTimes
  readonly rows: RunRowBuffers
  /** Of what it names. */
  readonly keepFiles: (seq: number, run: NewRun) => void
}

/** Hot: once per webhook. */
export function prepareAccept(parts: AcceptParts) {
  const { numbers, open, names, blockTimes, rows, keepFiles } = parts
  return (run: NewRun): AcceptedRun => {
    const { flowId } = run
    const seq = numbers.add(1)
    rows.runs.add(valuesOfRun(seq, names.numberOf(flowId), run))
    const state = open.accepted(seq, flowId, run.whilePaused === 'begin')
    blockTimes.note(seq, run.createdAt)
    if (run.files !== undefined || run.uses !== undefined) keepFiles(seq, run)
    const accepted = acceptedFields(seq, run)
    return state === 'paused' ? { ...accepted, isPaused: true } : accepted
  }
}
