import type { Column } from '../../copy/part.ts'
import { RUN_COLUMNS } from '../../run-fields.ts'
import type { NewRun } from '../../store.ts'
import { bigintArray, byteaArray, integerArray, textArray } from '../database/binary-arrays.ts'
import { storableText } from '../database/storable-text.ts'

const names = RUN_COLUMNS.map(({ name }) => name).join(', ')

/**
 * Columns of runs that a statement is given, as lists: its first values, as `runLists` makes them. They are taken apart where columns
 * are selected and not in FROM, where each would be stored a second time.
 */
export const givenRuns = RUN_COLUMNS.map(
  ({ name, type }, at) => `unnest(${parameter(at)}::${type}[]) AS ${name}`
).join(', ')

/** How many of the values those are. */
export const GIVEN = RUN_COLUMNS.length

export const givenFlowIds = parameter(RUN_COLUMNS.findIndex(({ name }) => name === 'flow_id'))

/** Inserts runs of rows that have those columns and a number. */
export function insertRuns(from: string, more: Readonly<Record<string, string>> = {}): string {
  const [others, values] = [Object.keys(more), Object.values(more)]
  return `INSERT INTO millrace.runs (${['seq', names, ...others].join(', ')})
    SELECT ${['seq', names, ...values].join(', ')} FROM ${from}`
}

export function runLists(runs: readonly NewRun[]): Buffer[] {
  return RUN_COLUMNS.map(({ type, field, ...column }) => {
    const values = runs.map((run) => run[field])
    return listOf[type]('isForeign' in column ? values.map(storable) : values)
  })
}

const listOf: Readonly<Record<Column['type'], (values: readonly unknown[]) => Buffer>> = {
  text: (values) => textArray(values as (string | null)[]),
  integer: (values) => integerArray(values as number[]),
  bigint: (values) => bigintArray(values as number[]),
  bytea: (values) => byteaArray(values as Uint8Array[])
}

function storable(value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value
}

function parameter(at: number): string {
  return `$${at + 1}`
}
