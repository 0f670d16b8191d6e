import type { Static } from 'typebox'
import { Type } from '../json/schema-builder.ts'
import { TOOL_NAME } from '../tools/tool.ts'
import { MOST_AWAY } from './canvas-bounds.ts'
import { NOTE_COLOURS } from './note-colours.ts'

/** The flow document, as saved, exported and kept in git. This schema validates, types and documents it. */

const Coordinate = Type.Number({ minimum: -MOST_AWAY, maximum: MOST_AWAY })
const Position = Type.Object({ x: Coordinate, y: Coordinate }, { additionalProperties: false })
const Length = Type.Number({ minimum: 1, maximum: 2 * MOST_AWAY })
const Size = Type.Object({ width: Length, height: Length }, { additionalProperties: false })

/** A name of spaces alone is not allowed: nobody could point at it in a list. */
export const VISIBLE = '\\S'
export const TAG = '^\\S(?:.*\\S)?$'
export const NODE_ID = '^[A-Za-z0-9_-]{1,100}$'
export const SLUG = '^[a-z0-9](?:[a-z0-9_-]{0,78}[a-z0-9])?$'
export const CONTEXT_PATH = '^/(?:[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*)?$'

/** How long the lists of a document may be. */
export const MOST = { nodes: 10_000, edges: 50_000, notes: 1_000 } as const
/** No component has so many. */
export const MOST_FIELDS = 200

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

const ON_ERROR = ['fail', 'output'] as const

const Tool = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: TOOL_NAME,
        description: 'What the model calls it; else after the title, or the id'
      })
    ),
    description: Type.Optional(
      Type.String({
        maxLength: 4_000,
        description: 'What it does and when to use it: all that the model knows of it'
      })
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Fields that are left to the agent'
      })
    ),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description:
          'JSON Schema of an object: the arguments that are no fields, as members of the input "data". Else they follow from the templates and from the inputs that no wire leads to'
      })
    ),
    ask_first: Type.Optional(
      Type.Boolean({
        description: 'A person is asked before it acts; by default where it changes something outside'
      })
    )
  },
  { additionalProperties: false }
)

export const FlowNode = Type.Object(
  {
    id: Type.String({ pattern: NODE_ID }),
    type: Type.String({ minLength: 1, maxLength: 100 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    position: Position,
    fields: Type.Record(Type.String(), Type.Unknown(), { maxProperties: MOST_FIELDS }),
    retry: Type.Optional(Retry),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000 })),
    on_error: Type.Optional(
      Type.Enum(ON_ERROR, {
        description:
          'fail (the default): its failure fails the run; output: the run goes on, and what went wrong leaves by an additional output "error"'
      })
    ),
    disabled: Type.Optional(
      Type.Boolean({
        description:
          'It is not run: what reaches its first input leaves by its first output, where their types fit'
      })
    ),
    tool: Type.Optional(
      Type.Object(Tool.properties, {
        additionalProperties: false,
        description: 'The node is a tool: its one output is "tools", and the agent that it leads to runs it'
      })
    ),
    parent: Type.Optional(
      Type.String({
        pattern: NODE_ID,
        description: 'The node of the region (For each) that it stands in'
      })
    ),
    size: Type.Optional(Size),
    collapsed: Type.Optional(
      Type.Boolean({ description: 'A region whose inside is not drawn; ignored at other nodes' })
    ),
    shown_fields: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 200,
        description: 'From older editors: kept, and ignored'
      })
    )
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

/** Text beside the nodes, for people. A run does not know of it. */
export const FlowNote = Type.Object(
  {
    id: Type.String({ pattern: NODE_ID }),
    text: Type.String({ maxLength: 20_000, description: 'Markdown' }),
    position: Position,
    size: Type.Optional(Size),
    colour: Type.Optional(Type.Enum(NOTE_COLOURS)),
    nodes: Type.Optional(
      Type.Array(Type.String({ pattern: NODE_ID }), {
        maxItems: MOST.nodes,
        // Not compared with the nodes of the flow: what is drawn around them must never keep it from being saved.
        description:
          'Makes it a group: a frame around these nodes, with the text as its title. Ids of no node are passed over'
      })
    )
  },
  { additionalProperties: false }
)

export const FlowDocument = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE }),
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 40, pattern: TAG }), {
        maxItems: 50,
        uniqueItems: true,
        description: 'Labels to find flows by'
      })
    ),
    slug: Type.String({ pattern: SLUG }),
    context: Type.String({ pattern: CONTEXT_PATH }),
    nodes: Type.Array(FlowNode, { maxItems: MOST.nodes }),
    edges: Type.Array(FlowEdge, { maxItems: MOST.edges }),
    notes: Type.Optional(Type.Array(FlowNote, { maxItems: MOST.notes }))
  },
  { additionalProperties: false }
)

export type FlowNode = Static<typeof FlowNode>
export type FlowEdge = Static<typeof FlowEdge>
export type FlowNote = Static<typeof FlowNote>
export type FlowDocument = Static<typeof FlowDocument>
