import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { FlowDocument } from '../../flows/document/flow-document.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { aliasNotFound } from '../../library/flow-refusals.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { readCallers } from '../../store/alias-callers.ts'
import type { Alias } from '../../store/flow-standing.ts'
import type { RunStore } from '../../store/store.ts'
import { visibleFlow } from '../access/access.ts'
import { Flow, IdParams, nothing, notShown, PathText } from '../schemas.ts'
import { makerOf } from './flow-access.ts'
import { showFlow } from './present-flow.ts'
import { recentCallers } from './recent-callers.ts'

const tags = ['Flows']

const NewSlug = Type.Object({ slug: FlowDocument.properties.slug }, { additionalProperties: false })

const CalledAlias = Type.Object({
  slug: Type.String(),
  since: Type.String({ format: 'date-time', description: 'When it ceased to be the slug' }),
  calls: count({ description: 'Requests to the webhook and to /run since then' }),
  last_called_at: Nullable(Time),
  callers: Type.Array(
    Type.Object({
      key: Nullable(Type.String({ description: 'The name of the key; null where none was needed' })),
      address: Type.String(),
      calls: count(),
      last_called_at: Time
    }),
    { description: 'Those who called last, newest first' }
  )
})

const RecentCallers = Type.Array(
  Type.Object({
    path: Type.String({ description: 'The address that was called' }),
    address: Type.String(),
    agent: Nullable(Type.String({ description: 'The User-Agent' })),
    calls: count(),
    last_called_at: Time
  }),
  { description: 'Who sent the last requests, by whichever address, newest first' }
)

interface SlugRoutesDeps {
  readonly library: FlowLibrary
  readonly runStore: Pick<RunStore, 'list' | 'get'>
}

/** The address of a flow, and its former ones that still work. */
export function slugRoutes(app: FastifyInstance, { library, runStore }: SlugRoutesDeps): void {
  app.post<{ Params: { id: string }; Body: Static<typeof NewSlug> }>(
    '/api/v1/flows/:id/slug',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'changeSlug',
        summary: 'Change the slug of a flow',
        refuses: ['flow_not_found', 'slug_taken', 'flow_from_file'],
        description:
          'Makes a version. The flow still answers to its former slug, which becomes one of its aliases.',
        params: IdParams,
        body: NewSlug,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { id } = visibleFlow(request, library, request.params.id)
      return showFlow(reply, await library.changeSlug(id, request.body.slug, makerOf(request, library)))
    }
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/aliases',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listAliases',
        summary: 'List the aliases of a flow, and who called them',
        refuses: ['flow_not_found'],
        description:
          'Of each alias, who called it since it ceased to be the slug; what other processes were called by shows within half a minute. Besides, who sent the last requests of the flow.',
        params: IdParams,
        response: {
          200: Type.Object({ aliases: Type.Array(CalledAlias), recent_callers: RecentCallers })
        }
      }
    },
    async (request) => {
      const { id } = visibleFlow(request, library, request.params.id)
      const aliases = (await library.aliases(id)).map(presentAlias)
      return { aliases, recent_callers: await recentCallers(id, runStore) }
    }
  )

  app.delete<{ Params: { id: string; slug: string } }>(
    '/api/v1/flows/:id/aliases/:slug',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'endAlias',
        summary: 'End an alias of a flow',
        refuses: ['flow_not_found', 'alias_not_found'],
        description: 'The flow no longer answers to it, and another flow may take it.',
        params: Type.Object({ id: PathText, slug: PathText }),
        response: { 204: nothing('Ended') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { slug } = request.params
      if (!flow.aliases.includes(slug)) throw aliasNotFound(flow, slug)
      await library.removeAlias(flow.id, slug)
      return reply.code(204).send()
    }
  )
}

function presentAlias({ slug, since, calls, lastCalledAt, callers }: Alias) {
  return {
    slug,
    since: timeText(since),
    calls,
    last_called_at: timeText(lastCalledAt),
    callers: readCallers(callers).map(({ key, address, calls, lastCalledAt }) => {
      return { key, address, calls, last_called_at: timeText(lastCalledAt) }
    })
  }
}
