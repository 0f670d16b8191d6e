import { MillraceError } from '../errors.ts'
import type { ConnectionResult } from '../store/connections.ts'
import type { Connection } from './connection.ts'

/** The same words whether there is none, or one that the caller may not know of. */
export function connectionNotFound(): MillraceError {
  return new MillraceError(
    'connection_not_found',
    'There is no such connection, or the key does not administer its context. GET /api/v1/connections lists those that it does.'
  )
}

export function neededAgain({ name }: Connection, secrets: readonly string[]): MillraceError {
  const list = secrets.map((secret) => `"${secret}"`).join(', ')
  const message = `The connection "${name}" would lead elsewhere, and what was entered for one address is not sent to another. Send ${list} again with this change, or null to take it away.`
  const errors = secrets.map((secret) => ({
    code: 'secret_needed_again',
    path: `/secrets/${secret}`,
    message: `The address leads elsewhere now, so the secret "${secret}" has to be entered again.`
  }))
  return new MillraceError('secret_needed_again', message, { errors })
}

export function writeRefusal(
  result: Exclude<ConnectionResult, 'done'>,
  { name, context }: Connection
): MillraceError {
  switch (result) {
    case 'name_taken':
      return new MillraceError(
        'connection_exists',
        `The context "${context}" has a connection "${name}" already. Choose another name, or change that one.`
      )
    case 'stale':
      return new MillraceError(
        'connection_conflict',
        `The connection "${name}" was changed or deleted a moment ago. Read it again and repeat your change.`
      )
    case 'context_gone':
      return new MillraceError('context_not_found', `The context "${context}" was deleted a moment ago.`)
  }
}
