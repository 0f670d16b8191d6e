/** A call of the operation that is named by its method and path; values fill the path, in order. */
export interface Call {
  readonly operation: string
  readonly values?: readonly string[]
  readonly query?: string
  readonly body?: unknown
  readonly status: number
}
