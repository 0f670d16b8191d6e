import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { ExactNumber, isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { canSee, coversContext, may, seesAll } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { PushPlan } from '../../library/push/plan-push.ts'
import type { Pusher, PushOrder } from '../../library/push/push-order.ts'
import type { Pushes } from '../../library/push/pushes.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { actorOf } from '../access/access.ts'
import { assertFreeNames, settingsOf } from '../contexts/context-bodies.ts'
import { assertMayCreate, makerOf } from '../flows/flow-access.ts'
import { PUSH_BODY } from '../requests/body-limits.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { PushAnswer, PushBody, PushTold } from './push-schemas.ts'

const Query = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Tells what would be done, and does nothing' })
  )
})

type Body = Static<typeof PushBody>

interface PushDeps {
  readonly library: FlowLibrary
  readonly pushes: Pushes
}

/** Publishing many flows at once, or none of them: what a folder of files says, above all. */
export function pushRoute(app: FastifyInstance, { library, pushes }: PushDeps): void {
  withExactJson(app, (scope) => {
    scope.post<{ Body: Body; Querystring: Static<typeof Query> }>(
      '/api/v1/push',
      {
        config: { access: 'write', takes: { body: PushTold } },
        bodyLimit: PUSH_BODY,
        schema: {
          tags: ['Flows'],
          operationId: 'pushFlows',
          summary: 'Publish many flows at once',
          refuses: ['push_invalid', 'push_conflict', 'slug_taken', 'secret_unreadable', 'secret_key_missing'],
          description:
            'Flows are found by their slugs: those that differ get a new version, those that are not there are made, all in one moment or not at all. What somebody edits as a draft stays, and is behind then. Contexts that are not there are made, and connections that need no secrets; both need the right admin. A dry run answers what would be done, and with errors where it is not valid; a push that is not valid is refused.',
          querystring: Query,
          body: PushBody,
          response: { 200: PushAnswer }
        }
      },
      async (request) => {
        const pusher = pusherOf(request, library)
        const order = await library.inTurns(orderOf(request.body))
        const refusal = pusher.mayPut(order.scope.context)
        if (refusal !== undefined) throw refusal
        if (request.query.dry_run === 'true') return presented(await pushes.plan(order, pusher), null)
        const { plan, flows } = await pushes.push(order, pusher, request.body.plan)
        return presented(plan, flows)
      }
    )
  })
}

function pusherOf(request: FastifyRequest, library: FlowLibrary): Pusher {
  const actor = actorOf(request)
  const isAdmin = may(actor, 'admin')
  return {
    ...makerOf(request, library),
    canSee: (flow) => canSee(actor, flow),
    mayPut: (context) => {
      try {
        assertMayCreate(actor, context)
        return undefined
      } catch (error) {
        if (error instanceof MillraceError) return error
        throw error
      }
    },
    mayChangeContexts: isAdmin && seesAll(actor),
    administers: (context) => isAdmin && coversContext(actor, context),
    mayTrust: seesAll(actor)
  }
}

function* orderOf(body: Body): Turns<PushOrder> {
  const { context = '/', prefix = '', contexts = [], connections = [] } = body
  const flows: PushOrder['flows'][number][] = []
  for (const flow of body.flows) {
    flows.push(plain(flow as JsonValue) as PushOrder['flows'][number])
    yield
  }
  for (const [index, each] of contexts.entries()) assertFreeNames(each, `/contexts/${index}`)
  return {
    scope: { context, prefix },
    flows,
    contexts: contexts.map(({ path, variables = {}, ...settings }) => ({
      path,
      variables: variables as Record<string, JsonValue>,
      settings: settingsOf(plain(settings as JsonValue) as object, {})
    })),
    connections: connections.map(({ name, kind, context: place = '/', settings = {} }) => {
      return { name, kind, context: place, settings: plain(settings as JsonValue) as Record<string, unknown> }
    }),
    isDeleting: body.delete === true,
    changesSettings: body.settings !== false,
    origin: 'pushed'
  }
}

/** Numbers as JavaScript has them: as in every document, whichever way it comes. */
function plain(value: JsonValue): unknown {
  if (value instanceof ExactNumber) return JSON.parse(value.source)
  if (Array.isArray(value)) return value.map(plain)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** `flows` are those that were changed; null for what is only planned. */
function presented(plan: PushPlan, changed: ReadonlyMap<string, LiveFlow> | null): Static<typeof PushAnswer> {
  const { digest, faults, missing, left } = plan
  return {
    done: changed !== null,
    valid: faults.length === 0,
    plan: digest,
    flows: plan.flows.map(({ slug, context, action, changes, live, draft, warnings }) => {
      const now = changed?.get(slug) ?? live
      return {
        slug,
        context,
        action,
        id: now?.id ?? null,
        version: now?.version ?? null,
        changes,
        edited: draft === undefined ? null : { author: draft.author, updated_at: timeText(draft.updatedAt) },
        warnings: [...warnings]
      }
    }),
    contexts: plan.contexts.map(({ path, action, changes }) => ({ path, action, changes: [...changes] })),
    connections: plan.connections.map(({ name, context, kind, action, changes }) => {
      return { name, context, kind, action, changes: [...changes] }
    }),
    missing: missing.map((each) => ({ ...each, kinds: [...each.kinds], flows: [...each.flows] })),
    left: left.map(({ context, flows }) => ({ context, flows: [...flows] })),
    errors: faults.map((fault) => ({ ...fault }))
  }
}
