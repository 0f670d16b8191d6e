import { sqlError } from './sql-errors.ts'

export interface PgField {
  readonly name: string
  readonly dataTypeID: number
}

export interface PgAnswer {
  /** Rows that were given or changed; null where the statement does neither. */
  readonly rowCount: number | null
}

export type OnRow = (row: readonly (string | null)[], fields: readonly PgField[]) => void

/**
 * What the server answers to messages that were sent together, as the driver hands it over. It takes the place of the
 * driver's own query, which is made for much that no step needs: three of those were a fifth of what a step cost.
 */
export class PostgresExchange {
  readonly #settled = Promise.withResolvers<PgAnswer>()
  readonly #onRow: OnRow | undefined
  #whenOver = () => {}
  #whenFailed = () => {}
  #fields: readonly PgField[] = []
  /** Of the last statement: what was done, and to how many rows. */
  #tag = ''
  #isAnswered = false

  constructor(onRow?: OnRow) {
    this.#onRow = onRow
  }

  get answer(): Promise<PgAnswer> {
    return this.#settled.promise
  }

  /** Whether the server has said anything, be it that it stops. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  fail(error: unknown): void {
    this.#settled.reject(error)
  }

  /** Calls it when what the server answers next belongs to another exchange. */
  whenOver(then: () => void): void {
    this.#whenOver = then
  }

  /** Calls it where the server refuses what was sent, or is gone: before anybody hears of what came behind. */
  whenFailed(then: () => void): void {
    this.#whenFailed = then
  }

  /** What the driver calls. The messages are sent before it hears of the exchange. */
  submit(): null {
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly PgField[] }): void {
    this.#fields = fields
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#onRow?.(fields, this.#fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#isAnswered = true
    this.#tag = text
  }

  handleReadyForQuery(): void {
    const count = /\d+$/.exec(this.#tag)?.[0]
    this.#settled.resolve({ rowCount: count === undefined ? null : Number(count) })
    this.#whenOver()
  }

  /** Of the server, or of the connection to it: only the server says how severe it is. */
  handleError(error: Error & { readonly severity?: string }): void {
    if (error.severity !== undefined) this.#isAnswered = true
    this.fail(error)
    this.#whenFailed()
    this.#whenOver()
  }

  /** `COPY … FROM STDIN` waits for rows, and takes the end of the messages that came with it for none. */
  handleCopyInResponse(connection: { sendCopyFail(why: string): void; sync(): void }): void {
    this.fail(
      sqlError('sql_statement_refused', 'A step has no file to copy rows from. Write insert in place of copy')
    )
    connection.sendCopyFail('a step has no file')
    connection.sync()
  }

  handleCopyData(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}
