import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { componentCatalogue } from '../../contexts/component-catalogue.ts'
import type { ContextTree } from '../../contexts/context-tree.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { readsVariables } from '../../flows/component/context-variables.ts'
import type { FlowNode } from '../../flows/document/flow-document.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import {
  type ConnectionUse,
  connectionUses,
  stateOfUse,
  usedName
} from '../../flows/validate/connection-uses.ts'
import type { Draft } from '../../library/draft.ts'
import type { Drafts } from '../../library/drafts.ts'
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
  context: Nullable(Type.String({ description: 'Where that one lives' })),
  draft: Type.Boolean({ description: 'Named by the draft of the flow, and not by what is live' })
})

interface ConnectionUsesDeps {
  readonly connections: ConnectionLibrary
  readonly library: FlowLibrary
  readonly drafts: Pick<Drafts, 'ofFlows'>
  readonly tree: ContextTree
}

/** Which connections flows name, which ones they would use, and which they miss: of the flows that the caller reads. */
export function connectionUseRoutes(app: FastifyInstance, deps: ConnectionUsesDeps): void {
  const catalogue = componentCatalogue(deps.tree)
  const usesOf = rememberedUses(catalogue)
  app.get<{ Querystring: FlowQuery }>(
    '/api/v1/connections/uses',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Connections'],
        operationId: 'listConnectionUses',
        summary: 'Which connections flows name, and which they miss',
        refuses: ['flow_not_found'],
        description: 'Of the live version of each flow, and of its draft. Names, kinds and places only.',
        querystring: FlowQuery,
        response: { 200: Type.Object({ uses: Type.Array(Use) }) }
      }
    },
    async (request) => {
      const { flow } = request.query
      const flows =
        flow === undefined ? visibleFlows(request, deps.library) : [visibleFlow(request, deps.library, flow)]
      const drafts = await deps.drafts.ofFlows(flows)
      const uses: Static<typeof Use>[] = []
      for (const live of flows) {
        const named = usesOf(live)
        uses.push(...named.map((use) => presentUse(use, live, false, deps)))
        const draft = drafts.get(live.id)
        if (draft === undefined) continue
        const drafted = draftUses(draft, live, catalogue).filter(
          (use) => !named.some((one) => isSameUse(one, use))
        )
        uses.push(...drafted.map((use) => presentUse(use, live, true, deps)))
      }
      return { uses }
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

/** A draft may have any fault: what is no node with fields names nothing. */
function draftUses(
  { document }: Draft,
  { context }: LiveFlow,
  { find }: Pick<Catalogue, 'find'>
): ConnectionUse[] {
  const nodes = (document.nodes as readonly unknown[]).filter(isNode)
  return connectionUses({ nodes }, (type) => find(context, type)?.fields)
}

function isNode(node: unknown): node is FlowNode {
  const { id, type, fields } = (isPlainObject(node) ? node : {}) as Partial<FlowNode>
  return typeof id === 'string' && typeof type === 'string' && isPlainObject(fields)
}

function isSameUse(one: ConnectionUse, other: ConnectionUse): boolean {
  return one.node === other.node && one.field === other.field && one.name === other.name
}

function presentUse(
  use: ConnectionUse,
  { id, document, context }: LiveFlow,
  draft: boolean,
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
    context: seen?.context ?? null,
    draft
  }
}

function variablesIn(tree: ContextTree, context: string): Record<string, JsonValue> {
  const seen = tree.visible(context, 'variable').map(({ name, value }) => [name, value as JsonValue])
  return Object.fromEntries(seen)
}
