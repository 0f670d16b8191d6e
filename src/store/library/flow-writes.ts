import { draftAfterSave } from '../rows/draft-row.ts'
import { factValues, NEW_VERSION_COLUMNS } from '../rows/flow-row.ts'
import type { FlowSave, MayTake, NewFlow, SaveRefusal, SaveResult, SlugCheck } from '../store.ts'
import type { VersionFacts } from '../versions.ts'
import { readDraft, removeDraft, writeDraft } from './draft-store.ts'
import { readFlow } from './flow-rows.ts'
import { keepSlug } from './flow-standing.ts'
import { anyRow, firstRow, type LibrarySteps, rows, type SqlDialect } from './library-database.ts'

export function* createFlow(dialect: SqlDialect, flow: NewFlow, revision: number): LibrarySteps<SaveResult> {
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

export function* saveFlow(dialect: SqlDialect, edit: FlowSave, revision: number): LibrarySteps<SaveResult> {
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

export function* removeFlow(
  { id, at, by }: { readonly id: string; readonly at: number; readonly by: string | null },
  revision: number
): LibrarySteps<boolean> {
  return yield* anyRow(
    'UPDATE flows SET deleted_at = ?, deleted_by = ?, revision = ? WHERE id = ? AND deleted_at IS NULL RETURNING id',
    ...[at, by, revision, id]
  )
}

interface Standing {
  readonly slug: string
  readonly context: string
  readonly version: number
  readonly deleted_at: number | null
}

export function* standing(id: string, lock = ''): LibrarySteps<Standing | undefined> {
  return yield* firstRow<Standing>(
    `SELECT slug, context, version, deleted_at FROM flows WHERE id = ?${lock}`,
    id
  )
}

/** The live flows that have a slug, as theirs or as an alias, but for one. */
export const ownersOf = (slug: string) => `
  SELECT id FROM flows WHERE slug = ${slug} AND deleted_at IS NULL AND id <> ?
  UNION ALL
  SELECT f.id FROM flow_aliases a JOIN flows f ON f.id = a.flow_id
  WHERE a.slug = ${slug} AND f.deleted_at IS NULL AND f.id <> ?`

interface Place {
  readonly id: string
  readonly slug: string
  readonly context: string
  readonly isContextMade?: boolean | undefined
}

export function* refusalOf({
  id,
  slug,
  context,
  isContextMade
}: Place): LibrarySteps<SaveResult | undefined> {
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
export function* binRefusal({ id, slug, mayTake, since = 0 }: Taking): LibrarySteps<SaveResult | undefined> {
  if (mayTake === undefined) return undefined
  const owners = yield* rows<Parameters<MayTake>[0]>(formerOwners, since, id, slug, slug)
  return owners.every(mayTake) ? undefined : refused('slug_taken')
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

export function refused(because: SaveRefusal): SaveResult {
  return { won: false, because }
}
