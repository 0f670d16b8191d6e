import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runs } from '../../../runs/runs.ts'
import { preferredWait } from '../prefer.ts'
import { answerParts } from './answer-parts.ts'
import { type FileAnswerDeps, openAnswer } from './file-answer.ts'
import { type SendAnswer, WaitingResponse } from './waiting-response.ts'

interface AskedRun extends FileAnswerDeps {
  readonly runId: string
  /** An earlier request started the run, and this one nothing. */
  readonly isRepeated: boolean
  /** How long the flow's Webhook lets callers wait, in milliseconds. */
  readonly within: number
  readonly runs: Runs
  readonly prefix: string
}

/** Answers with what the flow does, when it does; or, when the time is over, that the run has started. */
export function answerByFlow(request: FastifyRequest, reply: FastifyReply, asked: AskedRun): void {
  const { runId, isRepeated, within, runs, prefix } = asked
  if (isRepeated) reply.header('idempotent-replayed', 'true')
  // A caller may be less patient than the flow.
  const seconds = preferredWait(request.headers.prefer)
  if (seconds !== undefined) reply.header('preference-applied', `wait=${seconds}`)
  const ms = Math.min(within, (seconds ?? Number.POSITIVE_INFINITY) * 1000)
  const send: SendAnswer = (_response, _runId, answer) => {
    const { status, headers, body, file } = answerParts(answer, { runId, prefix })
    if (file === undefined)
      return void reply
        .code(status)
        .headers(headers)
        .send(body === '' ? undefined : body)
    openAnswer(file, asked).then(
      ({ size, bytes }) => reply.code(status).headers(headers).header('content-length', size).send(bytes),
      (error) => reply.send(error)
    )
  }
  new WaitingResponse(reply.raw, runId, runs.answers, send).wait(ms, isRepeated)
}
