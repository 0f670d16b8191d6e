import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Presence } from '../../library/presence.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { PresentPage } from '../../store/shared-store.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { IdParams, nothing, PathText } from '../schemas.ts'

interface PresenceDeps {
  readonly library: FlowLibrary
  readonly presence: Presence
}

const tags = ['Flows']

const Node = Nullable(Type.String({ maxLength: 200, description: 'The node that is looked at' }))
const Page = Type.String({
  minLength: 8,
  maxLength: 64,
  description: 'Any text that the page has made for itself: one key may have a flow open several times'
})

const Here = Type.Object({ page: Page, node: Type.Optional(Node) }, { additionalProperties: false })

const Present = Type.Object({
  page: Type.String(),
  name: Type.String({ description: 'The name of the key' }),
  node: Node,
  since: Time
})

const AllPresent = Type.Object({ present: Type.Array(Present) })

/** Who else has a flow open. */
export function presenceRoutes(app: FastifyInstance, { library, presence }: PresenceDeps): void {
  app.put<{ Params: { id: string }; Body: Static<typeof Here> }>(
    '/api/v1/flows/:id/presence',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'enterFlow',
        summary: 'Say that a page has the flow open',
        refuses: ['flow_not_found'],
        description:
          'And which node it looks at. Say it again every 30 seconds: after 75 without a word it is gone. Answers who is there, itself included; the event flow.presence tells of changes.',
        params: IdParams,
        body: Here,
        response: { 200: AllPresent }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { page, node = null } = request.body
      return presentAll(presence.enter(flow.id, { page, node, name: actorOf(request).name }))
    }
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/presence',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listPresent',
        summary: 'List who has the flow open',
        refuses: ['flow_not_found'],
        params: IdParams,
        response: { 200: AllPresent }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      return presentAll(presence.of(flow.id))
    }
  )

  app.delete<{ Params: { id: string; page: string } }>(
    '/api/v1/flows/:id/presence/:page',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'leaveFlow',
        summary: 'Say that a page has closed the flow',
        refuses: ['flow_not_found'],
        params: Type.Object({ id: PathText, page: PathText }),
        response: { 204: nothing('It is gone, or was not there, or was opened with another key') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      presence.leave(flow.id, request.params.page, actorOf(request).name)
      return reply.code(204).send()
    }
  )
}

export function presentAll(pages: readonly PresentPage[]) {
  return { present: pages.map((page) => ({ ...page, since: timeText(page.since) })) }
}
