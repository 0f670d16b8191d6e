import { RUN_COLUMNS } from '../run-fields.ts'
import { besideFlowParts } from './beside-flow-parts.ts'
import { bigint, integer, long, text } from './columns.ts'
import { connectionParts } from './connection-parts.ts'
import { knowledgeParts } from './knowledge-parts.ts'
import { messageParts } from './message-parts.ts'
import type { Part } from './part.ts'
import { spendingParts } from './spending-parts.ts'

/** In the order in which they are copied. Open runs come last: with them the new store has work to do. */
export const copiedParts = [
  {
    name: 'contexts',
    key: ['id'],
    columns: [text('id'), text('path'), bigint('created_at'), long('settings'), long('variables')]
  },
  {
    name: 'flows',
    key: ['id'],
    columns: [
      text('id'),
      text('slug'),
      text('context'),
      integer('version'),
      bigint('created_at'),
      bigint('updated_at'),
      bigint('deleted_at'),
      text('paused_mode'),
      bigint('paused_at'),
      text('paused_by'),
      text('deleted_by'),
      bigint('triggers_from')
    ]
  },
  {
    name: 'flow_versions',
    key: ['flow_id', 'version'],
    columns: [
      text('flow_id'),
      integer('version'),
      bigint('created_at'),
      long('document'),
      text('origin'),
      text('author'),
      text('name'),
      long('note'),
      long('changes')
    ]
  },
  {
    name: 'flow_drafts',
    key: ['flow_id'],
    columns: [
      text('flow_id'),
      integer('revision'),
      integer('base_version'),
      text('author'),
      bigint('created_at'),
      bigint('updated_at'),
      long('document')
    ]
  },
  {
    name: 'flow_kept_drafts',
    key: ['flow_id', 'number'],
    columns: [
      text('flow_id'),
      integer('number'),
      integer('base_version'),
      text('author'),
      bigint('updated_at'),
      text('because'),
      long('document')
    ]
  },
  {
    name: 'flow_pins',
    key: ['flow_id', 'node'],
    columns: [
      text('flow_id'),
      text('node'),
      text('made_of'),
      text('author'),
      bigint('updated_at'),
      long('outputs')
    ]
  },
  ...besideFlowParts,
  {
    name: 'session_notes',
    key: ['flow_id', 'session'],
    columns: [
      text('flow_id'),
      text('session'),
      text('title'),
      long('summary'),
      bigint('up_to_no'),
      integer('up_to_place'),
      text('run_id')
    ]
  },
  {
    name: 'flow_aliases',
    key: ['flow_id', 'slug'],
    columns: [
      text('flow_id'),
      text('slug'),
      bigint('since'),
      bigint('calls'),
      bigint('last_called_at'),
      long('callers')
    ]
  },
  {
    name: 'triggers',
    key: ['flow_id', 'node'],
    columns: [text('flow_id'), text('node'), bigint('mark'), long('seen'), long('fault'), bigint('failed_at')]
  },
  {
    name: 'taken_items',
    key: ['flow_id', 'node', 'page'],
    columns: [text('flow_id'), text('node'), bigint('page'), long('items')]
  },
  {
    name: 'keys',
    key: ['id'],
    columns: [
      text('id'),
      text('name'),
      text('hash'),
      text('hint'),
      text('rights'),
      text('flow_id'),
      text('context'),
      bigint('created_at'),
      bigint('expires_at'),
      bigint('last_used_at')
    ]
  },
  ...connectionParts,
  { name: 'session_secret', key: ['secret'], columns: [text('secret')] },
  { name: 'sign_in_links', key: ['hash'], columns: [text('hash'), text('key_id'), bigint('expires_at')] },
  { name: 'ended_sessions', key: ['id'], columns: [text('id'), bigint('expires_at')] },
  {
    name: 'runs',
    key: ['seq'],
    columns: [bigint('seq'), ...RUN_COLUMNS, integer('is_test'), integer('is_child')]
  },
  {
    name: 'children',
    key: ['seq'],
    columns: [
      bigint('seq'),
      bigint('parent_seq'),
      text('node'),
      integer('child_index'),
      integer('depth'),
      integer('is_awaited'),
      bigint('root_seq'),
      text('parent_flow_id'),
      text('parent_id'),
      integer('parent_gone'),
      integer('on_its_own')
    ]
  },
  { name: 'test_documents', key: ['run_seq'], columns: [bigint('run_seq'), long('document'), long('scope')] },
  {
    name: 'journal',
    key: ['no'],
    columns: [bigint('no'), bigint('run_seq'), text('flow_id'), long('entry')]
  },
  {
    name: 'outcomes',
    key: ['seq'],
    columns: [
      bigint('seq'),
      bigint('no'),
      text('flow_id'),
      text('status'),
      bigint('started_at'),
      bigint('finished_at'),
      long('nodes'),
      long('error'),
      long('steps'),
      integer('is_child')
    ]
  },
  ...messageParts,
  {
    name: 'long_values',
    key: ['run_seq', 'name', 'piece'],
    columns: [
      bigint('run_seq'),
      text('name'),
      integer('piece'),
      { name: 'bytes', type: 'bytea', isLong: true }
    ]
  },
  {
    name: 'model_usage',
    key: ['run_seq', 'model'],
    columns: [
      bigint('run_seq'),
      text('model'),
      bigint('input_tokens'),
      bigint('cached_tokens'),
      bigint('output_tokens')
    ]
  },
  { name: 'run_costs', key: ['run_seq'], columns: [bigint('run_seq'), bigint('cost')] },
  ...spendingParts,
  { name: 'blobs', key: ['digest'], columns: [text('digest'), text('name'), bigint('size')] },
  {
    name: 'files',
    key: ['id'],
    columns: [
      text('id'),
      text('digest'),
      text('filename'),
      text('content_type'),
      bigint('size'),
      text('context'),
      text('uploaded_by'),
      bigint('created_at'),
      bigint('loose_since')
    ]
  },
  {
    name: 'file_uses',
    key: ['run_seq', 'file_id'],
    columns: [bigint('run_seq'), text('file_id'), text('flow_id')]
  },
  { name: 'sent_files', key: ['run_seq', 'file_id'], columns: [bigint('run_seq'), text('file_id')] },
  {
    name: 'deliveries',
    key: ['key'],
    columns: [text('key'), text('run_id'), text('body'), bigint('accepted_at')]
  },
  {
    name: 'waits',
    key: ['run_seq', 'node'],
    columns: [
      bigint('run_seq'),
      text('node'),
      text('flow_id'),
      text('id'),
      text('kind'),
      text('state'),
      bigint('created_at'),
      bigint('expires_at'),
      bigint('ended_at'),
      bigint('entry_no'),
      long('question'),
      long('answer'),
      long('entry'),
      integer('children_left'),
      integer('children_in_line'),
      integer('children_failed'),
      integer('stops_on_failure')
    ]
  },
  {
    name: 'kept_values',
    key: ['context', 'key'],
    columns: [text('context'), text('key'), long('value'), bigint('updated_at'), bigint('expires_at')]
  },
  ...knowledgeParts,
  {
    name: 'kept_changes',
    key: ['run_seq', 'node', 'change'],
    columns: [bigint('run_seq'), text('node'), text('change'), long('result')]
  },
  {
    // `state`: see queue-state.ts. `tie`: what its end concerns, as PostgreSQL calls it.
    name: 'open_runs',
    key: ['seq'],
    columns: [
      bigint('seq'),
      text('flow_id'),
      text('state'),
      bigint('due_at'),
      integer('is_waiting'),
      integer('begins_paused'),
      text('tie')
    ]
  }
] as const satisfies readonly Part[]

export type PartName = (typeof copiedParts)[number]['name']

export type CopiedPart = Part<PartName>
