import type { NewChild } from '../../../children.ts'
import type { AcceptedRun } from '../../../store.ts'
import { bigintArray, integerArray, textArray } from '../../database/binary-arrays.ts'
import type { Prepared, Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { insertJobs, TIER } from '../../queue/job-rows.ts'
import { sqlLockIfPaused } from '../../queue/paused-jobs.ts'
import { guard, nextNumber } from '../change-numbers.ts'
import { keepFilesOf } from '../file-rows.ts'
import { GIVEN, givenRuns, insertRuns, runLists } from '../insert-runs.ts'

/** What is known of children besides. */
const COLUMNS = [
  ['parent_seq', 'bigint'],
  ['node', 'text'],
  ['child_index', 'integer'],
  ['depth', 'integer'],
  ['is_awaited', 'integer'],
  ['parent_flow_id', 'text'],
  ['parent_id', 'text'],
  ['is_test', 'integer'],
  ['begins', 'integer'],
  ['is_in_line', 'integer']
] as const

const given = COLUMNS.map(([name, type], at) => `unnest($${GIVEN + at + 1}::${type}[]) AS ${name}`).join(', ')

/** As other runs, and with what is known of the parent. `queued`: a part that makes jobs of `given`. */
const acceptText = (queued: string) => `
  WITH ${guard},
  sent AS MATERIALIZED (
    SELECT ${nextNumber} AS seq, g.* FROM (
      SELECT ${givenRuns}, ${given}
      FROM guard
    ) AS g
  ),
  given AS MATERIALIZED (
    SELECT s.*, coalesce((SELECT p.root_seq FROM millrace.children p WHERE p.seq = s.parent_seq), s.parent_seq) AS root_seq,
      s.is_in_line = 0 AND s.begins = 0 AND ${sqlLockIfPaused('s.flow_id')} AS is_paused
    FROM sent s
  ),
  kept AS (${insertRuns('given', { is_test: 'nullif(is_test, 0)', is_child: '1' })}),
  related AS (
    INSERT INTO millrace.children
      (seq, parent_seq, node, child_index, depth, is_awaited, root_seq, parent_flow_id, parent_id)
    SELECT seq, parent_seq, node, child_index, depth, is_awaited, root_seq, parent_flow_id, parent_id FROM given
  )${queued}
  SELECT seq, is_paused AS "isPaused" FROM given ORDER BY seq`

const accept = {
  name: 'accept-children',
  text: acceptText(
    `, queued AS (${insertJobs('given', {
      tier: `CASE is_awaited WHEN 1 THEN '${TIER.counted}' ELSE '${TIER.child}' END`,
      urgent: 'is_test',
      isPaused: 'is_paused',
      isInLine: 'is_in_line = 1',
      beginsPaused: 'begins = 1'
    })})`
  )
}

/** They have ended already. */
const record = { name: 'record-children', text: acceptText('') }

interface AcceptedRow {
  readonly seq: number
  readonly isPaused: boolean
}

/** From the place `room` on they are in line. `node` counts them. */
export async function acceptChildren(
  query: Query,
  children: readonly NewChild[],
  room: number,
  node?: string
): Promise<AcceptedRun[]> {
  const rows = await insert(query, accept, children, room, node)
  return children.map((child, place) => {
    const { whilePaused, files, uses, ...run } = child
    const { seq, isPaused } = rows[place]!
    return { ...run, seq, ...(isPaused && { isPaused }) }
  })
}

/** Resolves to their numbers. */
export async function recordAccepted(query: Query, children: readonly NewChild[]): Promise<number[]> {
  return (await insert(query, record, children, children.length)).map(({ seq }) => seq)
}

async function insert(
  query: Query,
  statement: Prepared,
  children: readonly NewChild[],
  room: number,
  node?: string
): Promise<AcceptedRow[]> {
  if (children.length === 0) return []
  const texts = (of: (child: NewChild) => string) => textArray(children.map(of))
  const integers = (of: (child: NewChild, place: number) => number) => integerArray(children.map(of))
  const bigints = (of: (child: NewChild) => number) => bigintArray(children.map(of))
  const rows = await query<AcceptedRow>(statement, [
    ...runLists(children),
    bigints(({ parent }) => parent.seq),
    texts(({ parent }) => node ?? storableText(parent.node)),
    integers(({ parent }) => parent.index),
    integers(({ parent }) => parent.depth),
    integers(({ parent }) => Number(parent.isAwaited)),
    texts(({ parent }) => parent.flowId),
    texts(({ parent }) => parent.runId),
    integers(({ isTest }) => Number(isTest === true)),
    integers(({ whilePaused }) => Number(whilePaused === 'begin')),
    integers((_, place) => Number(place >= room))
  ])
  await keepFilesOf(query, children, rows)
  return rows
}
