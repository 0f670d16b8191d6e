import type { FastifyBaseLogger } from 'fastify'
import { MillraceError, messageOf } from '../errors.ts'
import { currentOwner } from '../http/plugins/registration-origin.ts'
import { isOwnError } from '../http/plugins/stack-lines.ts'

export interface StrayErrors {
  /** From now on the service outlives them. */
  outlive(): void
}

/**
 * Errors of plugins that nobody waits for: of a promise without `await`, in a timer, of an emitter without a listener.
 * No step can be failed for them, since none knows of them. Node would end the process; and as the run that brought one
 * about is taken up again by the next start, that would end too, and so on.
 *
 * One that only Millrace had a hand in is a bug, after which nothing can be trusted: `fail` ends the process, as Node
 * does.
 * While plugins load, one of theirs ends the start, like everything else that fails then.
 */
export function watchStrayErrors(log: FastifyBaseLogger, fail: (error: unknown) => void): StrayErrors {
  let isReady = false
  const judge = (error: unknown) => {
    if (isOwnError(error)) return fail(error)
    const plugin = currentOwner()
    const who = plugin === undefined ? 'A plugin' : `Plugin "${plugin}"`
    const cause = messageOf(error).replaceAll(/\s*\n\s*/g, ' ')
    const told = `${who} failed in something that it does not wait for: ${cause}`
    if (!isReady) return fail(new MillraceError('plugin_failed', told, { cause: error }))
    log.error({ err: error }, `${told}. The service goes on; the plugin should await or catch it.`)
  }
  process.on('uncaughtException', judge)
  process.on('unhandledRejection', judge)
  return {
    outlive: () => {
      isReady = true
    }
  }
}
