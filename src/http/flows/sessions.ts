import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Session, Sessions } from '../../runs/chat/sessions.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { Runs } from '../../runs/runs.ts'
import type { SessionPlace } from '../../store/message-store.ts'
import { mayRead, visibleFlow } from '../access/access.ts'
import { badCursor } from '../runs/run-query.ts'
import { IdParams, nothing, notShown } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { cursorTo, Message, placeOf, presentMessage } from './playground.ts'

interface SessionRoutesDeps {
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly conversations: Sessions
  readonly now: () => number
}

const tags = ['Playground']

const Title = Nullable(Type.String({ description: 'As people call it; null where nobody has named it' }))
const Summary = Nullable(
  Type.String({ description: 'What a model made of its older turns; null where none did' })
)

const SessionBody = Type.Object({
  session: Type.String(),
  title: Title,
  messages: count(),
  first_at: Time,
  last_at: Time,
  summary: Summary
})

const OneQuery = Type.Object({
  session: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the session' })
})
const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ description: 'The next_cursor of an earlier answer' }))
})
const ExportQuery = Type.Object({ ...OneQuery.properties, cursor: ListQuery.properties.cursor })
const TitleBody = Type.Object(
  { title: Nullable(Type.String({ minLength: 1, maxLength: 200 })) },
  { additionalProperties: false }
)

/** Conversations with a flow: whoever took part in one may ask to read it, to have it, and to be rid of it. */
export function sessionsRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  listRoute(app, deps)
  exportRoute(app, deps)
  entitleRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: FastifyInstance, { library, conversations }: SessionRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof ListQuery> }>(
    '/api/v1/flows/:id/sessions',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listChatSessions',
        summary: 'List the conversations with a flow',
        refuses: ['flow_not_found'],
        description: 'Those in which something was printed last come first.',
        params: IdParams,
        querystring: ListQuery,
        response: {
          200: Type.Object({ sessions: Type.Array(SessionBody), next_cursor: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { limit = 50, cursor } = request.query
      const before = cursor === undefined ? {} : { before: sessionPlaceOf(cursor) }
      const found = await conversations.list({ flowId: flow.id, limit, ...before })
      return { sessions: found.sessions.map(presentSession), next_cursor: cursorToSession(found.next) }
    }
  )
}

function exportRoute(app: FastifyInstance, { library, runs, conversations, now }: SessionRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof ExportQuery> }>(
    '/api/v1/flows/:id/sessions/export',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'exportChatSession',
        summary: 'Download a conversation',
        refuses: ['flow_not_found'],
        description:
          'All that is kept of it but for the runs behind it: what was said, in order, its title and its summary. The newest 1,000 messages; `next_cursor` leads to those before them.',
        params: IdParams,
        querystring: ExportQuery,
        response: {
          200: Type.Object({
            flow: Type.String({ description: 'The slug of the flow' }),
            session: Type.String(),
            title: Title,
            summary: Summary,
            exported_at: Time,
            messages: Type.Array(Message),
            next_cursor: Nullable(Type.String())
          })
        }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { session, cursor } = request.query
      const before = cursor === undefined ? undefined : placeOf(cursor)
      const { messages, next, title, summary } = await conversations.read(flow.id, session, before)
      const told = {
        flow: flow.slug,
        ...{ session, title, summary, exported_at: timeText(now()) },
        messages: messages.map(presentMessage),
        next_cursor: cursorTo(next)
      }
      reply.header('content-disposition', `attachment; filename="${flow.slug}-session.json"`)
      return sendJson(reply, told, runs.readPiece)
    }
  )
}

function entitleRoute(app: FastifyInstance, { library, conversations }: SessionRoutesDeps): void {
  app.put<{
    Params: { id: string }
    Querystring: Static<typeof OneQuery>
    Body: Static<typeof TitleBody>
  }>(
    '/api/v1/flows/:id/sessions',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'renameChatSession',
        summary: 'Give a conversation a title',
        refuses: ['flow_not_found'],
        description: 'For people to tell it from others. To flows and senders it keeps its name.',
        params: IdParams,
        querystring: OneQuery,
        body: TitleBody,
        response: { 204: nothing('It has the title') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      await conversations.entitle(flow.id, request.query.session, request.body.title)
      return reply.code(204).send()
    }
  )
}

function deleteRoute(app: FastifyInstance, { library, conversations }: SessionRoutesDeps): void {
  app.delete<{ Params: { id: string }; Querystring: Static<typeof OneQuery> }>(
    '/api/v1/flows/:id/sessions',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'deleteChatSession',
        summary: 'Delete a conversation',
        refuses: ['flow_not_found', 'session_in_use'],
        description:
          'What was said in it, its title, its summary, and the runs that printed in it with their inputs, steps and files. Refused while one of them goes on. A run of another flow that called this one stays, without these messages: `kept_runs` names them.',
        params: IdParams,
        querystring: OneQuery,
        response: {
          200: Type.Object({
            messages: count(),
            deleted_runs: count(),
            kept_runs: Type.Array(Type.String())
          }),
          204: notShown()
        }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { messages, deletedRuns, keptRuns } = await conversations.remove(flow.id, request.query.session)
      if (!mayRead(request)) return reply.code(204).send()
      return { messages, deleted_runs: deletedRuns, kept_runs: [...keptRuns] }
    }
  )
}

function presentSession(of: Session): Static<typeof SessionBody> {
  const { session, title, messages, firstAt, lastAt, summary } = of
  return { session, title, messages, first_at: timeText(firstAt), last_at: timeText(lastAt), summary }
}

function cursorToSession(next: SessionPlace | null): string | null {
  return next === null ? null : `${next.no}.${Buffer.from(next.session).toString('base64url')}`
}

function sessionPlaceOf(cursor: string): SessionPlace {
  const [, no, session] = /^(\d{1,15})\.([\w-]{1,1100})$/.exec(cursor) ?? []
  if (no === undefined || session === undefined) throw badCursor(cursor)
  return { no: Number(no), session: Buffer.from(session, 'base64url').toString() }
}
