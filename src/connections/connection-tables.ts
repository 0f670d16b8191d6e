import type { Clock } from '../clock.ts'
import { StepError } from '../engine/step-error.ts'
import { MillraceError, messageOf } from '../errors.ts'
import type { OpenConnection } from '../flows/step-connection.ts'
import type { ConnectionOpener } from './connection-opener.ts'
import { OpenedSecrets } from './opened-secrets.ts'

export interface TableColumns {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

export interface TableList {
  readonly tables: readonly TableColumns[]
  /** There are more, which are not told. */
  readonly isCut: boolean
}

export interface ConnectionTablesDeps {
  readonly opener: Pick<ConnectionOpener, 'openByName'>
  readonly clock: Pick<Clock, 'startTimer'>
  readonly listTables: (connection: OpenConnection, signal: AbortSignal) => Promise<TableList>
  /** The kinds that lead to a database. */
  readonly kinds: readonly string[]
}

const WITHIN_MS = 10_000

/** The tables that queries of a context can name, asked for as a step would ask: through the same guard. */
export class ConnectionTables {
  readonly #deps: ConnectionTablesDeps

  constructor(deps: ConnectionTablesDeps) {
    this.#deps = deps
  }

  async list(context: string, name: string): Promise<TableList> {
    const { opener, clock, listTables, kinds } = this.#deps
    const secrets = new OpenedSecrets()
    const end = new AbortController()
    const timer = clock.startTimer(WITHIN_MS, () =>
      end.abort(new StepError(`It did not answer within ${WITHIN_MS / 1000} s.`))
    )
    try {
      const connection = opener.openByName(context, { name, kinds }, { signal: end.signal, secrets })
      return await listTables(connection, end.signal)
    } catch (error) {
      const code =
        Object(error).code === 'connection_not_found' ? 'connection_not_found' : 'tables_unreadable'
      throw new MillraceError(code, secrets.strikeText(messageOf(error)))
    } finally {
      timer.stop()
    }
  }
}
