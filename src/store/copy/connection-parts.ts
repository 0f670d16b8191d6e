import { bigint, integer, long, text } from './columns.ts'
import type { Part } from './part.ts'

/** Connections, and what belongs to each of them. */
export const connectionParts = [
  {
    name: 'connections',
    key: ['id'],
    columns: [
      text('id'),
      text('name'),
      text('kind'),
      text('context'),
      long('settings'),
      long('secrets'),
      integer('is_trusted'),
      integer('revision'),
      bigint('created_at'),
      bigint('updated_at')
    ]
  },
  {
    name: 'deleted_connections',
    key: ['id'],
    columns: [
      text('id'),
      text('name'),
      text('kind'),
      text('context'),
      long('settings'),
      long('secrets'),
      integer('is_trusted'),
      integer('revision'),
      bigint('created_at'),
      bigint('updated_at'),
      bigint('deleted_at'),
      text('deleted_by')
    ]
  },
  {
    name: 'connection_tokens',
    key: ['connection_id'],
    columns: [
      text('connection_id'),
      long('tokens'),
      text('holder'),
      bigint('leased_until'),
      integer('revision')
    ]
  },
  {
    name: 'connection_documents',
    key: ['connection_id'],
    columns: [
      text('connection_id'),
      text('id'),
      text('format'),
      text('title'),
      text('version'),
      text('server'),
      bigint('size'),
      integer('operations'),
      bigint('updated_at')
    ]
  },
  {
    name: 'document_pieces',
    key: ['document_id', 'kind', 'piece'],
    columns: [text('document_id'), text('kind'), integer('piece'), long('content')]
  }
] as const satisfies readonly Part[]
