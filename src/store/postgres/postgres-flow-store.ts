import { draftAfterSave } from '../rows/draft-row.ts'
import {
  type FlowRow,
  factValues,
  flowColumns,
  flowVersion,
  NEW_VERSION_COLUMNS,
  SUMMARY_COLUMNS,
  storedFlow,
  VERSION_COLUMNS,
  type VersionRow,
  type VersionSummaryRow,
  versionPage
} from '../rows/flow-row.ts'
import type { FlowNews } from '../shared-store.ts'
import type { FlowSave, FlowStore, NewFlow, Pause, SaveRefusal, SaveResult, StoredFlow } from '../store.ts'
import type { VersionFacts } from '../versions.ts'
import type { Query } from './database.ts'
import { holdJobs, letJobsGo } from './held-jobs.ts'
import { type LibraryWrites, readRevisions } from './library-writes.ts'
import { readDraft, removeDraft, writeDraft } from './postgres-draft-store.ts'
import { storableText } from './storable-text.ts'

const flowTables = `
  millrace.flows f JOIN millrace.flow_versions v ON v.flow_id = f.id AND v.version = f.version`
const flowRows = `SELECT ${flowColumns} FROM ${flowTables}`
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
    async live() {
      const rows = await db.query<FlowRow>(
        `${flowRows} WHERE f.deleted_at IS NULL ORDER BY f.created_at, f.id`
      )
      return rows.map(storedFlow)
    },
    create: (flow) => write((query, revision) => createFlow(query, revision, flow)),
    save: (save) => write((query, revision) => saveFlow(query, revision, save)),
    remove: (id, at) => write((query, revision) => removeFlow(query, revision, id, at)),
    async removed(id) {
      const [row] = await db.query<FlowRow>(`${flowRows} WHERE f.deleted_at IS NOT NULL AND f.id = $1`, [id])
      return row && storedFlow(row)
    },
    undelete: (id, housed) => write((query, revision) => undeleteFlow(query, revision, { id, ...housed })),
    setPaused: (id, paused) => write((query, revision) => setPaused(query, revision, id, paused)),
    async holdWaiting(id) {
      await db.transaction(async (query) => {
        const isPaused = 'SELECT 1 FROM millrace.flows WHERE id = $1 AND paused_mode IS NOT NULL FOR SHARE'
        if ((await query(isPaused, [id])).length > 0) await holdJobs(query, id)
      })
    },
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
  const rows = await query<FlowRow & { is_live: boolean }>(
    `SELECT ${flowColumns}, f.deleted_at IS NULL AS is_live FROM ${flowTables}
     WHERE f.revision > $1 ORDER BY f.revision`,
    [revision]
  )
  return {
    revision: flows,
    live: rows.filter((row) => row.is_live).map(storedFlow),
    removed: rows.filter((row) => !row.is_live).map((row) => row.id)
  }
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

async function removeFlow(query: Query, revision: number, id: string, at: number): Promise<boolean> {
  const rows = await query(
    `UPDATE millrace.flows SET deleted_at = $2, revision = $3
     WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
    [id, at, revision]
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
  if (await isTaken(query, former.slug, id)) return refused('slug_taken')
  if (isContextMade && !(await isThere(query, former.context))) return refused('context_gone')
  await query('UPDATE millrace.flows SET deleted_at = NULL, revision = $2 WHERE id = $1', [id, revision])
  return { won: true, flow: await readFlow(query, id) }
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

/** Of a flow that is there. */
async function readFlow(query: Query, id: string): Promise<StoredFlow> {
  const [row] = await query<FlowRow>(`${flowRows} WHERE f.id = $1`, [id])
  return storedFlow(row!)
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

async function isTaken(query: Query, slug: string, by: string): Promise<boolean> {
  const text = 'SELECT 1 FROM millrace.flows WHERE slug = $1 AND deleted_at IS NULL AND id <> $2'
  return (await query(text, [slug, by])).length > 0
}

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
