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
import type { FlowNews } from '../../shared-store.ts'
import type { FlowSave, FlowStore, NewFlow, SaveRefusal, SaveResult } from '../../store.ts'
import type { VersionFacts } from '../../versions.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { type LibraryWrites, readRevisions } from './library-writes.ts'
import { readDraft, removeDraft, writeDraft } from './postgres-draft-store.ts'
import { createFlowBin } from './postgres-flow-bin.ts'
import { createFlowStanding, flowRows, keepSlug, readFlow } from './postgres-flow-standing.ts'

const summaryRows = `
  SELECT ${SUMMARY_COLUMNS} FROM millrace.flow_versions
  WHERE flow_id = $1 AND version < $2 AND (name IS NOT NULL OR NOT $3) ORDER BY version DESC LIMIT $4`
const versionRow = `SELECT ${VERSION_COLUMNS} FROM millrace.flow_versions WHERE flow_id = $1 AND version = $2`

/** No version has a larger number: PostgreSQL's integer is no longer. */
const LAST_VERSION = 2 ** 31 - 1

/** A flow's row holds what is live; its documents are in flow_versions, one per save, and stay for good. */
export function createFlowStore(writes: LibraryWrites): FlowStore {
  const { db } = writes
  const write = <T>(body: (query: Query, revision: number) => Promise<T>) => writes.write('flows', body)

  return {
    ...createFlowStanding(writes),
    ...createFlowBin(writes),
    async live() {
      const rows = await db.query<FlowRow>(
        `${flowRows} WHERE f.deleted_at IS NULL ORDER BY f.created_at, f.id`
      )
      return rows.map(storedFlow)
    },
    create: (flow) => write((query, revision) => createFlow(query, revision, flow)),
    save: (save) => write((query, revision) => saveFlow(query, revision, save)),
    remove: (id, at, by) => write((query, revision) => removeFlow(query, revision, { id, at, by })),
    async removed(id) {
      const [row] = await db.query<FlowRow>(`${flowRows} WHERE f.deleted_at IS NOT NULL AND f.id = $1`, [id])
      return row && storedFlow(row)
    },
    undelete: (id, housed) => write((query, revision) => undeleteFlow(query, revision, { id, ...housed })),
    async versions(id, question) {
      const { limit, before = LAST_VERSION, isNamed = false } = question
      const rows = await db.query<VersionSummaryRow>(summaryRows, [id, before, isNamed, limit + 1])
      return versionPage(rows, question)
    },
    async version(id, number) {
      const [row] = await db.query<VersionRow>(versionRow, [id, number])
      return row && flowVersion(row)
    }
  }
}

/** The count is read first: all that it counts is visible by then. */
export async function flowsSince(query: Query, revision: number): Promise<FlowNews> {
  const { flows } = await readRevisions(query)
  // Without their versions, which may be gone for good. First, so that one that is undeleted meanwhile is live in the end.
  const removed = await query<{ id: string }>(
    'SELECT id FROM millrace.flows WHERE revision > $1 AND deleted_at IS NOT NULL ORDER BY revision',
    [revision]
  )
  const live = await query<FlowRow>(
    `${flowRows} WHERE f.revision > $1 AND f.deleted_at IS NULL ORDER BY f.revision`,
    [revision]
  )
  return { revision: flows, live: live.map(storedFlow), removed: removed.map(({ id }) => id) }
}

async function createFlow(query: Query, revision: number, flow: NewFlow): Promise<SaveResult> {
  const { id, slug, context, document, createdAt } = flow
  const former = await standing(query, id)
  if (former !== undefined) return refused(former.deleted_at === null ? 'stale' : 'gone')
  if (await isTaken(query, slug, id)) return refused('slug_taken')
  if (flow.isContextMade && !(await isThere(query, context))) return refused('context_gone')
  await query(
    `INSERT INTO millrace.flows (id, slug, context, version, created_at, updated_at, revision)
     VALUES ($1, $2, $3, 1, $4, $4, $5)`,
    [id, slug, context, createdAt, revision]
  )
  await addVersion(query, { id, version: 1, at: createdAt, document, facts: flow.facts })
  return { won: true, flow: await readFlow(query, id) }
}

