import type { OpenConnection } from '../flows/step/step-connection.ts'
import { type AskDeps, askConnection } from './ask-connection.ts'

interface TableColumns {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

interface TableList {
  readonly tables: readonly TableColumns[]
  /** There are more, which are not told. */
  readonly isCut: boolean
}

interface ConnectionTablesDeps extends AskDeps {
  readonly listTables: (connection: OpenConnection, signal: AbortSignal) => Promise<TableList>
  /** The kinds that lead to a database. */
  readonly kinds: readonly string[]
}

/** The tables that queries of a context can name. */
export class ConnectionTables {
  readonly #deps: ConnectionTablesDeps

  constructor(deps: ConnectionTablesDeps) {
    this.#deps = deps
  }

  list(context: string, name: string): Promise<TableList> {
    const { listTables: ask, kinds } = this.#deps
    return askConnection(this.#deps, { context, name, kinds, ask, failsAs: 'tables_unreadable' })
  }
}
