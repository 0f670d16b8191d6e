import { draftAfterSave } from '../rows/draft-row.ts'
import {
  type FlowRow,
  factValues,
  flowVersion,
  NEW_VERSION_COLUMNS,
  SUMMARY_COLUMNS,
  storedFlow,
  type VersionRow,
  type VersionSummaryRow,
  versionColumns,
  versionPage
} from '../rows/flow-row.ts'
import type {
  CreatedAll,
  FlowSave,
  FlowStore,
  MayTake,
  NewFlow,
  NewFlowWithDraft,
  SaveRefusal,
  SaveResult,
  SlugCheck,
  StoredFlow,
  Undeletion
} from '../store.ts'
import type { VersionFacts } from '../versions.ts'
import { readDraft, removeDraft, writeDraft } from './draft-store.ts'
import { createFlowBin } from './flow-bin.ts'
import { flowRows, readFlow } from './flow-rows.ts'
import { createFlowStanding, keepSlug, type RunsOfFlow } from './flow-standing.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const summaryRows = `
  SELECT ${SUMMARY_COLUMNS} FROM flow_versions
  WHERE flow_id = ? AND version < ? AND (name IS NOT NULL OR CAST(? AS integer) = 0)
  ORDER BY version DESC LIMIT ?`

/** No version has a larger number: PostgreSQL's integer is no longer. */
const LAST_VERSION = 2 ** 31 - 1

/** A flow's row holds what is live; its documents are in flow_versions, one per save, and stay for good. */
export function createFlowStore(db: LibraryDatabase, runs: RunsOfFlow): FlowStore {
  const { dialect } = db
  const liveText = `${flowRows(dialect)} WHERE f.deleted_at IS NULL ORDER BY f.created_at, f.id`
  const versionText = `SELECT ${versionColumns(dialect.longText)} FROM flow_versions WHERE flow_id = ? AND version = ?`
  const removedText = `${flowRows(dialect)} WHERE f.deleted_at IS NOT NULL AND f.id = ?`
  const write = <T>(steps: (revision: number) => LibrarySteps<T>) => db.write('flows', steps)

  function* create(flow: NewFlow, revision: number): LibrarySteps<SaveResult> {
    const { id, slug, context, document, createdAt: at } = flow
    const former = yield* standing(id)
    if (former !== undefined) return refused(former.deleted_at === null ? 'stale' : 'gone')
    const refusal = (yield* refusalOf(flow)) ?? (yield* binRefusal(flow))
    if (refusal !== undefined) return refusal
    yield* rows(
      'INSERT INTO flows (id, slug, context, version, created_at, updated_at, revision) VALUES (?, ?, ?, 1, ?, ?, ?)',
      ...[id, slug, context, at, at, revision]
    )
    yield* addVersion({ id, version: 1, at, document, facts: flow.facts })
    return { won: true, flow: yield* readFlow(dialect, id) }
  }

  function* createAll(flows: readonly NewFlowWithDraft[], revision: number): LibrarySteps<CreatedAll> {
    // Nothing may be written before all are known to be free: what was written before a refusal would stay.
    for (const flow of flows) {
      const refusal = (yield* refusalOf(flow)) ?? (yield* binRefusal(flow))
      if (refusal !== undefined && !refusal.won) return refusal
    }
    const created: StoredFlow[] = []
    for (const flow of flows) {
      const result = yield* create(flow, revision)
      if (!result.won) throw new Error(`A flow was free and then refused: ${result.because}`)
      const { id: flowId, draft: document, author, createdAt } = flow
      yield* writeDraft({
        flowId,
        revision: 1,
        baseVersion: 1,
        document,
        author,
        createdAt,
        updatedAt: createdAt
      })
      created.push(result.flow)
    }
    return { won: true, flows: created }
  }

  function* save(edit: FlowSave, revision: number): LibrarySteps<SaveResult> {
    const { id, baseVersion, slug, context, document, at } = edit
    // Held from here on, also against who saves its draft.
    const current = yield* standing(id, dialect.forUpdate)
    if (current === undefined || current.deleted_at !== null) return refused('gone')
    if (current.version !== baseVersion) return refused('stale')
    const isKept = slug === current.slug
    const refusal = (yield* refusalOf(edit)) ?? (isKept ? undefined : yield* binRefusal(edit))
    if (refusal !== undefined) return refusal
    const version = baseVersion + 1
    const draft = edit.draft && draftAfterSave(yield* readDraft(dialect, id), edit, version)
    if (draft === 'stale') return refused('draft_stale')
    yield* keepSlug(edit, current.slug)
    yield* rows(
      'UPDATE flows SET slug = ?, context = ?, version = ?, updated_at = ?, revision = ? WHERE id = ?',
      ...[slug, context, version, at, revision, id]
    )
    yield* addVersion({ id, version, at, document, facts: edit.facts })
    if (draft === null) yield* removeDraft(dialect, id, { isKept: edit.draft?.kind === 'discarded' })
    else if (draft !== undefined) yield* writeDraft(draft)
    return { won: true, flow: yield* readFlow(dialect, id) }
  }

  function* undelete(
    id: string,
    { at, isContextMade, mayTake }: Undeletion,
    revision: number
  ): LibrarySteps<SaveResult> {
    const former = yield* standing(id)
    if (former === undefined || !(yield* hasVersions(id))) return refused('gone')
    if (former.deleted_at === null) return refused('stale')
    const { slug, context, deleted_at: since } = former
    const refusal =
      (yield* refusalOf({ id, slug, context, isContextMade })) ??
      (yield* binRefusal({ id, slug, mayTake, since }))
    if (refusal !== undefined) return refusal
    yield* rows(dropTakenAliases, id, id, id)
    yield* rows(
      'UPDATE flows SET deleted_at = NULL, deleted_by = NULL, triggers_from = ?, revision = ? WHERE id = ?',
      ...[at, revision, id]
    )
    return { won: true, flow: yield* readFlow(dialect, id) }
  }

  return {
    ...createFlowStanding(db, runs),
    ...createFlowBin(db),
    live: async () => (await db.read(() => rows<FlowRow>(liveText))).map(storedFlow),
    create: (flow) => write((revision) => create(flow, revision)),
    createAll: (flows) => write((revision) => createAll(flows, revision)),
    save: (edit) => write((revision) => save(edit, revision)),
    remove: (id, at, by) =>
      write((revision) =>
        anyRow(
          'UPDATE flows SET deleted_at = ?, deleted_by = ?, revision = ? WHERE id = ? AND deleted_at IS NULL RETURNING id',
          ...[at, by ?? null, revision, id]
        )
      ),
    async removed(id) {
      const row = await db.read(() => firstRow<FlowRow>(removedText, id))
      return row && storedFlow(row)
    },
    undelete: (id, undeletion) => write((revision) => undelete(id, undeletion, revision)),
    async versions(id, question) {
      const { limit, before = LAST_VERSION, isNamed = false } = question
      const values = [id, before, isNamed ? 1 : 0, limit + 1]
      return versionPage(await db.read(() => rows<VersionSummaryRow>(summaryRows, ...values)), question)
    },
    async version(id, number) {
      const row = await db.read(() => firstRow<VersionRow>(versionText, id, number))
      return row && flowVersion(row)
    }
  }
}

interface Standing {
  readonly slug: string
  readonly context: string
  readonly version: number
  readonly deleted_at: number | null
}

function* standing(id: string, lock = ''): LibrarySteps<Standing | undefined> {
  return yield* firstRow<Standing>(
    `SELECT slug, context, version, deleted_at FROM flows WHERE id = ?${lock}`,
    id
  )
}

/** The live flows that have a slug, as theirs or as an alias, but for one. */
const ownersOf = (slug: string) => `
  SELECT id FROM flows WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ?
  UNION ALL
  SELECT f.id FROM flow_aliases a JOIN flows f ON f.id = a.flow_id
  WHERE a.slug = ${slug} AND f.deleted_at IS NULL AND f.id <> ?`

const dropTakenAliases = `
  DELETE FROM flow_aliases AS own WHERE own.flow_id = ? AND EXISTS (${ownersOf('own.slug')})`

interface Place {
  readonly id: string
  readonly slug: string
  readonly context: string
  readonly isContextMade?: boolean | undefined
}

function* refusalOf({ id, slug, context, isContextMade }: Place): LibrarySteps<SaveResult | undefined> {
  if (yield* anyRow(ownersOf('?'), slug, id, slug, id)) return refused('slug_taken')
  // It may have been removed meanwhile.
  if (isContextMade && !(yield* anyRow('SELECT 1 FROM contexts WHERE path = ?', context)))
    return refused('context_gone')
  return undefined
}

/** The deleted flows that can be brought back and had a slug at last, as theirs or as an alias, but for one. */
const formerOwners = `
  SELECT f.id, f.context FROM flows f
  WHERE f.deleted_at >= ? AND f.id <> ?
  AND (f.slug = ? OR EXISTS (SELECT 1 FROM flow_aliases a WHERE a.flow_id = f.id AND a.slug = ?))
  AND EXISTS (SELECT 1 FROM flow_versions v WHERE v.flow_id = f.id)`

interface Taking extends SlugCheck {
  readonly id: string
  readonly slug: string
  /** Who gave it up before does not count. */
  readonly since?: number
}

/** What senders go on to send to a deleted flow is not for everybody. */
function* binRefusal({ id, slug, mayTake, since = 0 }: Taking): LibrarySteps<SaveResult | undefined> {
  if (mayTake === undefined) return undefined
  const owners = yield* rows<Parameters<MayTake>[0]>(formerOwners, since, id, slug, slug)
  return owners.every(mayTake) ? undefined : refused('slug_taken')
}

/** One that is gone for good has none left. */
function* hasVersions(id: string): LibrarySteps<boolean> {
  return yield* anyRow('SELECT 1 FROM flow_versions WHERE flow_id = ? LIMIT 1', id)
}

interface NewVersion {
  readonly id: string
  readonly version: number
  readonly at: number
  readonly document: string
  readonly facts: Partial<VersionFacts> | undefined
}

function* addVersion({ id, version, at, document, facts }: NewVersion): LibrarySteps<void> {
  yield* rows(
    `INSERT INTO flow_versions (${NEW_VERSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, version, at, document, ...factValues(facts)]
  )
}

function refused(because: SaveRefusal): SaveResult {
  return { won: false, because }
}