async function saveFlow(query: Query, revision: number, save: FlowSave): Promise<SaveResult> {
  const { id, baseVersion, slug, context, document, at } = save
  // Held from here on, also against who saves its draft.
  const current = await standing(query, id, ' FOR NO KEY UPDATE')
  if (current === undefined || current.deleted_at !== null) return refused('gone')
  if (current.version !== baseVersion) return refused('stale')
  if (await isTaken(query, slug, id)) return refused('slug_taken')
  if (save.isContextMade && !(await isThere(query, context))) return refused('context_gone')
  const version = baseVersion + 1
  const draft = save.draft && draftAfterSave(await readDraft(query, id), save, version)
  if (draft === 'stale') return refused('draft_stale')
  await keepSlug(query, save, current.slug)
  await query(
    `UPDATE millrace.flows SET slug = $2, context = $3, version = $4, updated_at = $5, revision = $6
     WHERE id = $1`,
    [id, slug, context, version, at, revision]
  )
  await addVersion(query, { id, version, at, document, facts: save.facts })
  if (draft === null) await removeDraft(query, id)
  else if (draft !== undefined) await writeDraft(query, draft)
  return { won: true, flow: await readFlow(query, id) }
}

async function removeFlow(
  query: Query,
  revision: number,
  { id, at, by }: { readonly id: string; readonly at: number; readonly by: string | undefined }
): Promise<boolean> {
  const rows = await query(
    `UPDATE millrace.flows SET deleted_at = $2, revision = $3, deleted_by = $4
     WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
    [id, at, revision, by === undefined ? null : storableText(by)]
  )
  return rows.length > 0
}

async function undeleteFlow(
  query: Query,
  revision: number,
  { id, isContextMade }: { readonly id: string; readonly isContextMade?: boolean }
): Promise<SaveResult> {
  const former = await standing(query, id)
  if (former === undefined) return refused('gone')
  if (former.deleted_at === null) return refused('stale')
  const versions = 'SELECT 1 FROM millrace.flow_versions WHERE flow_id = $1 LIMIT 1'
  if ((await query(versions, [id])).length === 0) return refused('gone')
  if (await isTaken(query, former.slug, id)) return refused('slug_taken')
  if (isContextMade && !(await isThere(query, former.context))) return refused('context_gone')
  await query(dropTakenAliases, [id])
  await query('UPDATE millrace.flows SET deleted_at = NULL, deleted_by = NULL, revision = $2 WHERE id = $1', [
    id,
    revision
  ])
  return { won: true, flow: await readFlow(query, id) }
}

interface Standing {
  readonly slug: string
  readonly context: string
  readonly version: number
  readonly deleted_at: number | null
}

async function standing(query: Query, id: string, lock = ''): Promise<Standing | undefined> {
  const text = 'SELECT slug, context, version, deleted_at FROM millrace.flows WHERE id = $1'
  return (await query<Standing>(text + lock, [id]))[0]
}

/** The live flows, but for one, that have a slug, as theirs or as an alias. */
const ownersOf = (slug: string, besides: string) => `
  SELECT id FROM millrace.flows WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ${besides}
  UNION ALL
  SELECT f.id FROM millrace.flow_aliases a JOIN millrace.flows f ON f.id = a.flow_id
  WHERE a.slug = ${slug} AND f.deleted_at IS NULL AND f.id <> ${besides}`

async function isTaken(query: Query, slug: string, by: string): Promise<boolean> {
  return (await query(ownersOf('$1', '$2'), [slug, by])).length > 0
}

const dropTakenAliases = `
  DELETE FROM millrace.flow_aliases own WHERE own.flow_id = $1 AND EXISTS (${ownersOf('own.slug', '$1')})`

/** Whether the context that a flow is put into has not been removed meanwhile. */
async function isThere(query: Query, context: string): Promise<boolean> {
  return (await query('SELECT 1 FROM millrace.contexts WHERE path = $1', [context])).length > 0
}

interface NewVersion {
  readonly id: string
  readonly version: number
  readonly at: number
  readonly document: string
  readonly facts: Partial<VersionFacts> | undefined
}

async function addVersion(query: Query, { id, version, at, document, facts }: NewVersion): Promise<void> {
  const told = factValues(facts).map((text) => (text === null ? null : storableText(text)))
  await query(
    `INSERT INTO millrace.flow_versions (${NEW_VERSION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, version, at, document, ...told]
  )
}

function refused(because: SaveRefusal): SaveResult {
  return { won: false, because }
}
