import type { LibraryPart } from '../shared-store.ts'

export type SqlValue = string | number | null

/** `?` stands for a value; they are taken in order. Texts are the same on every call, so that a store prepares each once. */
interface LibraryStatement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * A piece of the library's logic, written once for both stores: it yields statements and is given their rows. The embedded store runs
 * it to its end inside the group commit, where nothing may be awaited; PostgreSQL's store awaits each answer.
 */
export type LibrarySteps<Result> = Generator<LibraryStatement, Result, readonly unknown[]>

export type Revisions = Readonly<Partial<Record<LibraryPart, number>>>

/** Where the flows, keys, connections and contexts of a service are kept. */
export interface LibraryDatabase {
  readonly dialect: SqlDialect
  read<Result>(steps: () => LibrarySteps<Result>): Promise<Result>
  /**
   * One transaction. Writes of one part are made one after the other, each with the next `revision` of the part; all other processes
   * then read again what has changed. `steps` may be called twice, where the first transaction was not committed.
   */
  write<Result>(
    part: LibraryPart,
    steps: (revision: number) => LibrarySteps<Result>,
    bytes?: number
  ): Promise<Result>
  /** The same for several parts, in one transaction; `revisions` has that of each. */
  writeParts<Result>(
    parts: readonly LibraryPart[],
    steps: (revisions: Revisions) => LibrarySteps<Result>,
    bytes?: number
  ): Promise<Result>
  /** One transaction, on what no process holds in memory. */
  writeUnheld<Result>(steps: () => LibrarySteps<Result>, bytes?: number): Promise<Result>
  /** Until the transaction ends nobody else writes flows, keys or connections, and nothing that was begun is still on its way. */
  keepOthersOut(): LibrarySteps<void>
}

/** What the two databases write differently. */
export interface SqlDialect {
  /** After a SELECT: nobody changes or removes its rows before the transaction ends. */
  readonly forShare: string
  /** After a SELECT: nobody removes its rows before the transaction ends. */
  readonly forKeyShare: string
  /** After a SELECT: nobody else even takes them so. */
  readonly forUpdate: string
  /** The same, without those that somebody else has taken so. */
  readonly forUpdateOfFree: string
  /** After a column to order by: by its bytes, whatever the language of the database. */
  readonly byBytes: string
  /** A condition: the column's text is in the list that is the next value, as JSON. */
  isListed(column: string): string
  /** An aggregate: the texts of the column as a JSON list. */
  jsonList(column: string): string
  /** What is selected as `document`, a column of texts that may have megabytes. */
  longText(column: string): string
}

export function* rows<Row>(text: string, ...values: readonly SqlValue[]): LibrarySteps<readonly Row[]> {
  return (yield { text, values }) as readonly Row[]
}

export function* firstRow<Row>(text: string, ...values: readonly SqlValue[]): LibrarySteps<Row | undefined> {
  const [row] = yield* rows<Row>(text, ...values)
  return row
}

/** Whether the statement found, or by RETURNING changed, any row. */
export function* anyRow(text: string, ...values: readonly SqlValue[]): LibrarySteps<boolean> {
  return (yield { text, values }).length > 0
}

/** Where a database has nothing to be asked. */
export function* noStatements(): LibrarySteps<void> {
  yield* []
}
