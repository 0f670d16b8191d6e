import type { DatabaseSync } from 'node:sqlite'
import { draftAfterSave } from '../../rows/draft-row.ts'
import {
  type FlowRow,
  factValues,
  flowVersion,
  NEW_VERSION_COLUMNS,
  SUMMARY_COLUMNS,
  storedFlow,
  VERSION_COLUMNS,
  type VersionRow,
  type VersionSummaryRow,
  versionPage
} from '../../rows/flow-row.ts'
import type { FlowSave, FlowStore, NewFlow, SaveResult } from '../../store.ts'
import type { GroupCommit } from '../file/group-commit.ts'
import type { OpenRuns } from '../runs/open-runs.ts'
import { prepareDrafts } from './sqlite-draft-store.ts'
import { createFlowBin } from './sqlite-flow-bin.ts'
import { createFlowStanding, flowRows, prepareKeepSlug, prepareReadFlow } from './sqlite-flow-standing.ts'

/** A flow's row holds what is live; its documents are in flow_versions, one per save, and stay for good. */
export function createFlowStore(db: DatabaseSync, commit: GroupCommit, open: OpenRuns): FlowStore {
  const live = db.prepare(`${flowRows} WHERE f.deleted_at IS NULL ORDER BY f.created_at, f.id`)
  const removed = db.prepare(`${flowRows} WHERE f.deleted_at IS NOT NULL AND f.id = ?`)
  const remove = db.prepare(
    'UPDATE flows SET deleted_at = ?, deleted_by = ? WHERE id = ? AND deleted_at IS NULL'
  )
  const versions = db.prepare(
    `SELECT ${SUMMARY_COLUMNS} FROM flow_versions
     WHERE flow_id = ? AND version < ? AND (name IS NOT NULL OR NOT ?) ORDER BY version DESC LIMIT ?`
  )
  const version = db.prepare(`SELECT ${VERSION_COLUMNS} FROM flow_versions WHERE flow_id = ? AND version = ?`)
  const create = prepareCreate(db)
  const save = prepareSave(db)
  const undelete = prepareUndelete(db)

  return {
    ...createFlowStanding(db, commit, open),
    ...createFlowBin(db, commit),
    live: async () => (live.all() as unknown as FlowRow[]).map(storedFlow),
    create: (flow) => commit.write(() => create(flow)),
    save: (edit) => commit.write(() => save(edit)),
    remove: (id, at, by) => commit.write(() => remove.run(at, by ?? null, id).changes !== 0),
    removed: async (id) => {
      const row = removed.get(id) as unknown as FlowRow | undefined
      return row && storedFlow(row)
    },
    undelete: (id, housed) => commit.write(() => undelete(id, housed?.isContextMade)),
    versions: async (id, question) => {
      const { limit, before = Number.MAX_SAFE_INTEGER, isNamed = false } = question
      const rows = versions.all(id, before, isNamed ? 1 : 0, limit + 1)
      return versionPage(rows as unknown as VersionSummaryRow[], question)
    },
    version: async (id, number) => {
      const row = version.get(id, number) as unknown as VersionRow | undefined
      return row && flowVersion(row)
    }
  }
}

/** Of another live flow, as its slug or as an alias. */
const slugOwner = `
  SELECT id FROM flows WHERE slug = ?1 AND deleted_at IS NULL AND id <> ?2
  UNION ALL
  SELECT f.id FROM flow_aliases a JOIN flows f ON f.id = a.flow_id
  WHERE a.slug = ?1 AND f.deleted_at IS NULL AND f.id <> ?2`
