import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runs } from '../runs/runs.ts'
import type { AcceptedRun } from '../store/store.ts'
import { preferredWait } from './prefer.ts'

/**
 * The answer to whatever starts a run in the background. It tells which run was started and never what the flow
 * puts out; a caller that prefers to wait learns how the run ended.
 *
 * The text is put together by hand: it is the hottest answer of the service, and every part of it is known.
 */
export async function answerStarted(
  request: FastifyRequest,
  reply: FastifyReply,
  { run, runs, prefix }: { run: AcceptedRun; runs: Runs; prefix: string }
): Promise<FastifyReply> {
  let status = 'in progress'
  const seconds = preferredWait(request.headers.prefer)
  if (seconds !== undefined) {
    status = (await runs.waitForEnd(run.id, seconds * 1000)) ?? status
    reply.header('preference-applied', `wait=${seconds}`)
  }
  return reply
    .code(202)
    .header('location', `${prefix}/api/v1/runs/${run.id}`)
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"message":"Task started in the background","status":"${status}","run_id":"${run.id}"}`)
}
