import type { DatabaseSync } from 'node:sqlite'
import { RUN_COLUMNS } from '../../run-fields.ts'
import { RowBuffer } from './row-buffer.ts'

/** For the rows that every run brings. */
export interface RunRowBuffers {
  readonly runs: RowBuffer
  readonly outcomes: RowBuffer
  readonly messages: RowBuffer
  /** For children: what others bring is written without a word about them. */
  readonly childRuns: RowBuffer
  readonly childOutcomes: RowBuffer
  readonly children: RowBuffer
}

/** As `valuesOfRun` gives them. */
export const RUN = ['seq', ...RUN_COLUMNS.map(({ name }) => (name === 'flow_id' ? 'flow' : name))]
const OUTCOME = 'seq, no, flow, status, started_at, finished_at, nodes, error, steps'.split(', ')
const CHILD = 'seq, parent_seq, node, child_index, depth, is_awaited, parent_flow, parent_id, root_seq'.split(
  ', '
)
const MESSAGE = 'run_seq, flow, session, created_at, id, sender, text, long'.split(', ')

export function createRunRowBuffers(db: DatabaseSync): RunRowBuffers {
  return {
    runs: new RowBuffer(db, 'runs', RUN),
    outcomes: new RowBuffer(db, 'outcomes', OUTCOME),
    messages: new RowBuffer(db, 'messages', MESSAGE),
    childRuns: new RowBuffer(db, 'runs', [...RUN, 'is_test', 'is_child']),
    childOutcomes: new RowBuffer(db, 'outcomes', [...OUTCOME, 'is_child']),
    children: new RowBuffer(db, 'children', CHILD)
  }
}
