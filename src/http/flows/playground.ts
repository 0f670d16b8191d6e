import type { FastifyInstance } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { didYouMean } from '../../flows/closest-name.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { runStartOf } from '../../runs/record/run-start.ts'
import { decodeSteps, messageText } from '../../runs/record/step-codec.ts'
import type { Runs } from '../../runs/runs.ts'
import type { MessagePlace, MessageStore, StoredMessage } from '../../store/message-store.ts'
import type { RunStore } from '../../store/store.ts'
import { visibleFlow } from '../access/access.ts'
import { badCursor } from '../runs/run-query.ts'
import { IdParams, nothing, OrNone, PathText } from '../schemas.ts'
import { sendJson } from '../send-json.ts'

interface PlaygroundDeps {
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly messages: MessageStore
  readonly runStore: Pick<RunStore, 'latestWithOutput'>
}

const tags = ['Playground']

const RATINGS = ['good', 'bad'] as const

export const Message = Type.Object({
  id: Type.String(),
  session: Type.String(),
  sender: Type.String(),
  text: Type.String(),
  run_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  rating: Type.Optional(
    Type.Enum(RATINGS, { description: 'What somebody thought of it; absent where nobody said' })
  )
})

/** What the Playground shows: messages, and the latest output of a node. */
export function playgroundRoutes(app: FastifyInstance, deps: PlaygroundDeps): void {
  messagesRoute(app, deps)
  ratingRoute(app, deps)
  latestOutputRoute(app, deps)
}

function messagesRoute(app: FastifyInstance, { library, runs, messages }: PlaygroundDeps): void {
  app.get<{ Params: { id: string }; Querystring: { session?: string; limit?: number; cursor?: string } }>(
    '/api/v1/flows/:id/messages',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listMessages',
        summary: 'What Chat Input and Chat Output printed: the newest, in the order of printing',
        refuses: ['flow_not_found'],
        params: IdParams,
        querystring: Type.Object({
          session: Type.Optional(Type.String()),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
          cursor: Type.Optional(
            Type.String({ description: 'The next_cursor of an earlier answer: the messages before those' })
          )
        }),
        response: {
          200: Type.Object({
            messages: Type.Array(Message),
            next_cursor: Type.Union([Type.String(), Type.Null()])
          })
        }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { session, limit = 200, cursor } = request.query
      const found = await messages.list({
        flowId: flow.id,
        limit,
        ...(session !== undefined && { session }),
        ...(cursor !== undefined && { before: placeOf(cursor) })
      })
      const page = { messages: found.messages.map(presentMessage), next_cursor: cursorTo(found.next) }
      return sendJson(reply, page, runs.readPiece)
    }
  )
}

function ratingRoute(app: FastifyInstance, { library, messages }: PlaygroundDeps): void {
  app.put<{
    Params: { id: string; message: string }
    Body: { run_id: string; rating: (typeof RATINGS)[number] | null }
  }>(
    '/api/v1/flows/:id/messages/:message/rating',
    {
      config: { access: 'trigger' },
      schema: {
        tags,
        operationId: 'rateMessage',
        summary: 'Say what a message is worth',
        description: 'It is told with the message, and exported with its session. Null takes it back.',
        refuses: ['flow_not_found', 'message_not_found'],
        params: Type.Object({ id: PathText, message: PathText }),
        body: Type.Object(
          { run_id: Type.String({ maxLength: 100 }), rating: Nullable(Type.Enum(RATINGS)) },
          { additionalProperties: false }
        ),
        response: { 204: nothing('It is kept') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { run_id: runId, rating } = request.body
      const { message: id } = request.params
      if (await messages.rate({ flowId: flow.id, runId, id }, rating)) return reply.code(204).send()
      throw new MillraceError(
        'message_not_found',
        'The flow has no such message of this run. Read its messages, and send "id" and "run_id" of one.'
      )
    }
  )
}

export function presentMessage(message: StoredMessage) {
  const { id, session, sender, runId, createdAt, rating } = message
  return {
    ...{ id, session, sender, text: messageText(message), run_id: runId, created_at: timeText(createdAt) },
    ...(rating !== undefined && { rating })
  }
}

export function cursorTo(next: MessagePlace | null): string | null {
  return next === null ? null : `${next.no}.${next.place}`
}

export function placeOf(cursor: string): MessagePlace {
  const [, no, place] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (no === undefined || place === undefined) throw badCursor(cursor)
  return { no: Number(no), place: Number(place) }
}

function latestOutputRoute(app: FastifyInstance, { library, runs, runStore }: PlaygroundDeps): void {
  app.get<{ Params: { id: string; node: string }; Querystring: OrNone }>(
    '/api/v1/flows/:id/nodes/:node/output',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readNodeOutput',
        summary: 'The most recent output of a node',
        refuses: ['flow_not_found', 'output_not_found'],
        params: Type.Object({ id: PathText, node: PathText }),
        querystring: OrNone,
        response: {
          204: nothing('The node has put out nothing yet'),
          200: Type.Object({
            run_id: Type.String(),
            created_at: Type.String({ format: 'date-time' }),
            outputs: Type.Record(Type.String(), Type.Unknown())
          })
        }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { node } = request.params
      const run = await runStore.latestWithOutput(flow.id, node)
      const steps = run?.outcome == null ? [] : decodeSteps(run.outcome.steps, runStartOf(run))
      const step = steps.find((candidate) => candidate.node === node && candidate.outputs !== null)
      if (run === undefined || step === undefined) {
        if (request.query.or_none === 'true') return reply.code(204).send()
        throw noOutput(flow, node)
      }
      const found = {
        run_id: run.id,
        created_at: timeText(step.startedAt ?? run.createdAt),
        outputs: step.outputs
      }
      return sendJson(reply, found, runs.readPiece)
    }
  )
}

function noOutput({ slug, document }: LiveFlow, node: string): MillraceError {
  const nodes = document.nodes.map(({ id }) => id)
  const message = nodes.includes(node)
    ? `Node "${node}" of flow "${slug}" has no output yet. Send a request to the flow's webhook and look again.`
    : `Flow "${slug}" has no node "${node}".${didYouMean(node, nodes)} GET /api/v1/flows/${slug} shows its nodes.`
  return new MillraceError('output_not_found', message)
}
