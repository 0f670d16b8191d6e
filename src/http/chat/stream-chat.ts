import type { FastifyReply } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { ToldCall } from '../../flows/step/step-calls.ts'
import { type FollowedRun, followChat } from '../../runs/chat/follow-chat.ts'
import type { PresentedRun } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'
import { runAddress } from '../webhook/start-response.ts'
import { LONGEST_CHAT_MS } from './chat-end.ts'
import { EventBody } from './event-body.ts'

interface StreamChatDeps {
  readonly runs: Runs
  readonly clock: Pick<Clock, 'startTimer'>
  readonly prefix: string
  /** What is told of the end; all of it, unless somebody may not know. */
  readonly endOf?: (run: PresentedRun) => object
  /** What tools are called with, and what they give, is for those who may read the run. */
  readonly withoutTools?: boolean
}

/** Answers with what the run says, as it comes. The run goes on, whether or not somebody listens. */
export function streamChat(
  reply: FastifyReply,
  followed: FollowedRun,
  { runs, clock, prefix, endOf = wholeEnd, withoutTools = false }: StreamChatDeps
): FastifyReply {
  const body = new EventBody(reply.header('location', runAddress(prefix, followed.run.id)), clock)
  const listener = {
    piece: (text: string) => body.tell('delta', { text }),
    restart: () => body.tell('restart', {}),
    message: (text: string) => body.tell('message', { text }),
    ...(!withoutTools && { tool: (call: ToldCall) => body.tell('tool', call) })
  }
  followChat(followed, runs, listener, { ms: LONGEST_CHAT_MS, gone: body.gone }).then(
    (run) => {
      body.tell('end', endOf(run))
      body.end()
    },
    (error) => {
      reply.log.error({ err: error }, 'a chat could not be followed')
      body.end()
    }
  )
  return reply
}

function wholeEnd({ id, status, error }: PresentedRun): object {
  return { run_id: id, status, error }
}
