import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import { FlowDocument } from '../../flows/document/flow-document.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { FlowBin } from '../../runs/retention/flow-bin.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { deletedFlow, visibleDeleted } from './delete-flow.ts'
import { assertMayPut, makerOf } from './flow-access.ts'

interface BulkDeps {
  readonly library: FlowLibrary
  readonly bin: FlowBin
}

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 1, maxItems: 50 })

const Mode = Type.Enum(['hold', 'refuse'], { description: 'For pause' })

const Bulk = Type.Object(
  {
    action: Type.Enum(['delete', 'undelete', 'purge', 'pause', 'resume', 'tag', 'untag', 'move']),
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 500, description: 'Ids of flows, or slugs' }),
    mode: Type.Optional(Mode),
    tags: Type.Optional(Tags),
    context: Type.Optional(FlowDocument.properties.context)
  },
  { additionalProperties: false }
)

type Bulk = Static<typeof Bulk>

const { action: _, ...shared } = Bulk.properties
const without = (...actions: string[]) =>
  Type.Object({ action: Type.Enum(actions), ...shared }, { additionalProperties: false })

/** The same, with what each action needs. */
const BulkTold = Type.Union([
  without('delete', 'undelete', 'purge', 'resume'),
  Type.Object({ ...without('pause').properties, mode: Mode }, { additionalProperties: false }),
  Type.Object({ ...without('tag', 'untag').properties, tags: Tags }, { additionalProperties: false }),
  Type.Object(
    { ...without('move').properties, context: FlowDocument.properties.context },
    { additionalProperties: false }
  )
])

const Results = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String({ description: 'As it was sent' }),
      ok: Type.Boolean(),
      error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }))
    }),
    { description: 'One for each id, in their order' }
  )
})

/** One action on many flows. Each is done and told by itself, with the rights that the same action on one flow asks for. */
export function bulkRoute(app: FastifyInstance, deps: BulkDeps): void {
  app.post<{ Body: Bulk }>(
    '/api/v1/flows/bulk',
    {
      config: { access: 'write', takes: { body: BulkTold } },
      bodyLimit: 64 * 1024,
      schema: {
        tags: ['Flows'],
        operationId: 'changeFlows',
        summary: 'Do the same with many flows',
        description:
          'Each flow is done by itself, one after the other, and told of by itself: one that is refused holds no other back. tag and untag take tags, move a context, pause a mode.',
        body: Bulk,
        response: { 200: Results }
      }
    },
    async (request) => {
      assertComplete(request.body)
      const results: Static<typeof Results>['results'] = []
      for (const id of request.body.ids) results.push({ id, ...(await doOne(request, id, deps)) })
      return { results }
    }
  )
}

const NEEDED = { pause: 'mode', tag: 'tags', untag: 'tags', move: 'context' } as const

function assertComplete(bulk: Bulk): void {
  const needed = NEEDED[bulk.action as keyof typeof NEEDED]
  if (needed === undefined || bulk[needed] !== undefined) return
  const message = `The action "${bulk.action}" needs "${needed}". Send it.`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: 'missing_member', path: `/${needed}`, message }]
  })
}

async function doOne(request: FastifyRequest<{ Body: Bulk }>, id: string, deps: BulkDeps) {
  try {
    await act(request, id, deps)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    return { ok: false, error: { code: error.code, message: error.message } }
  }
}

async function act(
  request: FastifyRequest<{ Body: Bulk }>,
  id: string,
  { library, bin }: BulkDeps
): Promise<unknown> {
  const { action, mode, tags = [], context } = request.body
  const flow = () => visibleFlow(request, library, id)
  const { name } = actorOf(request)
  switch (action) {
    case 'delete':
      return library.remove(flow().id, { author: name })
    case 'undelete':
      if (library.find(id) !== undefined) return flow()
      await visibleDeleted(request, library, id)
      return library.undelete(id, makerOf(request, library))
    case 'purge':
      return bin.purge((await deletedFlow(request, library, id)).id)
    case 'pause':
      return library.setPaused(flow().id, { mode: mode!, by: name })
    case 'resume':
      return library.setPaused(flow().id, null)
    case 'tag':
      return changeTags(request, library, flow(), (kept) => [...new Set([...kept, ...tags])])
    case 'untag':
      return changeTags(request, library, flow(), (kept) => kept.filter((tag) => !tags.includes(tag)))
    case 'move':
      assertMayPut(actorOf(request), flow(), context)
      return flow().context === context ? flow() : save(request, library, flow(), { context: context! })
  }
}

async function changeTags(
  request: FastifyRequest,
  library: FlowLibrary,
  flow: LiveFlow,
  changed: (kept: readonly string[]) => string[]
): Promise<void> {
  const kept = flow.document.tags ?? []
  const tags = changed(kept)
  if (tags.length !== kept.length) await save(request, library, flow, { tags })
}

function save(
  request: FastifyRequest,
  library: FlowLibrary,
  { id, version, document }: LiveFlow,
  changes: Partial<FlowDocument>
): Promise<LiveFlow> {
  const edit = makerOf(request, library)
  return library.save(id, version, { ...document, ...changes }, edit)
}
