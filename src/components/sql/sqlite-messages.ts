/** What the service and the process that holds an SQLite database say to each other. */
export interface SqliteRequest {
  readonly text: string
  readonly values: readonly SqliteValue[]
  readonly maxRows: number
  readonly maxBytes: number
  readonly mayWrite: boolean
}

/** As SQLite keeps it: whole numbers have 64 bits. */
export type SqliteValue = null | bigint | number | string | Uint8Array

export type SqliteAnswer =
  | {
      readonly kind: 'result'
      readonly columns: readonly string[]
      readonly count: number
      readonly first: SqliteRows
    }
  | { readonly kind: 'too-much'; readonly of: 'rows' | 'bytes' }
  | { readonly kind: 'error'; readonly errcode: number; readonly message: string }

/**
 * Some of the rows. A message is read in one turn, and all rows of a large answer would take many: the next ones come when the service
 * has asked for MORE.
 */
export interface SqliteRows {
  readonly rows: readonly (readonly SqliteValue[])[]
  readonly isLast: boolean
}

export const MORE = 'more'

/** Argument of the process, as JSON. */
export interface SqliteStart {
  readonly file: string
  readonly isReadOnly: boolean
  readonly parent: number
}
