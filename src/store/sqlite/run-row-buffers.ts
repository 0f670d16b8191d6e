import type { DatabaseSync } from 'node:sqlite'
import { RowBuffer } from './row-buffer.ts'

/** For the rows that every run brings. */
export interface RunRowBuffers {
  readonly runs: RowBuffer
  readonly outcomes: RowBuffer
  readonly messages: RowBuffer
}

const RUN = 'seq, id, flow, flow_version, trigger, session, created_at, replay_of, request, input'.split(', ')
const OUTCOME = 'seq, no, flow, status, started_at, finished_at, nodes, error, steps'.split(', ')
const MESSAGE = 'run_seq, flow, session, created_at, id, sender, text, long'.split(', ')

export function createRunRowBuffers(db: DatabaseSync): RunRowBuffers {
  return {
    runs: new RowBuffer(db, 'runs', RUN),
    outcomes: new RowBuffer(db, 'outcomes', OUTCOME),
    messages: new RowBuffer(db, 'messages', MESSAGE)
  }
}
