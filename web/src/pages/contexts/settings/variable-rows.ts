import { VARIABLE_NAME } from '../../../../../src/flows/component/context-variables.ts'
import { isLinkName } from '../../../../../src/flows/graph/run-links.ts'
import { type JsonValue, jsonIn, parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'

/** A variable as it is edited. Text is typed as it is; everything else as JSON. */
export interface VariableRow {
  readonly id: string
  readonly name: string
  readonly kind: 'text' | 'json'
  readonly value: string
}

export interface RowFaults {
  readonly name?: string
  readonly value?: string
}

type Variables = Readonly<Record<string, JsonValue>>

export function rowsOf(variables: Variables): VariableRow[] {
  return Object.entries(variables).map(([name, value]) => ({
    id: name,
    name,
    ...(typeof value === 'string'
      ? { kind: 'text', value }
      : { kind: 'json', value: writeJson(value, isFlat(value) ? undefined : 2) })
  }))
}

function isFlat(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null || writeJson(value).length <= 40
}

const variableName = new RegExp(VARIABLE_NAME)

/** What is wrong with each row, by its id. Rows that nobody has begun to fill are passed over. */
export function faultsIn(
  rows: readonly VariableRow[],
  inCode: ReadonlySet<string> = new Set()
): ReadonlyMap<string, RowFaults> {
  const names = Map.groupBy(rows.filter(isBegun), ({ name }) => name)
  const faults = new Map<string, RowFaults>()
  for (const row of rows.filter(isBegun)) {
    const name = nameFault(row, names.get(row.name)!.length, inCode)
    const value = valueFault(row)
    if (name === undefined && value === undefined) continue
    faults.set(row.id, { ...(name === undefined ? {} : { name }), ...(value === undefined ? {} : { value }) })
  }
  return faults
}

function isBegun({ name, value }: VariableRow): boolean {
  return name !== '' || value !== ''
}

function nameFault({ name }: VariableRow, count: number, inCode: ReadonlySet<string>): string | undefined {
  if (name === '') return 'Give it a name.'
  if (!variableName.test(name)) return 'Use letters, digits, - and _, and begin with a letter or _.'
  if (isLinkName(name)) return `{$${name}.…} is an address of the run. Choose another name.`
  if (inCode.has(name)) return 'A plugin sets this name in code, and goes before it. Choose another name.'
  return count > 1 ? 'This name is already used.' : undefined
}

function valueFault({ kind, value }: VariableRow): string | undefined {
  if (kind === 'text' || jsonIn(value) !== undefined) return undefined
  return 'This is not JSON. Text needs no quotes if you choose Text.'
}

/** Rows without faults only. */
export function variablesOf(rows: readonly VariableRow[]): Variables {
  const entries = rows
    .filter(isBegun)
    .map(({ name, kind, value }) => [name, kind === 'text' ? value : parseJson(value)] as const)
  return Object.fromEntries(entries)
}
