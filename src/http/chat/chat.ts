import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Clock } from '../../clock.ts'
import { PlanError, planFlow } from '../../engine/plan.ts'
import { printedWhileTold } from '../../engine/streamed-inputs.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { startsOn } from '../../library/start-nodes.ts'
import type { FollowedRun } from '../../runs/chat/follow-chat.ts'
import type { Start, TestStart } from '../../runs/record/new-run.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Pins } from '../../runs/steps/pins.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { type FileAccessDeps, filesGivenBy } from '../files/file-access.ts'
import { testOf } from '../flows/test-draft.ts'
import { wantsEvents } from '../requests/wants-events.ts'
import { IdParams, StartAnswer, textOf } from '../schemas.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { chatting, withoutChatInput } from './chat-refusals.ts'
import { streamChat } from './stream-chat.ts'

interface ChatDeps extends FileAccessDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly catalogue: Catalogue
  readonly runs: Runs
  readonly clock: Clock
  readonly prefix: string
  /** The largest body with a payload in it. */
  readonly payloadLimit: number
}

const SentFile = Type.Object(
  { file: Type.String({ description: 'Its id, as an upload was answered with it' }) },
  { additionalProperties: true }
)

const ChatTurn = Type.Object(
  {
    text: Type.String({ minLength: 1 }),
    session: Type.Optional(Type.String({ maxLength: 200 })),
    files: Type.Optional(
      Type.Array(SentFile, { maxItems: 20, description: 'What Chat Input gives as its output files' })
    ),
    draft: Type.Optional(
      Type.Boolean({
        description: 'Through the draft, as a test, if there is one. Needs the right write too'
      })
    )
  },
  { additionalProperties: false }
)

export function chatRoute(app: FastifyInstance, deps: ChatDeps): void {
  const { library, runs } = deps
  app.post<{ Params: { id: string }; Body: Static<typeof ChatTurn> }>(
    '/api/v1/flows/:id/chat',
    {
      config: { access: 'trigger' },
      bodyLimit: deps.payloadLimit,
      schema: {
        tags: ['Playground'],
        operationId: 'sendChatTurn',
        summary: 'A turn of a chat, through Chat Input',
        description:
          'With Accept: text/event-stream the answer is what the flow says, as it comes: events delta, restart, tool, message and end.',
        refuses: [
          'flow_not_found',
          'flow_without_chat_input',
          'flow_context_gone',
          'flow_invalid',
          'flow_paused',
          'backlog_full'
        ],
        params: IdParams,
        body: ChatTurn,
        response: { 200: textOf('text/event-stream', 'What the flow says'), 202: StartAnswer }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      if (!wantsEvents(request)) {
        const { run } = await startTurn(request, flow)
        return answerStarted(request, reply, { run, runs, prefix: deps.prefix })
      }
      // Another process that executes it is to know in time that somebody listens.
      const release = runs.answerText.expect(flow.id)
      try {
        return streamChat(reply, await startTurn(request, flow), deps)
      } finally {
        release()
      }
    }
  )

  async function startTurn(
    request: FastifyRequest<{ Body: Static<typeof ChatTurn> }>,
    flow: LiveFlow
  ): Promise<FollowedRun> {
    const { text, session, files = [], draft = false } = request.body
    const named = session === undefined || session === '' ? {} : { session }
    const input = Buffer.from(JSON.stringify(files.length === 0 ? text : { text, files }))
    const given = files.length === 0 ? {} : await filesGivenBy(actorOf(request), input, deps)
    const turn = { trigger: 'chat', input, ...named, ...given } as const
    if (draft) return testTurn(request, flow, turn)
    const { document, printedWhileTold: printers } = chatting(flow)
    const run = await runs.start({ flow, ...turn })
    return { run, nodes: document.nodes, printers, session: session || 'default' }
  }

  async function testTurn(request: FastifyRequest, flow: LiveFlow, turn: Omit<Start, 'flow'>) {
    const test = await testOf(request, flow, deps)
    if (!startsOn(test.document, deps.catalogue, 'chat')) throw withoutChatInput(flow.slug)
    const run = await runs.startTest({ ...test, ...turn })
    const { nodes } = test.document
    return { run, nodes, printers: printersOf(test), session: turn.session ?? 'default' }
  }

  function printersOf({ flow, document }: Pick<TestStart, 'flow' | 'document'>) {
    try {
      return printedWhileTold(
        planFlow({ id: flow.id, version: flow.version, document }, deps.catalogue).nodes
      )
    } catch (error) {
      if (error instanceof PlanError) return new Map()
      throw error
    }
  }
}
