import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveFlow } from '../../../library/live-flow.ts'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import type { Runs } from '../../../runs/runs.ts'
import { answerMemory, readerOf } from '../../requests/answer-memory.ts'
import { PlainResponse } from '../../requests/plain-response.ts'
import { wantsEvents } from '../../requests/wants-events.ts'
import type { ContextWebhooks } from '../context-webhooks.ts'
import { preferredWait } from '../prefer.ts'
import { answerParts } from './answer-parts.ts'
import { type FileAnswerDeps, openAnswer, sendParts } from './file-answer.ts'
import { EventStream, type OpenBody, TextStream } from './stream-forms.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { type SendAnswer, WaitingResponse } from './waiting-response.ts'

interface AskedRun extends FileAnswerDeps {
  readonly flow: LiveFlow
  readonly runId: string
  /** An earlier request started the run, and this one nothing. */
  readonly isRepeated: boolean
  /** How long the flow's Webhook lets callers wait, in milliseconds. */
  readonly within: number
  readonly runs: Runs
  readonly webhooks: Pick<ContextWebhooks, 'isGuarded'>
  readonly prefix: string
}

/** Answers with what the flow does, when it does; or, when the time is over, that the run has started. */
export function answerByFlow(request: FastifyRequest, reply: FastifyReply, asked: AskedRun): void {
  const { flow, runId, isRepeated, within, runs } = asked
  if (isRepeated) reply.header('idempotent-replayed', 'true')
  // A caller may be less patient than the flow.
  const seconds = preferredWait(request.headers.prefer)
  if (seconds !== undefined) reply.header('preference-applied', `wait=${seconds}`)
  const ms = Math.min(within, (seconds ?? Number.POSITIVE_INFINITY) * 1000)
  if (isOurs(request, reply, asked)) {
    const send = answerPastHooks(request, reply, asked)
    const waiting = new WaitingResponse(reply.raw, runId, runs.answers, send)
    return waiting.wait(ms, { isEarlier: isRepeated, mayTakeConnection: true })
  }
  const streamed = flow.streamedAnswers.size === 0 ? undefined : streamedAnswer(request, reply, asked)
  const waiting = new WaitingResponse(reply.raw, runId, runs.answers, (_response, _runId, answer) => {
    if (streamed?.finish(answer) !== true) sendAnswer(reply, answer, asked)
  })
  if (streamed !== undefined) hearAnswer(reply, streamed, waiting, asked)
  waiting.wait(ms, { isEarlier: isRepeated })
}

/**
 * Whether nobody but us looks at the answer, so that neither request nor reply is needed for it: no plugin, no host application, no page of
 * another origin, and no text while it comes.
 */
function isOurs({ headers }: FastifyRequest, { raw }: FastifyReply, { flow, webhooks }: AskedRun): boolean {
  return (
    raw instanceof PlainResponse &&
    headers.origin === undefined &&
    flow.streamedAnswers.size === 0 &&
    !webhooks.isGuarded(flow.context)
  )
}

/** Holds on to neither of them. */
function answerPastHooks({ log }: FastifyRequest, reply: FastifyReply, asked: AskedRun): SendAnswer {
  const { files, store, prefix, runs } = asked
  const own = reply.getHeaders() as Record<string, string>
  const onError = (err: unknown, doing: string) => log.error({ err }, `${doing} failed`)
  reply.hijack()
  return (response, runId, answer) => {
    const parts = answerParts(answer, { runId, prefix })
    if (runs.isStopping) response.shouldKeepAlive = false
    sendParts(response, { ...parts, headers: { ...own, ...parts.headers } }, { files, store, onError })
  }
}

function sendAnswer(reply: FastifyReply, answer: FlowAnswer | undefined, asked: AskedRun): void {
  const { status, headers, body, file } = answerParts(answer, asked)
  if (file === undefined) {
    answerMemory.hold(reply.raw, body.length, readerOf(reply.request))
    return void reply
      .code(status)
      .headers(headers)
      .send(body === '' ? undefined : body)
  }
  openAnswer(file, asked).then(
    ({ size, bytes }) => reply.code(status).headers(headers).header('content-length', size).send(bytes),
    (error) => reply.send(error)
  )
}

function streamedAnswer(request: FastifyRequest, reply: FastifyReply, asked: AskedRun): StreamedAnswer {
  const open: OpenBody = (head) => {
    const { status, headers } = answerParts({ by: 'step', answer: { ...head, body: '' } }, asked)
    const body = new PassThrough()
    // Proxies that gather an answer would hold it until it is whole.
    reply
      .code(status)
      .headers({ ...headers, 'x-accel-buffering': 'no' })
      .send(body)
    return body
  }
  return new StreamedAnswer(
    asked.flow.streamedAnswers,
    wantsEvents(request) ? new EventStream(asked.runId, open) : new TextStream(open)
  )
}

function hearAnswer(
  reply: FastifyReply,
  streamed: StreamedAnswer,
  waiting: WaitingResponse,
  { flow, runId, runs }: AskedRun
): void {
  if (reply.raw.destroyed) return
  const leave = runs.answerText.listen({ id: runId, flowId: flow.id }, (delta) => {
    const hadBegun = streamed.hasBegun
    streamed.take(delta)
    if (streamed.hasBegun && !hadBegun) waiting.stay()
  })
  reply.raw.once('close', leave)
}
