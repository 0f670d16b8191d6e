import type { Clock } from '../../clock.ts'
import { reachError } from '../../engine/reach-error.ts'
import { StepError } from '../../engine/step-error.ts'
import type { OpenConnection } from '../../flows/step/step-connection.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionOpener } from '../connection-opener.ts'
import { type KindName, kindOf } from '../kinds/kinds.ts'
import { OpenedSecrets } from '../opened-secrets.ts'

/** Resolves to what is to be said where it worked; rejects where it did not. */
type Try = (connection: OpenConnection, signal: AbortSignal) => Promise<string>

interface Trial {
  readonly ok: boolean
  readonly message: string
  readonly tookMs: number
}

interface ConnectionTrialsDeps {
  readonly opener: Pick<ConnectionOpener, 'open'>
  readonly clock: Pick<Clock, 'startTimer' | 'stopwatch'>
  /** Connects to a database and asks it something that changes nothing. */
  readonly tryDatabase: Try
  /** Connects to a mail server and signs in; sends nothing. */
  readonly tryMailServer: Try
}

const WITHIN_MS = 10_000

/** Loaded when somebody tries a connection: few do, and a service that is idle is to be small. */
function byHttp(name: 'callMcpServer' | 'callService' | 'knockAtReceiver' | 'countModels'): Try {
  return async (connection, signal) => {
    const tries: Readonly<Record<typeof name, Try>> = await import('./http-trials.ts')
    return tries[name](connection, signal)
  }
}

/**
 * Tries connections as steps use them: through the same guard with the same trust, so that nobody finds out more than
 * with a flow of theirs. Nothing is sent that would have an effect.
 */
export class ConnectionTrials {
  readonly #deps: ConnectionTrialsDeps
  readonly #tries: Readonly<Record<KindName, Try>>

  constructor(deps: ConnectionTrialsDeps) {
    this.#deps = deps
    const { tryDatabase, tryMailServer } = deps
    this.#tries = {
      http: byHttp('callService'),
      webhook: byHttp('knockAtReceiver'),
      postgres: tryDatabase,
      mysql: tryDatabase,
      sqlite: tryDatabase,
      smtp: tryMailServer,
      openai: byHttp('countModels'),
      anthropic: byHttp('countModels'),
      google: byHttp('countModels'),
      'openai-compatible': byHttp('countModels'),
      mcp: byHttp('callMcpServer')
    }
  }

  async try(connection: Connection): Promise<Trial> {
    const { opener, clock } = this.#deps
    const since = clock.stopwatch()
    const secrets = new OpenedSecrets()
    const end = new AbortController()
    const late = Promise.withResolvers<never>()
    const timer = clock.startTimer(WITHIN_MS, () => late.reject(tooLate(connection)))
    const told = (ok: boolean, message: string): Trial => {
      return { ok, message: secrets.redactWords(message), tookMs: clock.stopwatch() - since }
    }
    try {
      const opened = opener.open(connection, { signal: end.signal, secrets })
      const tried = this.#tries[connection.kind](opened, end.signal)
      return told(true, await Promise.race([tried, late.promise]))
    } catch (error) {
      return told(false, reachError(error, placeOf(connection)).message)
    } finally {
      timer.stop()
      // What came too late is not waited for.
      end.abort()
    }
  }
}

function tooLate(connection: Connection): StepError {
  return new StepError(
    `${placeOf(connection)} did not answer within ${WITHIN_MS / 1000} s. Check host and port, and any firewall in between.`,
    { code: 'upstream_timeout' }
  )
}

/** Where it leads, in words. */
function placeOf({ kind, settings, name }: Connection): string {
  const [first] = kindOf(kind)?.destinations(settings) ?? []
  return first === undefined ? `The connection "${name}"` : `${first.host}, port ${first.port}`
}