const madeContext = 'SELECT 1 FROM contexts WHERE path = ?'
const insertVersion = `INSERT INTO flow_versions (${NEW_VERSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

function prepareCreate(db: DatabaseSync) {
  const known = db.prepare('SELECT deleted_at FROM flows WHERE id = ?')
  const owner = db.prepare(slugOwner)
  const made = db.prepare(madeContext)
  const insert = db.prepare(
    'INSERT INTO flows (id, slug, context, version, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)'
  )
  const addVersion = db.prepare(insertVersion)
  const read = prepareReadFlow(db)

  return (flow: NewFlow): SaveResult => {
    const { id, slug, context, document, createdAt } = flow
    const former = known.get(id)
    if (former !== undefined) return { won: false, because: former.deleted_at === null ? 'stale' : 'gone' }
    if (owner.get(slug, id) !== undefined) return { won: false, because: 'slug_taken' }
    if (flow.isContextMade && made.get(context) === undefined) return { won: false, because: 'context_gone' }
    insert.run(id, slug, context, createdAt, createdAt)
    addVersion.run(id, 1, createdAt, document, ...factValues(flow.facts))
    return { won: true, flow: read(id) }
  }
}

function prepareSave(db: DatabaseSync) {
  const current = db.prepare('SELECT version, slug FROM flows WHERE id = ? AND deleted_at IS NULL')
  const owner = db.prepare(slugOwner)
  const made = db.prepare(madeContext)
  const update = db.prepare(
    'UPDATE flows SET slug = ?, context = ?, version = ?, updated_at = ? WHERE id = ?'
  )
  const addVersion = db.prepare(insertVersion)
  const keepSlug = prepareKeepSlug(db)
  const read = prepareReadFlow(db)
  const drafts = prepareDrafts(db)

  return (save: FlowSave): SaveResult => {
    const { id, baseVersion, slug, context, document, at } = save
    const row = current.get(id) as { version: number; slug: string } | undefined
    if (row === undefined) return { won: false, because: 'gone' }
    if (row.version !== baseVersion) return { won: false, because: 'stale' }
    if (owner.get(slug, id) !== undefined) return { won: false, because: 'slug_taken' }
    if (save.isContextMade && made.get(context) === undefined) return { won: false, because: 'context_gone' }
    const version = baseVersion + 1
    const draft = save.draft && draftAfterSave(drafts.read(id), save, version)
    if (draft === 'stale') return { won: false, because: 'draft_stale' }
    keepSlug(save, row.slug)
    update.run(slug, context, version, at, id)
    addVersion.run(id, version, at, document, ...factValues(save.facts))
    if (draft === null) drafts.remove(id)
    else if (draft !== undefined) drafts.write(draft)
    return { won: true, flow: read(id) }
  }
}

function prepareUndelete(db: DatabaseSync) {
  // One that is gone for good has no version left.
  const known = db.prepare(
    `SELECT slug, context, deleted_at FROM flows f
     WHERE id = ? AND EXISTS (SELECT 1 FROM flow_versions v WHERE v.flow_id = f.id)`
  )
  const owner = db.prepare(slugOwner)
  const made = db.prepare(madeContext)
  const revive = db.prepare('UPDATE flows SET deleted_at = NULL, deleted_by = NULL WHERE id = ?')
  const aliases = db.prepare('SELECT slug FROM flow_aliases WHERE flow_id = ?')
  const dropAlias = db.prepare('DELETE FROM flow_aliases WHERE flow_id = ? AND slug = ?')
  const read = prepareReadFlow(db)

  return (id: string, isContextMade = false): SaveResult => {
    const former = known.get(id) as { slug: string; context: string; deleted_at: number | null } | undefined
    if (former === undefined) return { won: false, because: 'gone' }
    if (former.deleted_at === null) return { won: false, because: 'stale' }
    if (owner.get(former.slug, id) !== undefined) return { won: false, because: 'slug_taken' }
    if (isContextMade && made.get(former.context) === undefined) {
      return { won: false, because: 'context_gone' }
    }
    for (const { slug } of aliases.all(id) as { slug: string }[]) {
      if (owner.get(slug, id) !== undefined) dropAlias.run(id, slug)
    }
    revive.run(id)
    return { won: true, flow: read(id) }
  }
}
