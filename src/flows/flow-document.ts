import Type, { type Static } from 'typebox'

/** The flow document, as saved, exported and kept in git. This schema validates, types and documents it. */

const Position = Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false })

export const NODE_ID = '^[A-Za-z0-9_-]{1,100}$'
export const SLUG = '^[a-z0-9](?:[a-z0-9_-]{0,78}[a-z0-9])?$'
export const CONTEXT_PATH = '^/(?:[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*)?$'

const Retry = Type.Object(
  {
    attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'How often the step is tried in all' })
    ),
    backoff_ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400_000,
        description: 'The wait before the second attempt; it doubles'
      })
    ),
    max_backoff_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 }))
  },
  { additionalProperties: false }
)

export const FlowNode = Type.Object(
  {
    id: Type.String({ pattern: NODE_ID }),
    type: Type.String({ minLength: 1, maxLength: 100 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    position: Position,
    fields: Type.Record(Type.String(), Type.Unknown()),
    retry: Type.Optional(Retry),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000 }))
  },
  { additionalProperties: false }
)

export const FlowEdge = Type.Object(
  {
    from: Type.String({ minLength: 1, description: 'node.output' }),
    to: Type.String({ minLength: 1, description: 'node.input' })
  },
  { additionalProperties: false }
)

export const FlowDocument = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    slug: Type.String({ pattern: SLUG }),
    context: Type.String({ pattern: CONTEXT_PATH }),
    nodes: Type.Array(FlowNode, { maxItems: 10_000 }),
    edges: Type.Array(FlowEdge, { maxItems: 50_000 })
  },
  { additionalProperties: false }
)

export type FlowNode = Static<typeof FlowNode>
export type FlowEdge = Static<typeof FlowEdge>
export type FlowDocument = Static<typeof FlowDocument>

const READ_ONLY = ['id', 'version', 'created_at', 'updated_at']

/**
 * A document as a person or a tool may send it: members that only a read flow has are dropped, and what has one
 * obvious value may be left out. Anything else stays as it is, for the validation to judge.
 */
export function completeDocument(sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(sent).filter(([key]) => !READ_ONLY.includes(key)))
  const document: Record<string, unknown> = { context: '/', nodes: [], edges: [], ...given }
  if (Array.isArray(document.nodes)) document.nodes = document.nodes.map(completeNode)
  return document
}

function completeNode(node: unknown): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
  return { position: { x: 0, y: 0 }, fields: {}, ...node }
}
