import { bigint, integer, long, text } from './columns.ts'
import type { Part } from './part.ts'

/** What was said, with what people thought of it. */
export const messageParts = [
  {
    name: 'messages',
    key: ['run_seq', 'place'],
    columns: [
      bigint('run_seq'),
      text('id'),
      bigint('no'),
      integer('place'),
      text('flow_id'),
      text('session'),
      bigint('created_at'),
      text('sender'),
      long('text'),
      long('long'),
      text('rating')
    ]
  }
] as const satisfies readonly Part[]
