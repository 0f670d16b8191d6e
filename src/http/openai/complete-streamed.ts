import type { FastifyReply } from 'fastify'
import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'
import { type FollowedRun, followChat } from '../../runs/chat/follow-chat.ts'
import { returnedText } from '../../runs/chat/returned-value.ts'
import type { PresentedRun } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'
import { assertAnswered, LONGEST_CHAT_MS } from '../chat/chat-end.ts'
import { EventBody } from '../chat/event-body.ts'
import { internalError } from '../problem.ts'
import { type AnswerHead, tokenUsage } from './completion-shapes.ts'
import { FinalText } from './final-text.ts'
import { openAiError } from './openai-refusals.ts'

interface StreamedDeps {
  readonly runs: Runs
  readonly clock: Pick<Clock, 'startTimer'>
}

interface Asked {
  readonly followed: FollowedRun
  readonly head: AnswerHead
  readonly includesUsage: boolean
}

/** Chunks as OpenAI sends them. What went wrong after the first one is a chunk too. */
export function completeStreamed(
  reply: FastifyReply,
  { followed, head, includesUsage }: Asked,
  { runs, clock }: StreamedDeps
): FastifyReply {
  const body = new EventBody(reply, clock)
  const chunk = (choices: readonly object[], more: object = {}) =>
    body.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`)
  const usage = includesUsage ? { usage: null } : {}
  const delta = (delta: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }], usage)
  delta({ role: 'assistant', content: '' })
  const text = new FinalText((content) => delta({ content }))
  const finish = async (run: PresentedRun) => {
    if (text.isBroken) throw otherText()
    assertAnswered(run, runs, text.isEmpty)
    if (text.isEmpty) text.piece(await returnedText(run, runs))
    delta({}, 'stop')
    if (includesUsage) chunk([], { usage: tokenUsage(run) })
    body.write('data: [DONE]\n\n')
  }
  followChat(followed, runs, text, { ms: LONGEST_CHAT_MS, gone: body.gone })
    .then(finish)
    .catch((error) => {
      if (!(error instanceof MillraceError)) reply.log.error({ err: error }, 'a chat could not be followed')
      const known = error instanceof MillraceError ? error : internalError()
      body.write(`data: ${JSON.stringify({ error: openAiError(known) })}\n\n`)
    })
    .finally(() => body.end())
  return reply
}

/** What was sent cannot be taken back. */
function otherText(): MillraceError {
  return new MillraceError(
    'run_failed',
    'The run did not answer as it had begun. What came so far is void: ask again.'
  )
}
