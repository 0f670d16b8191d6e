import { mergeCallers } from '../../alias-callers.ts'
import type { AliasCalls, FlowStandingStore, Pause } from '../../flow-standing.ts'
import {
  type AliasRow,
  aliasColumns,
  aliasOf,
  type FlowRow,
  flowColumns,
  storedFlow
} from '../../rows/flow-row.ts'
import type { FlowSave, StoredFlow } from '../../store.ts'
import type { Query } from '../database/database.ts'
import { holdJobs, letJobsGo } from '../queue/held-jobs.ts'
import type { LibraryWrites } from './library-writes.ts'

export const flowTables = `
  millrace.flows f JOIN millrace.flow_versions v ON v.flow_id = f.id AND v.version = f.version`
export const flowColumnsWithAliases = `${flowColumns}, (
  SELECT coalesce(json_agg(a.slug ORDER BY a.since, a.slug), '[]')::text
  FROM millrace.flow_aliases a WHERE a.flow_id = f.id
) AS aliases`
export const flowRows = `SELECT ${flowColumnsWithAliases} FROM ${flowTables}`

export function createFlowStanding(writes: LibraryWrites): FlowStandingStore {
  const { db } = writes
  return {
    setPaused: (id, paused) =>
      writes.write('flows', (query, revision) => setPaused(query, revision, id, paused)),
    async holdWaiting(id) {
      await db.transaction(async (query) => {
        const isPaused = 'SELECT 1 FROM millrace.flows WHERE id = $1 AND paused_mode IS NOT NULL FOR SHARE'
        if ((await query(isPaused, [id])).length > 0) await holdJobs(query, id)
      })
    },
    removeAlias: (id, slug) =>
      writes.write('flows', (query, revision) => removeAlias(query, revision, id, slug)),
    async aliases(id) {
      const text = `SELECT ${aliasColumns} FROM millrace.flow_aliases WHERE flow_id = $1 ORDER BY since, slug`
      return (await db.query<AliasRow>(text, [id])).map(aliasOf)
    },
    addAliasCalls: (calls) =>
      db.transaction(async (query) => {
        for (const each of inOrder(calls)) await addCalls(query, each)
      })
  }
}

/** The flow first: a run that is being accepted as held has locked its row, and is seen by what follows. */
async function setPaused(
  query: Query,
  revision: number,
  id: string,
  paused: Pause | null
): Promise<StoredFlow | undefined> {
  const { mode = null, since = null, by = null } = paused ?? {}
  const rows = await query(
    `UPDATE millrace.flows SET paused_mode = $2, paused_at = $3, paused_by = $4, revision = $5
     WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
    [id, mode, since, by, revision]
  )
  if (rows.length === 0) return undefined
  await (paused === null ? letJobsGo(query, id) : holdJobs(query, id))
  return readFlow(query, id)
}

/** To be called before the slug is changed. What was an alias and becomes the slug is an alias no longer. */
export async function keepSlug(
  query: Query,
  { id, slug, at, keepsSlug }: FlowSave,
  former: string
): Promise<void> {
  if (slug === former) return
  await query('DELETE FROM millrace.flow_aliases WHERE flow_id = $1 AND slug = $2', [id, slug])
  const keep = 'INSERT INTO millrace.flow_aliases (flow_id, slug, since) VALUES ($1, $2, $3)'
  if (keepsSlug) await query(keep, [id, former, at])
}

async function removeAlias(
  query: Query,
  revision: number,
  id: string,
  slug: string
): Promise<StoredFlow | undefined> {
  const rows = await query(
    `DELETE FROM millrace.flow_aliases a USING millrace.flows f
     WHERE f.id = a.flow_id AND f.deleted_at IS NULL AND f.id = $1 AND a.slug = $2 RETURNING a.slug`,
    [id, slug]
  )
  if (rows.length === 0) return undefined
  await query('UPDATE millrace.flows SET revision = $2 WHERE id = $1', [id, revision])
  return readFlow(query, id)
}

/** Two processes that add to the same rows must not wait for each other. */
function inOrder(calls: readonly AliasCalls[]): AliasCalls[] {
  const place = ({ flowId, slug }: AliasCalls) => `${flowId} ${slug}`
  return calls.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

async function addCalls(
  query: Query,
  { flowId, slug, calls, lastCalledAt, callers }: AliasCalls
): Promise<void> {
  const [kept] = await query<{ callers: string }>(
    'SELECT callers FROM millrace.flow_aliases WHERE flow_id = $1 AND slug = $2 FOR UPDATE',
    [flowId, slug]
  )
  if (kept === undefined) return
  await query(
    `UPDATE millrace.flow_aliases
     SET calls = calls + $3, last_called_at = greatest(last_called_at, $4), callers = $5
     WHERE flow_id = $1 AND slug = $2`,
    [flowId, slug, calls, lastCalledAt, mergeCallers(kept.callers, callers)]
  )
}

/** Of a flow that is there. */
export async function readFlow(query: Query, id: string): Promise<StoredFlow> {
  const [row] = await query<FlowRow>(`${flowRows} WHERE f.id = $1`, [id])
  return storedFlow(row!)
}
