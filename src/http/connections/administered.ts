import type { FastifyRequest } from 'fastify'
import type { Connection } from '../../connections/connection.ts'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { connectionNotFound } from '../../connections/connection-refusals.ts'
import { type Actor, coversContext } from '../../keys/rights.ts'
import { actorOf } from '../access/access.ts'

/** Somebody with the right admin has it for the whole tree, or for the context that their key is bound to and below. */
export function administers(actor: Pick<Actor, 'flowId' | 'context'>, context: string): boolean {
  return coversContext(actor, context)
}

/** The same answer whether there is none, or one that the caller may not know of. */
export function visibleConnection(
  request: FastifyRequest<{ Params: { id: string } }>,
  connections: ConnectionLibrary
): Connection {
  const found = connections.find(request.params.id)
  if (found === undefined || !administers(actorOf(request), found.context)) throw connectionNotFound()
  return found
}
