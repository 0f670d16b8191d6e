import type { FastifyInstance } from 'fastify'
import { turnsOf } from '../../components/language-model/agent/conversation.ts'
import { MillraceError } from '../../errors.ts'
import { numbered, numberedOrNone } from '../../flows/json/bounded-numbers.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { may } from '../../keys/rights.ts'
import { Conversation } from '../../runs/present/conversation-shape.ts'
import { actorOf, forbidden, visibleFlow } from '../access/access.ts'
import { PathText, StartAnswer } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { assertMayRunIn } from './may-run-in.ts'
import type { RunRoutesDeps } from './run-routes-deps.ts'
import { visibleRunOf } from './visible-run.ts'

const tags = ['Runs']

const AgentParams = Type.Object({ id: PathText, node: PathText })
type AgentParams = { id: string; node: string }

const Replayed = Type.Object(
  {
    call: numbered({ description: 'index of a call, as the conversation tells it' }),
    result: Type.Optional(
      Type.Unknown({ description: 'What it is taken to have given; as it was where left out' })
    )
  },
  { additionalProperties: false }
)

/** What an agent of a run said and called, while it goes on and later. */
export function conversationRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.get<{ Params: AgentParams; Querystring: { from?: number } }>(
    '/api/v1/runs/:id/nodes/:node/conversation',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readConversation',
        summary: 'What an agent said and called',
        refuses: ['run_not_found'],
        description: 'Also of an agent that goes on or has failed. Empty for any other node.',
        params: AgentParams,
        querystring: Type.Object({ from: Type.Optional(numberedOrNone()) }),
        response: { 200: Conversation }
      }
    },
    async (request, reply) => {
      const { id, node } = request.params
      const { from = 0 } = request.query
      const run = await visibleRunOf(request, id, deps)
      const { known, isCut } = await deps.runs.callsOf(run, node, from)
      const turns = turnsOf(known, from)
      // The last one may lack calls that were not read.
      const last = isCut && turns.length > 1 ? turns.pop() : undefined
      return sendJson(reply, { turns, next: last?.index ?? null }, deps.runs.readPiece)
    }
  )
}

export function replayFromCallRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  const { runs, library, payloadLimit: bodyLimit } = deps
  app.post<{ Params: AgentParams; Body: { call: number; result?: JsonValue } }>(
    '/api/v1/runs/:id/nodes/:node/replay',
    {
      config: { access: 'write', takes: { body: Replayed, isOptional: false } },
      bodyLimit,
      schema: {
        tags,
        operationId: 'replayFromCall',
        summary: 'Go on behind a call of an agent, with an edited result',
        refuses: [
          'run_not_found',
          'run_goes_on',
          'run_has_parent',
          'call_not_found',
          'replay_too_large',
          'flow_not_found',
          'backlog_full'
        ],
        description:
          'A new run, marked as a test, of what the run before ran. The agent knows what it asked up to that turn, and asks nothing of it again; nodes that do not follow it give what they gave. Its further calls, and the nodes after it, act. Needs the rights write and trigger.',
        params: AgentParams,
        response: { 202: StartAnswer }
      }
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const { id, node } = request.params
      const before = await visibleRunOf(request, id, deps)
      if (!may(actor, 'trigger')) throw forbidden(actor, 'trigger')
      const flow = visibleFlow(request, library, before.flowId)
      assertMayRunIn(actor, before.context)
      const { call, result } = replayedOf(request.body)
      const run = await runs.replayFromCall(before, flow, {
        node,
        call,
        ...(result !== undefined && { result })
      })
      return answerStarted(request, reply, { ...deps, run })
    }
  )
}

/** The body is read with its numbers exact, which no schema validates. */
function replayedOf(body: unknown): { readonly call: number; readonly result?: JsonValue } {
  const { call, result } = Object(body) as { readonly call?: unknown; readonly result?: JsonValue }
  if (typeof call !== 'number' || !Number.isInteger(call) || call < 1)
    throw new MillraceError(
      'invalid_request',
      'Send "call": the index of a call, as the conversation tells it.'
    )
  return { call, ...(result !== undefined && { result }) }
}
