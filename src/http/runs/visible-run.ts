import type { FastifyRequest } from 'fastify'
import { canSee, seesAll } from '../../keys/rights.ts'
import type { StoredRun } from '../../store/store.ts'
import { actorOf } from '../access/access.ts'
import type { RunRoutesDeps } from './run-routes-deps.ts'

/** A run is seen by whoever sees its flow; that of a deleted flow only by a key that sees everything. */
export async function visibleRun(
  request: FastifyRequest<{ Params: { id: string } }>,
  deps: Pick<RunRoutesDeps, 'runs' | 'library'>
): Promise<StoredRun> {
  return visibleRunOf(request, request.params.id, deps)
}

export async function visibleRunOf(
  request: FastifyRequest,
  id: string,
  { runs, library }: Pick<RunRoutesDeps, 'runs' | 'library'>
): Promise<StoredRun> {
  const run = await runs.get(id)
  const flow = library.find(run.flowId)
  const actor = actorOf(request)
  if (seesAll(actor) || (flow !== undefined && canSee(actor, flow))) return run
  return runs.get('')
}
