import type { NewChild } from '../../../children.ts'
import type { AcceptedRun } from '../../../store.ts'
import { bigintArray, byteaArray, integerArray, textArray } from '../../database/binary-arrays.ts'
import type { Prepared, Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { insertJobs, TIER } from '../../queue/job-rows.ts'
import { inLineData } from '../../queue/job-states.ts'
import { sqlLockIfPaused } from '../../queue/paused-jobs.ts'
import { guard, nextNumber } from '../change-numbers.ts'

/** As other runs, and with what is known of the parent. `queued`: a part that makes jobs of `given`. */
const acceptText = (queued: string) => `
  WITH ${guard},
  sent AS MATERIALIZED (
    SELECT ${nextNumber} AS seq, g.* FROM (
      SELECT unnest($1::text[]) AS id, unnest($2::text[]) AS flow_id, unnest($3::integer[]) AS flow_version,
        unnest($4::text[]) AS trigger, unnest($5::text[]) AS session, unnest($6::bigint[]) AS created_at,
        unnest($7::text[]) AS replay_of, unnest($8::text[]) AS request, unnest($9::bytea[]) AS input,
        unnest($10::bigint[]) AS parent_seq, unnest($11::text[]) AS node, unnest($12::integer[]) AS child_index,
        unnest($13::integer[]) AS depth, unnest($14::integer[]) AS is_awaited, unnest($15::text[]) AS parent_flow_id,
        unnest($16::text[]) AS parent_id, unnest($17::integer[]) AS is_test, unnest($18::integer[]) AS begins,
        unnest($19::integer[]) AS is_in_line
      FROM guard
    ) AS g
  ),
  given AS MATERIALIZED (
    SELECT s.*, coalesce((SELECT p.root_seq FROM millrace.children p WHERE p.seq = s.parent_seq), s.parent_seq) AS root_seq,
      s.is_in_line = 0 AND s.begins = 0 AND ${sqlLockIfPaused('s.flow_id')} AS is_paused
    FROM sent s
  ),
  kept AS (
    INSERT INTO millrace.runs
      (seq, id, flow_id, flow_version, trigger, session, created_at, replay_of, request, input, is_test, is_child)
    SELECT seq, id, flow_id, flow_version, trigger, session, created_at, replay_of, request, input, nullif(is_test, 0), 1
    FROM given
  ),
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
      group_tier: `CASE is_awaited WHEN 1 THEN '${TIER.counted}' ELSE '${TIER.child}' END`,
      priority: 'is_test',
      blocked: 'is_paused OR is_in_line = 1',
      data: `CASE is_in_line WHEN 1 THEN ${inLineData('begins = 1')} END`
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
    const { whilePaused, ...run } = child
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
  const texts = (of: (child: NewChild) => string | null) => textArray(children.map(of))
  const integers = (of: (child: NewChild, place: number) => number) => integerArray(children.map(of))
  const bigints = (of: (child: NewChild) => number) => bigintArray(children.map(of))
  return query<AcceptedRow>(statement, [
    texts(({ id }) => storableText(id)),
    texts(({ flowId }) => flowId),
    integers(({ flowVersion }) => flowVersion),
    texts(({ trigger }) => trigger),
    texts(({ session }) => storableText(session)),
    bigints(({ createdAt }) => createdAt),
    texts(({ replayOf }) => replayOf),
    texts(({ request }) => request),
    byteaArray(children.map(({ input }) => input)),
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
}
