import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { componentCatalogue } from '../../contexts/component-catalogue.ts'
import type { ContextTree } from '../../contexts/context-tree.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { readsVariables } from '../../flows/component/context-variables.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import {
  type ConnectionUse,
  connectionUses,
  stateOfUse,
  usedName
} from '../../flows/validate/connection-uses.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { visibleFlow, visibleFlows } from '../access/access.ts'

const FlowQuery = Type.Object({
  flow: Type.Optional(Type.String({ description: 'Id or slug: what this flow uses; all flows without it' }))
})
type FlowQuery = Static<typeof FlowQuery>

const Use = Type.Object({
  flow_id: Type.String(),
  flow_name: Type.String(),
  flow_context: Type.String(),
  node: Type.String(),
  field: Type.String(),
  name: Type.String({ description: 'What is looked up, with the variables of the context filled in' }),
  kinds: Type.Array(Type.String(), { description: 'The kinds that fit' }),
  state: Type.Enum(['found', 'missing', 'wrong_kind']),
  kind: Nullable(Type.String({ description: 'Of the connection that is meant' })),
  context: Nullable(Type.String({ description: 'Where that one lives' }))
})

interface ConnectionUsesDeps {
  readonly connections: ConnectionLibrary
  readonly library: FlowLibrary
  readonly tree: ContextTree
}

/** Which connections flows name, which ones they would use, and which they miss: of the flows that the caller reads. */
export function connectionUseRoutes(app: FastifyInstance, deps: ConnectionUsesDeps): void {
  const usesOf = rememberedUses(componentCatalogue(deps.tree))
  app.get<{ Querystring: FlowQuery }>(
    '/api/v1/connections/uses',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Connections'],
        operationId: 'listConnectionUses',
        summary: 'Which connections flows name, and which they miss',
        refuses: ['flow_not_found'],
        description: 'Of the live version of each flow. Names, kinds and places only.',
        querystring: FlowQuery,
        response: { 200: Type.Object({ uses: Type.Array(Use) }) }
      }
    },
    async (request) => {
      const { flow } = request.query
      const flows =
        flow === undefined ? visibleFlows(request, deps.library) : [visibleFlow(request, deps.library, flow)]
      return { uses: flows.flatMap((live) => usesOf(live).map((use) => presentUse(use, live, deps))) }
    }
  )
}

/** A version of a flow says the same as long as it is live, and most flows name none: each is read once. */
function rememberedUses({ find }: Pick<Catalogue, 'find'>): (flow: LiveFlow) => readonly ConnectionUse[] {
  const known = new WeakMap<LiveFlow, readonly ConnectionUse[]>()
  return (flow) => {
    const before = known.get(flow)
    if (before !== undefined) return before
    const uses = connectionUses(flow.document, (type) => find(flow.context, type)?.fields)
    known.set(flow, uses)
    return uses
  }
}

function presentUse(
  use: ConnectionUse,
  { id, document, context }: LiveFlow,
  { connections, tree }: ConnectionUsesDeps
): Static<typeof Use> {
  const name = readsVariables(use.name) ? usedName(use, variablesIn(tree, context)) : use.name
  const seen = connections.visible(context, name)
  return {
    flow_id: id,
    flow_name: document.name,
    flow_context: context,
    node: use.node,
    field: use.field,
    name,
    kinds: [...use.kinds],
    state: stateOfUse(use, seen),
    kind: seen?.kind ?? null,
    context: seen?.context ?? null
  }
}

function variablesIn(tree: ContextTree, context: string): Record<string, JsonValue> {
  const seen = tree.visible(context, 'variable').map(({ name, value }) => [name, value as JsonValue])
  return Object.fromEntries(seen)
}
