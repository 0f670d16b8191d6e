import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readFailure } from '../../engine/step-error.ts'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { resolveFields } from '../../flows/component/component.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { may } from '../../keys/rights.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Runs } from '../../runs/runs.ts'
import type { EditedTrigger } from '../../triggers/trigger-nodes.ts'
import type { TriedItem, TryWatch } from '../../triggers/watch/try-watch.ts'
import { actorOf, forbidden, mayRead, visibleFlow } from '../access/access.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { notShown, PathText } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { assertMayPut } from './flow-access.ts'
import { nodeAlone } from './node-alone.ts'
import { whileItWaits } from './while-it-waits.ts'

interface TryWatchDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly runs: Pick<Runs, 'readPiece'>
  readonly tryWatch: TryWatch
}

/** So many are told, the new ones first: whoever tries it wants to see what they look like. */
const SHOWN = 100

const Asked = Type.Object(
  {
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'By field; as saved where this is left out' })
    )
  },
  { additionalProperties: false }
)

interface Asked {
  readonly fields?: Record<string, JsonValue>
}

const Found = Type.Object({
  status: Type.Enum(['succeeded', 'failed']),
  count: count({ description: 'Items that are there now' }),
  new_count: count({ description: 'Those that would start a run' }),
  items: Type.Array(Type.Object({ item: Type.Unknown(), is_new: Type.Boolean() }), {
    description: `At most ${SHOWN}, the new ones first`
  }),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }))
})

/** What a Watch would find now. */
export function tryWatchRoute(app: FastifyInstance, deps: TryWatchDeps): void {
  withExactJson(app, (scope) => {
    scope.post<{ Params: { id: string; node: string }; Body: Asked | undefined }>(
      '/api/v1/flows/:id/nodes/:node/look',
      {
        config: { access: 'write', takes: { body: Nullable(Asked), isOptional: true } },
        schema: {
          tags: ['Drafts'],
          operationId: 'tryWatch',
          summary: 'Look once at what a Watch watches, and tell which items are new',
          refuses: ['flow_not_found', 'node_not_found', 'node_watches_nothing', 'flow_invalid'],
          description:
            'Of the draft, or of what is live where there is none. No run is started, and nothing is remembered. Needs the rights write and trigger.',
          params: Type.Object({ id: PathText, node: PathText }),
          response: { 200: Found, 204: notShown() }
        }
      },
      async (request, reply) => {
        const trigger = await triggerOf(request, deps)
        const found = await deps.tryWatch(trigger, whileItWaits(reply)).then(told, toldFailure)
        if (!mayRead(request)) return reply.code(204).send()
        return sendJson(reply, found, deps.runs.readPiece)
      }
    )
  })
}

async function triggerOf(
  request: FastifyRequest<{ Params: { id: string; node: string }; Body: Asked | undefined }>,
  { library, drafts, catalogue }: TryWatchDeps
): Promise<EditedTrigger> {
  const actor = actorOf(request)
  const flow = visibleFlow(request, library, request.params.id)
  for (const right of ['write', 'trigger'] as const) if (!may(actor, right)) throw forbidden(actor, right)
  const edited = (await drafts.find(flow))?.document ?? flow.document
  assertMayPut(actor, flow, edited.context)
  const asked = { id: request.params.node, fields: fieldsIn(request.body) }
  const { document, node } = await nodeAlone(request, library, edited, flow, asked)
  const component = catalogue.find(document.context, node.type)
  if (component?.trigger !== 'watch') throw watchesNothing(node.id)
  const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
  const { id, slug, version, triggersFrom } = flow
  return { flow: { id, slug, version, triggersFrom, context: document.context }, node, component, fields }
}

function fieldsIn(body: unknown): Asked['fields'] {
  if (body === undefined || body === null) return undefined
  if (isPlainObject(body)) {
    const { fields, ...more } = body
    if (Object.keys(more).length === 0 && (fields === undefined || isPlainObject(fields))) return fields
  }
  throw new MillraceError(
    'invalid_request',
    'Send {"fields": {…}}, with a value for each field, or leave it out.'
  )
}

function told(items: readonly TriedItem[]) {
  const isNew = items.filter((each) => each.isNew)
  const shown = [...isNew, ...items.filter((each) => !each.isNew)].slice(0, SHOWN)
  return {
    status: 'succeeded',
    count: items.length,
    new_count: isNew.length,
    items: shown.map((each) => ({ item: each.item, is_new: each.isNew })),
    error: null
  }
}

function toldFailure(error: unknown) {
  const { code, message } = readFailure(error)
  return { status: 'failed', count: 0, new_count: 0, items: [], error: { code, message } }
}

function watchesNothing(id: string): MillraceError {
  return new MillraceError(
    'node_watches_nothing',
    `The node "${id}" watches nothing. Name a Watch of this flow.`
  )
}
