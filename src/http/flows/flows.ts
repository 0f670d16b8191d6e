import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { LAST_NUMBER } from '../../flows/json/bounded-numbers.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { FlowBin } from '../../runs/retention/flow-bin.ts'
import type { Runs } from '../../runs/runs.ts'
import type { RunStore } from '../../store/store.ts'
import type { TriggerStore } from '../../store/triggers.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { DOCUMENT_BODY } from '../requests/body-limits.ts'
import { Flow, IdParams } from '../schemas.ts'
import { bulkRoute } from './bulk-flows.ts'
import { deleteRoutes } from './delete-flow.ts'
import { assertMayCreate, assertMayPut, makerOf, readableDocument } from './flow-access.ts'
import { slugRoutes } from './flow-slug.ts'
import { flowListRoute } from './list-flows.ts'
import { pauseRoutes } from './pause-flow.ts'
import { presentFlow } from './present-flow.ts'
import { FlowDocumentEdited, FlowDocumentSent } from './sent-document.ts'
import { versionRoutes } from './versions.ts'

const tags = ['Flows']
/** What the library judges. */
const AnyObject = Type.Record(Type.String(), Type.Unknown())
const SaveQuery = Type.Object({
  draft: Type.Optional(
    Type.Enum(['keep', 'discard'], {
      description: 'What becomes of the draft: it stays, and is behind then; or it is discarded'
    })
  )
})

type Sent = Readonly<Record<string, unknown>>

interface FlowRoutesDeps {
  readonly library: FlowLibrary
  readonly drafts: Pick<Drafts, 'ended' | 'ofFlows' | 'faultsOf'>
  readonly runs: Pick<Runs, 'recent'>
  readonly runStore: Pick<RunStore, 'list' | 'get'>
  readonly bin: FlowBin
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly triggers: Pick<TriggerStore, 'list'>
  readonly prefix: string
}

/** Flows: list, create, read, save, delete, and the versions that every save leaves. */
export function flowRoutes(app: FastifyInstance, deps: FlowRoutesDeps): void {
  const { library, drafts, catalogue, prefix } = deps
  flowListRoute(app, deps)

  app.post<{ Body: Sent }>(
    '/api/v1/flows',
    {
      config: { access: 'write', takes: { body: FlowDocumentSent } },
      bodyLimit: DOCUMENT_BODY,
      schema: {
        tags,
        operationId: 'createFlow',
        summary: 'Create a flow',
        refuses: ['flow_invalid', 'slug_taken', 'secret_key_missing'],
        body: AnyObject,
        response: { 201: Flow }
      }
    },
    async (request, reply) => {
      assertMayCreate(actorOf(request), request.body.context)
      const flow = await library.create(request.body, makerOf(request, library))
      return reply.code(201).header('location', `${prefix}/api/v1/flows/${flow.id}`).send(presentFlow(flow))
    }
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readFlow',
        summary: 'Read a flow',
        refuses: ['flow_not_found'],
        params: IdParams,
        response: { 200: Flow }
      }
    },
    async (request) => readableFlow(request, visibleFlow(request, library, request.params.id), catalogue)
  )

  app.put<{ Params: { id: string }; Body: Sent; Querystring: Static<typeof SaveQuery> }>(
    '/api/v1/flows/:id',
    {
      config: { access: 'write', takes: { body: FlowDocumentEdited } },
      bodyLimit: DOCUMENT_BODY,
      schema: {
        tags,
        operationId: 'saveFlow',
        summary: 'Save a flow',
        refuses: [
          'flow_not_found',
          'flow_invalid',
          'flow_conflict',
          'flow_from_file',
          'slug_taken',
          'secret_key_missing'
        ],
        description:
          'It is live at once. Send the version that was edited; a stale one is refused with 409. To edit without anything being live, there is the draft.',
        params: IdParams,
        querystring: SaveQuery,
        body: AnyObject,
        response: { 200: Flow }
      }
    },
    async (request) => {
      const { context } = request.body
      const assertMayEdit = (live: LiveFlow) => assertMayPut(actorOf(request), live, context ?? live.context)
      const flow = visibleFlow(request, library, request.params.id)
      assertMayEdit(flow)
      const base = baseVersion(request.body)
      const edit = { ...makerOf(request, library), assertMayEdit }
      const isDiscarding = request.query.draft === 'discard'
      const save = isDiscarding ? { ...edit, draft: { kind: 'discarded' } as const } : edit
      const saved = await library.save(flow.id, base, request.body, save)
      if (isDiscarding) await drafts.ended(saved)
      return presentFlow(saved)
    }
  )

  deleteRoutes(app, deps)
  bulkRoute(app, deps)
  pauseRoutes(app, library)
  slugRoutes(app, deps)
  versionRoutes(app, deps)
}

function readableFlow(request: FastifyRequest, flow: LiveFlow, catalogue: Pick<Catalogue, 'find'>) {
  return presentFlow(flow, readableDocument(request, flow.document, catalogue))
}

function baseVersion({ version }: Sent): number {
  const isOne = Number.isInteger(version) && (version as number) >= 1 && (version as number) <= LAST_NUMBER
  if (isOne) return version as number
  const isMissing = version === undefined
  const what = isMissing ? '' : `The "version" that was sent is not a whole number from 1 to ${LAST_NUMBER}. `
  const message = `${what}Send the "version" that you edited, as the flow was read: it keeps you from overwriting someone else.`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: isMissing ? 'missing_member' : 'invalid_shape', path: '/version', message }]
  })
}
