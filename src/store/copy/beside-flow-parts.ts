import { bigint, long, text } from './columns.ts'
import type { Part } from './part.ts'

/** What people put beside a flow. */
export const besideFlowParts = [
  {
    name: 'flow_expectations',
    key: ['flow_id', 'id'],
    columns: [
      text('flow_id'),
      text('id'),
      text('name'),
      text('run_id'),
      text('author'),
      bigint('created_at'),
      text('expects'),
      long('recording')
    ]
  },
  {
    name: 'flow_comments',
    key: ['flow_id', 'id'],
    columns: [
      text('flow_id'),
      text('id'),
      text('node'),
      text('text'),
      text('author'),
      bigint('created_at'),
      bigint('done_at'),
      text('done_by')
    ]
  }
] as const satisfies readonly Part[]
