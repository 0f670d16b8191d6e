import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/catalogue.ts'
import { FlowDocument } from '../../flows/flow-document.ts'
import { Type } from '../../flows/schema-builder.ts'
import { canSee } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present-run.ts'
import type { Runs } from '../../runs/runs.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { DOCUMENT_BODY } from '../requests/body-limits.ts'
import { Flow, FlowVersion, IdParams, nothing, notShown } from '../schemas.ts'
import { assertMayCreate, assertMayPut, knownTo, readableDocument } from './flow-access.ts'
import { flowListRoute } from './list-flows.ts'
import { pauseRoutes } from './pause-flow.ts'
import { presentFlow, showFlow } from './present-flow.ts'

const tags = ['Flows']
const AnyObject = Type.Record(Type.String(), Type.Unknown(), { description: 'A flow document' })
const VersionParams = Type.Object({ id: Type.String(), version: Type.Integer({ minimum: 1 }) })

type Sent = Readonly<Record<string, unknown>>

export interface FlowRoutesDeps {
  readonly library: FlowLibrary
  readonly runs: Pick<Runs, 'recent'>
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly prefix: string
}

/** Flows: list, create, read, save, delete, and the versions that every save leaves. */
export function flowRoutes(app: FastifyInstance, deps: FlowRoutesDeps): void {
  const { library, catalogue, prefix } = deps
  flowListRoute(app, deps)

  app.post<{ Body: Sent }>(
    '/api/v1/flows',
    {
      config: { access: 'write' },
      bodyLimit: DOCUMENT_BODY,
      schema: { tags, summary: 'Create a flow', body: AnyObject, response: { 201: Flow } }
    },
    async (request, reply) => {
      assertMayCreate(actorOf(request), request.body.context)
      const flow = await library.create(request.body, knownTo(request, library))
      return reply.code(201).header('location', `${prefix}/api/v1/flows/${flow.id}`).send(presentFlow(flow))
    }
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a flow', params: IdParams, response: { 200: Flow } }
    },
    async (request) => readableFlow(request, visibleFlow(request, library, request.params.id), catalogue)
  )

  app.put<{ Params: { id: string }; Body: Sent }>(
    '/api/v1/flows/:id',
    {
      config: { access: 'write' },
      bodyLimit: DOCUMENT_BODY,
      schema: {
        tags,
        summary: 'Save a flow',
        description: 'Send the version that was edited; a stale one is refused with 409.',
        params: IdParams,
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
      const knows = knownTo(request, library)
      return presentFlow(await library.save(flow.id, base, request.body, { knows, assertMayEdit }))
    }
  )

  app.delete<{ Params: { id: string } }>(
    '/api/v1/flows/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Delete a flow',
        description: 'Its webhook answers 404 at once; runs that were accepted finish.',
        params: IdParams,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      await library.remove(visibleFlow(request, library, request.params.id).id)
      return reply.code(204).send()
    }
  )

  undeleteRoute(app, library)
  pauseRoutes(app, library)
  versionRoutes(app, deps)
}

function undeleteRoute(app: FastifyInstance, library: FlowLibrary): void {
  app.post<{ Params: { id: string } }>(
    '/api/v1/flows/:id/undelete',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Take the deletion of a flow back',
        description:
          'The flow is live again at the version that it had, by its id. One that is live stays as it is.',
        params: IdParams,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { id } = request.params
      if (library.find(id) !== undefined) return showFlow(reply, visibleFlow(request, library, id))
      const removed = await library.removed(id)
      if (removed === undefined || !canSee(actorOf(request), removed)) throw flowNotFound()
      return showFlow(reply, await library.undelete(id, knownTo(request, library)))
    }
  )
}

function versionRoutes(app: FastifyInstance, { library, catalogue }: FlowRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/versions',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List versions, newest first',
        params: IdParams,
        response: { 200: Type.Object({ versions: Type.Array(FlowVersion) }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const versions = await library.versions(flow.id)
      return {
        versions: versions.map(({ version, createdAt }) => ({
          version,
          created_at: timeText(createdAt),
          is_live: version === flow.version
        }))
      }
    }
  )

  app.get<{ Params: { id: string; version: number } }>(
    '/api/v1/flows/:id/versions/:version',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read a version',
        params: VersionParams,
        response: { 200: Type.Object({ ...FlowVersion.properties, document: FlowDocument }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { version, createdAt, document } = await library.version(flow.id, request.params.version)
      return {
        version,
        created_at: timeText(createdAt),
        is_live: version === flow.version,
        document: readableDocument(request, JSON.parse(document), catalogue)
      }
    }
  )

  app.post<{ Params: { id: string; version: number } }>(
    '/api/v1/flows/:id/versions/:version/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Make a version live again',
        params: VersionParams,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { version } = request.params
      const { document } = await library.version(flow.id, version)
      assertMayPut(actorOf(request), flow, (JSON.parse(document) as Sent).context)
      return showFlow(reply, await library.restore(flow.id, version, knownTo(request, library)))
    }
  )
}

function readableFlow(request: FastifyRequest, flow: LiveFlow, catalogue: Pick<Catalogue, 'find'>) {
  return presentFlow(flow, readableDocument(request, flow.document, catalogue))
}

function baseVersion({ version }: Sent): number {
  if (Number.isInteger(version)) return version as number
  const isMissing = version === undefined
  const what = isMissing ? '' : 'The "version" that was sent is no whole number. '
  const message = `${what}Send the "version" that you edited, as the flow was read: it keeps you from overwriting someone else.`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: isMissing ? 'missing_member' : 'invalid_shape', path: '/version', message }]
  })
}
