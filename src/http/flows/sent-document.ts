import { FlowDocument, FlowNode, FlowNote, MOST } from '../../flows/document/flow-document.ts'
import { numbered, numberedOrNone } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { DraftFields, draftMembers, MOST_MEMBERS } from '../../flows/validate/draft-document.ts'

/** Documents as they are sent, for the description: what judges them says more than that they do not fit. */

const { id: nodeId, type, position, fields, ...nodeRest } = FlowNode.properties
const NodeSent = Type.Object(
  { id: nodeId, type, position: Type.Optional(position), fields: Type.Optional(fields), ...nodeRest },
  { additionalProperties: false }
)

const { position: notePlace, ...noteRest } = FlowNote.properties
const NoteSent = Type.Object(
  { ...noteRest, position: Type.Optional(notePlace) },
  { additionalProperties: false }
)

const PassedOver = Type.Optional(Type.Unknown({ description: 'Passed over: only the service writes it' }))

const { name, slug, context, nodes, edges, notes, ...rest } = FlowDocument.properties
const members = {
  name,
  ...rest,

  nodes: Type.Optional({ ...nodes, items: NodeSent }),
  edges: Type.Optional(edges),
  notes: Type.Optional({ ...notes, items: NoteSent }),
  id: PassedOver,
  created_at: PassedOver,
  updated_at: PassedOver,
  paused: PassedOver,
  aliases: PassedOver,
  from_file: PassedOver,
  warnings: PassedOver
}

/** What has one obvious value may be left out; a flow may be sent back as it was read. */
export const FlowDocumentSent = Type.Object(
  {
    ...members,
    slug: Type.Optional(
      Type.Union([slug, Type.Null()], { description: 'Made of the name where it is left out' })
    ),
    context: Type.Optional({ ...context, default: '/' }),
    version: PassedOver
  },
  { additionalProperties: false, description: 'A flow document' }
)

export const FlowDocumentEdited = Type.Object(
  {
    ...members,
    slug: Type.Optional(Type.Union([slug, Type.Null()], { description: 'Left out, it stays' })),
    context: Type.Optional(Type.Union([context, Type.Null()], { description: 'Left out, it stays' })),
    version: numbered({ description: 'The version that was edited; a stale one is refused with 409' })
  },
  { additionalProperties: false, description: 'A flow document, with the version that was edited' }
)

export const DraftDocumentSent = Type.Object(
  {
    ...draftMembers,
    nodes: Type.Optional(
      Type.Array(Type.Object({ fields: Type.Optional(DraftFields) }, { maxProperties: MOST_MEMBERS }), {
        maxItems: MOST.nodes
      })
    ),
    edges: Type.Optional(draftMembers.edges),
    revision: Type.Optional(
      Nullable(
        numberedOrNone({ description: 'The one that was edited; none, or 0, where there was no draft' })
      )
    ),
    base_version: Type.Optional(
      Nullable(numbered({ description: 'The live version that was edited, where it has changed' }))
    )
  },
  {
    maxProperties: MOST_MEMBERS,
    description:
      'A flow document, whatever its faults: besides what is told here, any members of one, which are kept as they are'
  }
)
