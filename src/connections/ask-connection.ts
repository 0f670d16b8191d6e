import type { Clock } from '../clock.ts'
import { reachError } from '../engine/reach-error.ts'
import { StepError } from '../engine/step-error.ts'
import { MillraceError, type ProblemCode } from '../errors.ts'
import type { OpenConnection } from '../flows/step/step-connection.ts'
import type { ConnectionOpener } from './connection-opener.ts'
import { OpenedSecrets } from './opened-secrets.ts'

export interface AskDeps {
  readonly opener: Pick<ConnectionOpener, 'openByName'>
  readonly clock: Pick<Clock, 'startTimer'>
}

interface AskedConnection<T> {
  /** Of the flow that names the connection. */
  readonly context: string
  readonly name: string
  readonly kinds: readonly string[]
  readonly ask: (connection: OpenConnection, signal: AbortSignal) => Promise<T>
  /** Where it cannot be had. */
  readonly failsAs: ProblemCode
}

const WITHIN_MS = 10_000

/**
 * Asks for what helps somebody who edits a flow, as a step of the flow would ask: through the same guard with the same
 * trust, so that nobody finds out more than with a flow of theirs. No secret is in what comes of it.
 */
export async function askConnection<T>({ opener, clock }: AskDeps, asked: AskedConnection<T>): Promise<T> {
  const { context, name, kinds, ask, failsAs } = asked
  const secrets = new OpenedSecrets()
  const end = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = clock.startTimer(WITHIN_MS, () => late.reject(tooLate(name)))
  try {
    const connection = opener.openByName(context, { name, kinds }, { signal: end.signal, secrets })
    return secrets.redactValue(await Promise.race([ask(connection, end.signal), late.promise])) as T
  } catch (error) {
    const { code, message } = reachError(error, `The address of the connection "${name}"`)
    const known = code === 'connection_not_found' ? code : failsAs
    throw new MillraceError(known, secrets.redactWords(message))
  } finally {
    timer.stop()
    // What came too late is not waited for.
    end.abort()
  }
}

function tooLate(name: string): StepError {
  return new StepError(
    `The connection "${name}" did not answer within ${WITHIN_MS / 1000} s. Check its address, and any firewall in between.`
  )
}
