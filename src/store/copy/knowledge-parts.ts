import { bigint, integer, long, text } from './columns.ts'
import type { Part } from './part.ts'

/** Collections, and the texts in each of them. */
export const knowledgeParts = [
  {
    name: 'collections',
    key: ['id'],
    columns: [
      text('id'),
      text('name'),
      text('context'),
      text('connection'),
      text('model'),
      bigint('texts'),
      bigint('chunks'),
      bigint('revision'),
      bigint('created_at'),
      bigint('updated_at'),
      bigint('deleted_at')
    ]
  },
  {
    name: 'knowledge_texts',
    key: ['collection_id', 'id'],
    columns: [
      text('collection_id'),
      text('id'),
      bigint('revision'),
      text('content'),
      bigint('chunks'),
      text('model'),
      long('metadata'),
      bigint('updated_at')
    ]
  },
  {
    name: 'knowledge_chunks',
    key: ['content', 'place'],
    columns: [text('content'), integer('place'), long('text'), long('vector')]
  },
  { name: 'knowledge_loose', key: ['content'], columns: [text('content'), bigint('since')] }
] as const satisfies readonly Part[]
