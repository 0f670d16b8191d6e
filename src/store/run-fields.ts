import type { RunTrigger } from '../flows/component/component.ts'
import type { Column } from './copy/part.ts'
import type { NamedFiles } from './files.ts'

// What every run says of itself, and keeps: as it is accepted, in columns, and read back. A new field is written in this file and in
// both schemas, and both stores, the copy from one to the other and their children and tests have it.

export interface NewRun extends NamedFiles {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly trigger: RunTrigger
  readonly session: string
  readonly createdAt: number
  /** The request body, byte for byte. */
  readonly input: Uint8Array
  /** Facts of the request as JSON text, without credentials. */
  readonly request: string | null
  readonly replayOf: string | null
  /** The context that it runs in, where that is its caller's; null: that of its flow. */
  readonly context: string | null
  /**
   * As far as the process knows that accepts it, its flow is paused: the run is paused if that is so, or begins all the
   * same. Absent where it knows of no pause.
   */
  readonly whilePaused?: 'hold' | 'begin'
}

/** What it brings that is no column of it. */
export type BesidesRun = 'whilePaused' | keyof NamedFiles

type RunField = Exclude<keyof NewRun, BesidesRun>

/** Of a run that no request has brought. */
export const UNREQUESTED = { request: null, replayOf: null, context: null } as const satisfies Partial<NewRun>

interface RunColumn extends Column {
  readonly field: RunField
  /** Others have chosen it: it may be any text. */
  readonly isForeign?: true
}

/** Those that are long are read with the run by itself, and not in lists. */
export const RUN_COLUMNS = [
  { name: 'id', field: 'id', type: 'text', isForeign: true },
  { name: 'flow_id', field: 'flowId', type: 'text' },
  { name: 'flow_version', field: 'flowVersion', type: 'integer' },
  { name: 'trigger', field: 'trigger', type: 'text' },
  { name: 'session', field: 'session', type: 'text', isForeign: true },
  { name: 'created_at', field: 'createdAt', type: 'bigint' },
  { name: 'replay_of', field: 'replayOf', type: 'text' },
  { name: 'context', field: 'context', type: 'text' },
  { name: 'request', field: 'request', type: 'text', isLong: true },
  { name: 'input', field: 'input', type: 'bytea', isLong: true }
] as const satisfies readonly RunColumn[]

type ListedColumn = (typeof RUN_COLUMNS)[number]
type FactColumn = Exclude<ListedColumn, { isLong: true }>

/** What lists tell of a run, too. */
export const FACT_COLUMNS = RUN_COLUMNS.filter((column): column is FactColumn => !('isLong' in column))

/** A row of those columns by their names, as both stores have it. */
export type RunRow = { readonly [Each in FactColumn as Each['name']]: NewRun[Each['field']] } & {
  readonly seq: number
  /** 1 or null. */
  readonly is_test: number | null
}

// Written out, and not made of the list: a loop over names takes half a microsecond more for each, of the 30 that a run takes in all.

export function acceptedFields(seq: number, run: NewRun) {
  const { id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf, context } = run
  return { seq, id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf, context }
}

export function factsOfRow(row: RunRow): RunFacts {
  const facts = {
    seq: row.seq,
    id: row.id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    trigger: row.trigger,
    session: row.session,
    createdAt: row.created_at,
    replayOf: row.replay_of,
    context: row.context
  }
  return row.is_test === 1 ? { ...facts, isTest: true } : facts
}

interface RunFacts extends Omit<NewRun, 'input' | 'request' | BesidesRun> {
  readonly seq: number
  readonly isTest?: true
}

/** As `RUN_COLUMNS`, after the number of the run; the flow and the input as a store has them there. */
export function valuesOfRun<Flow>(seq: number, flow: Flow, run: NewRun): RunValues<Flow> {
  const { id, flowVersion, trigger, session, createdAt, replayOf, context, request, input } = run
  return [seq, id, flow, flowVersion, trigger, session, createdAt, replayOf, context, request, input]
}

export type RunValues<Flow, Input = Uint8Array> = [
  seq: number,
  id: string,
  flow: Flow,
  flowVersion: number,
  trigger: RunTrigger,
  session: string,
  createdAt: number,
  replayOf: string | null,
  context: string | null,
  request: string | null,
  input: Input
]

/** To be executed. */
export function runOfValues<Journal>(
  values: readonly [...RunValues<unknown, unknown>, ...unknown[]],
  { flowId, input, journal }: { flowId: string; input: string; journal: Journal }
) {
  const [seq, id, , flowVersion, trigger, session, createdAt, replayOf, context, request] = values
  const facts = { seq, id, flowId, flowVersion, trigger, session, createdAt, replayOf, context }
  return { ...facts, input, request, journal }
}
