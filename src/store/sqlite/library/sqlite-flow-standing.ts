import type { DatabaseSync } from 'node:sqlite'
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
import type { GroupCommit } from '../file/group-commit.ts'
import type { OpenRuns } from '../runs/open-runs.ts'

export const flowRowsWith = (columns: string) => `
  SELECT ${columns}, ${flowColumns}, (
    SELECT json_group_array(a.slug) FROM (
      SELECT slug FROM flow_aliases WHERE flow_id = f.id ORDER BY since, slug
    ) a
  ) AS aliases
  FROM flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.version`

export const flowRows = flowRowsWith('f.id')

export function createFlowStanding(db: DatabaseSync, commit: GroupCommit, open: OpenRuns): FlowStandingStore {
  const setPaused = prepareSetPaused(db, open)
  const removeAlias = prepareRemoveAlias(db)
  const addCalls = prepareAddCalls(db)
  const aliases = db.prepare(
    `SELECT ${aliasColumns} FROM flow_aliases WHERE flow_id = ? ORDER BY since, slug`
  )

  return {
    setPaused: (id, paused) => commit.write(() => setPaused(id, paused)),
    // Nobody else accepts runs, so none was accepted by somebody who had not heard of it.
    holdWaiting: async () => {},
    removeAlias: (id, slug) => commit.write(() => removeAlias(id, slug)),
    aliases: async (id) => (aliases.all(id) as unknown as AliasRow[]).map(aliasOf),
    addAliasCalls: (calls) => commit.write(() => calls.forEach(addCalls))
  }
}

function prepareSetPaused(db: DatabaseSync, open: OpenRuns) {
  const update = db.prepare(
    `UPDATE flows SET paused_mode = ?, paused_at = ?, paused_by = ? WHERE id = ? AND deleted_at IS NULL`
  )
  const read = prepareReadFlow(db)

  return (id: string, paused: Pause | null): StoredFlow | undefined => {
    const { mode = null, since = null, by = null } = paused ?? {}
    if (update.run(mode, since, by, id).changes === 0) return undefined
    if (paused === null) open.resumed(id)
    else open.paused(id)
    return read(id)
  }
}

/** To be called before the slug is changed. What was an alias and becomes the slug is an alias no longer. */
export function prepareKeepSlug(db: DatabaseSync): (save: FlowSave, former: string) => void {
  const drop = db.prepare('DELETE FROM flow_aliases WHERE flow_id = ? AND slug = ?')
  const keep = db.prepare('INSERT INTO flow_aliases (flow_id, slug, since) VALUES (?, ?, ?)')
  return ({ id, slug, at, keepsSlug }, former) => {
    if (slug === former) return
    drop.run(id, slug)
    if (keepsSlug) keep.run(id, former, at)
  }
}

function prepareRemoveAlias(db: DatabaseSync) {
  const remove = db.prepare(
    `DELETE FROM flow_aliases WHERE flow_id = ?1 AND slug = ?2
       AND EXISTS (SELECT 1 FROM flows WHERE id = ?1 AND deleted_at IS NULL)`
  )
  const read = prepareReadFlow(db)
  return (id: string, slug: string): StoredFlow | undefined =>
    remove.run(id, slug).changes === 0 ? undefined : read(id)
}

function prepareAddCalls(db: DatabaseSync) {
  const find = db.prepare('SELECT callers FROM flow_aliases WHERE flow_id = ? AND slug = ?')
  const add = db.prepare(
    `UPDATE flow_aliases SET calls = calls + ?3, last_called_at = max(coalesce(last_called_at, 0), ?4), callers = ?5
     WHERE flow_id = ?1 AND slug = ?2`
  )
  return ({ flowId, slug, calls, lastCalledAt, callers }: AliasCalls): void => {
    const kept = find.get(flowId, slug) as { callers: string } | undefined
    if (kept !== undefined) add.run(flowId, slug, calls, lastCalledAt, mergeCallers(kept.callers, callers))
  }
}

/** Of a flow that is there. */
export function prepareReadFlow(db: DatabaseSync): (id: string) => StoredFlow {
  const read = db.prepare(`${flowRows} WHERE f.id = ?`)
  return (id) => storedFlow(read.get(id) as unknown as FlowRow)
}
