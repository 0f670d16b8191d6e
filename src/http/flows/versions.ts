import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { FlowDocument } from '../../flows/document/flow-document.ts'
import { numbered } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { VersionSummary } from '../../store/versions.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { badCursor } from '../runs/run-query.ts'
import { Flow, FlowVersion, IdParams, notShown, PathText } from '../schemas.ts'
import { assertMayPut, makerOf, readableDocument } from './flow-access.ts'
import { showFlow } from './present-flow.ts'

interface VersionRoutesDeps {
  readonly library: FlowLibrary
  readonly catalogue: Pick<Catalogue, 'find'>
}

const tags = ['Flows']
const VersionParams = Type.Object({ id: PathText, version: numbered() })
const DEFAULT_LIMIT = 200

const Query = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: `At most this many versions (${DEFAULT_LIMIT})` })
  ),
  cursor: Type.Optional(Type.String({ description: 'The next_cursor of an earlier answer' })),
  named: Type.Optional(Type.Enum(['true', 'false'], { description: 'true: only those with a name' }))
})

/** Every save and every publish leaves a version. */
export function versionRoutes(app: FastifyInstance, { library, catalogue }: VersionRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof Query> }>(
    '/api/v1/flows/:id/versions',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listVersions',
        summary: 'List versions, newest first',
        refuses: ['flow_not_found'],
        params: IdParams,
        querystring: Query,
        response: {
          200: Type.Object({ versions: Type.Array(FlowVersion), next_cursor: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { limit = DEFAULT_LIMIT, cursor, named } = request.query
      const { versions, next } = await library.versions(flow.id, {
        limit,
        isNamed: named === 'true',
        ...(cursor === undefined ? {} : { before: versionIn(cursor) })
      })
      return {
        versions: versions.map((version) => presentVersion(version, flow)),
        next_cursor: next === null ? null : String(next)
      }
    }
  )

  app.get<{ Params: { id: string; version: number } }>(
    '/api/v1/flows/:id/versions/:version',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readVersion',
        summary: 'Read a version',
        refuses: ['flow_not_found', 'version_not_found'],
        params: VersionParams,
        response: { 200: Type.Object({ ...FlowVersion.properties, document: FlowDocument }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      const version = await library.version(flow.id, request.params.version)
      const document = readableDocument(request, await library.readDocument(version.document), catalogue)
      return { ...presentVersion(version, flow), document }
    }
  )

  app.post<{ Params: { id: string; version: number } }>(
    '/api/v1/flows/:id/versions/:version/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'restoreVersion',
        summary: 'Make a version live again',
        refuses: [
          'flow_not_found',
          'version_not_found',
          'flow_invalid',
          'flow_conflict',
          'flow_from_file',
          'slug_taken'
        ],
        description: 'As a version of its own. POST …/draft/restore makes it the draft instead.',
        params: VersionParams,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { version } = request.params
      const { document } = await library.version(flow.id, version)
      const { context } = await library.readDocument(document)
      assertMayPut(actorOf(request), flow, context)
      const maker = makerOf(request, library)
      return showFlow(reply, await library.restore(flow.id, version, maker))
    }
  )
}

function presentVersion(summary: VersionSummary, live: LiveFlow) {
  const { version, createdAt, name, note, author, changes, origin } = summary
  return {
    version,
    created_at: timeText(createdAt),
    is_live: version === live.version,
    name,
    note,
    author,
    changes,
    origin
  }
}

function versionIn(cursor: string): number {
  if (/^[1-9]\d{0,8}$/.test(cursor)) return Number(cursor)
  throw badCursor(cursor)
}
