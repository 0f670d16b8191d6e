import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { type Files, fileValue, type NewFile } from '../../files/files.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { type FollowedRun, followChat } from '../../runs/chat/follow-chat.ts'
import { returnedText } from '../../runs/chat/returned-value.ts'
import type { Runs } from '../../runs/runs.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { assertAnswered, LONGEST_CHAT_MS } from '../chat/chat-end.ts'
import { chatting } from '../chat/chat-refusals.ts'
import { CHAT_BODY } from '../requests/body-limits.ts'
import { completeStreamed } from './complete-streamed.ts'
import { type AnswerHead, Completion, CompletionRequest, completion } from './completion-shapes.ts'
import { BETWEEN } from './final-text.ts'
import { readMessages, type SentFile } from './read-messages.ts'

interface CompletionDeps {
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly files: Pick<Files, 'keep' | 'letGo'>
  readonly clock: Clock
}

/** A flow as a model: every client that talks to OpenAI's can talk to it. */
export function completionsRoute(app: FastifyInstance, deps: CompletionDeps): void {
  const { library, runs, clock } = deps
  app.post<{ Body: CompletionRequest }>(
    '/v1/chat/completions',
    {
      config: { access: 'trigger' },
      bodyLimit: CHAT_BODY,
      schema: {
        tags: ['Chat clients'],
        operationId: 'completeChat',
        summary: 'A turn of a chat, in the protocol of OpenAI',
        description:
          'The last message of the role user starts the flow that model names; what was said before is the history of its models. With stream: true the answer comes as server-sent chunks.',
        refuses: [
          'flow_not_found',
          'flow_without_chat_input',
          'flow_context_gone',
          'flow_paused',
          'file_too_large',
          'run_failed',
          'run_cancelled',
          'run_not_over',
          'stopping'
        ],
        body: CompletionRequest,
        response: { 200: Completion }
      }
    },
    async (request, reply) => {
      const { model, stream, stream_options } = request.body
      const flow = chatting(visibleFlow(request, library, model))
      library.aliasCalls.add(flow, model, { key: actorOf(request).name, address: request.ip })
      const release = runs.answerText.expect(flow.id)
      try {
        const followed = await start(request, flow, deps)
        const id = `chatcmpl-${followed.run.id}`
        const head = { id, created: Math.floor(clock.now() / 1000), model }
        if (stream !== true) return answerWhole(reply, { followed, head }, deps)
        const includesUsage = stream_options?.include_usage === true
        return completeStreamed(reply, { followed, head, includesUsage }, deps)
      } finally {
        release()
      }
    }
  )
}

async function start(
  request: FastifyRequest<{ Body: CompletionRequest }>,
  flow: LiveFlow,
  { runs, files }: CompletionDeps
): Promise<FollowedRun> {
  const { messages, user } = request.body
  const { text, said, system, files: sent } = readMessages(messages)
  // Whoever names no session shares none: what others said is not for them.
  const session = user || `chat-${randomUUID()}`
  const hasHistory = said.length > 0 || !user
  const kept = await keepAll(sent, { context: flow.context, uploadedBy: actorOf(request).keyId }, files)
  const input = {
    text,
    ...(hasHistory && { messages: said }),
    ...(system !== '' && { system }),
    ...(kept.length > 0 && { files: kept.map(fileValue) })
  }
  const bytes = Buffer.from(JSON.stringify(input))
  const named = kept.length === 0 ? {} : { files: kept }
  const run = await runs.start({ flow, trigger: 'chat', input: bytes, session, ...named })
  const { document, printedWhileTold: printers } = flow
  return { run, nodes: document.nodes, printers, session }
}

async function keepAll(
  sent: readonly SentFile[],
  place: { readonly context: string; readonly uploadedBy: string },
  files: CompletionDeps['files']
): Promise<NewFile[]> {
  const kept: NewFile[] = []
  try {
    for (const { filename, contentType, bytes } of sent) {
      kept.push(await files.keep(piecesOf(bytes), { filename, contentType, ...place }))
    }
    return kept
  } catch (error) {
    await files.letGo(kept)
    throw error
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

interface Asked {
  readonly followed: FollowedRun
  readonly head: AnswerHead
}

async function answerWhole(reply: FastifyReply, { followed, head }: Asked, { runs }: CompletionDeps) {
  const messages: string[] = []
  const listener = {
    piece: () => {},
    restart: () => {},
    message: (text: string) => void messages.push(text)
  }
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const run = await followChat(followed, runs, listener, { ms: LONGEST_CHAT_MS, gone: gone.signal })
  assertAnswered(run, runs, messages.length === 0)
  const text = messages.length === 0 ? await returnedText(run, runs) : messages.join(BETWEEN)
  return completion(head, text, run)
}
