import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runs } from '../../runs/runs.ts'
import type { AcceptedRun } from '../../store/store.ts'
import { apiHeaders } from '../api-headers.ts'
import { preferredWait } from './prefer.ts'

interface StartedRun {
  readonly run: Pick<AcceptedRun, 'id' | 'isPaused'>
  /** An earlier request started the run, and this one nothing. */
  readonly isRepeated?: boolean
  /** The run was there before, so it may have ended by now. */
  readonly isEarlier?: boolean
  readonly runs: Runs
  readonly prefix: string
}

/**
 * The answer to whatever starts a run in the background. It tells which run was started and never what the flow
 * puts out; a caller that prefers to wait learns how the run ended.
 */
export function answerStarted(
  request: FastifyRequest,
  reply: FastifyReply,
  started: StartedRun
): FastifyReply {
  const { run, runs, isRepeated = false, isEarlier = isRepeated } = started
  if (isRepeated) reply.header('idempotent-replayed', 'true')
  const seconds = preferredWait(request.headers.prefer)
  if (seconds === undefined) return send(reply, started, 'in progress')
  // Nobody knows when its flow is resumed.
  if (run.isPaused === true) return send(reply, started, 'queued')
  const ms = seconds * 1000
  const ended = isEarlier ? runs.waitForEarlier(run.id, ms) : runs.waitForEnd(run.id, ms)
  ended.then(
    async (status) => {
      // Where the service stops, the caller is answered while that is still possible.
      const standing = status ?? (runs.isStopping ? 'in progress' : await openStatus(run.id, runs))
      send(reply.header('preference-applied', `wait=${seconds}`), started, standing)
    },
    (error) => reply.send(error)
  )
  return reply
}

/** Its time was over before the run was. */
async function openStatus(id: string, runs: Runs): Promise<string> {
  const run = await runs.get(id).catch(() => undefined)
  return run?.outcome === null && run.isWaiting === true ? 'waiting' : 'in progress'
}

function send(reply: FastifyReply, { run, prefix }: StartedRun, status: string): FastifyReply {
  return reply
    .code(202)
    .headers(apiHeaders)
    .header('location', runAddress(prefix, run.id))
    .header('content-type', 'application/json; charset=utf-8')
    .send(startText(run.id, status))
}

export function runAddress(prefix: string, runId: string): string {
  return `${prefix}/api/v1/runs/${runId}`
}

/** Put together by hand: it is the hottest answer of the service, and every part of it is known and plain ASCII. */
export function startText(runId: string, status: string): string {
  return `{"message":"Task started in the background","status":"${status}","run_id":"${runId}"}`
}
