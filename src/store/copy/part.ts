/**
 * What a store consists of when it is copied into another one: rows of columns, in parts. Both stores offer the same
 * parts, whatever their own tables look like, so one loop copies them and one checksum compares them.
 */
export type Value = string | number | null | Uint8Array

/** Values in the order of the part's columns. */
export type CopiedRow = readonly Value[]

export interface Column {
  readonly name: string
  readonly type: 'text' | 'integer' | 'bigint' | 'bytea'
  /** May be megabytes: compared by its hash, so that checking moves no payloads. */
  readonly isLong?: true
}

export interface Part<Name extends string = string> {
  readonly name: Name
  readonly columns: readonly Column[]
  /** Names of the columns that tell the rows apart and order them, in both stores alike. */
  readonly key: readonly string[]
}

/** Where a part of the copy has got to: the key of the last row; null before the first. */
export type Position = readonly (string | number)[] | null

export function positionOf(part: Part, row: CopiedRow): Exclude<Position, null> {
  return part.key.map((name) => row[part.columns.findIndex((column) => column.name === name)] as string)
}
