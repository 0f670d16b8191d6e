import type { Static } from 'typebox'
import { CONTEXT_PATH } from '../../flows/document/flow-document.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { COLLECTION_NAME } from '../../knowledge/collections.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { StoredCollection, StoredText } from '../../store/collections.ts'

const Name = Type.String({
  pattern: COLLECTION_NAME,
  description: 'Nodes refer to it by this name: at most 100 characters, without braces'
})
const Connection = Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
  description: 'The name of a connection that its context sees, which leads to the model; null for none'
})
const Model = Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
  description: 'A model for embeddings. Without one, texts are found by their words alone'
})

export const NewCollectionBody = Type.Object(
  {
    name: Name,
    context: Type.Optional(
      Type.String({ pattern: CONTEXT_PATH, default: '/', description: 'Where it lives' })
    ),
    connection: Type.Optional(Connection),
    model: Type.Optional(Model)
  },
  // A collection as it was read may be sent back: what only the service writes is passed over.
  { additionalProperties: true }
)

export const ChangedCollectionBody = Type.Object(
  { name: Type.Optional(Name), connection: Type.Optional(Connection), model: Type.Optional(Model) },
  { additionalProperties: true }
)

export const CollectionBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  context: Type.String(),
  connection: Nullable(Type.String()),
  model: Nullable(Type.String()),
  count: count({ description: 'How many texts it holds' }),
  chunks: count({ description: 'Into how many pieces they are cut' }),
  created_at: Time,
  updated_at: Time
})

export const OneCollectionBody = Type.Object({
  ...CollectionBody.properties,
  pending: count({ description: 'Texts that wait to be given their meaning by its model' })
})

export const TextBody = Type.Object({
  id: Type.String(),
  chunks: count(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  updated_at: Time
})

export function presentCollection(collection: StoredCollection): Static<typeof CollectionBody> {
  const { id, name, context, connection, model, texts, chunks, createdAt, updatedAt } = collection
  const times = { created_at: timeText(createdAt), updated_at: timeText(updatedAt) }
  return { id, name, context, connection, model, count: texts, chunks, ...times }
}

export function presentText({ id, chunks, metadata, updatedAt }: StoredText): Static<typeof TextBody> {
  return { id, chunks, metadata: JSON.parse(metadata), updated_at: timeText(updatedAt) }
}
