import type { Alias, Pause, RemovedFlow } from '../flow-standing.ts'
import type { StoredFlow } from '../store.ts'
import type {
  FlowVersion,
  VersionFacts,
  VersionOrigin,
  VersionQuestion,
  VersionSummary
} from '../versions.ts'

/** A flow at its live version, as both stores have it. */
export interface FlowRow {
  readonly id: string
  readonly slug: string
  readonly context: string
  readonly version: number
  readonly document: string
  readonly created_at: number
  readonly updated_at: number
  readonly paused_mode: Pause['mode'] | null
  readonly paused_at: number | null
  readonly paused_by: string | null
  readonly triggers_from: number | null
  readonly origin: VersionOrigin | null
  /** As JSON text. */
  readonly aliases: string
}

/** Of the tables `f`, the flow, and `v`, its live version. */
export const flowColumns = (longText: LongText) =>
  `f.id, f.slug, f.context, f.version, ${longText('v.document')}, f.created_at, f.updated_at, f.paused_mode, f.paused_at, f.paused_by, f.triggers_from, v.origin`

/** How a document is selected. */
type LongText = (column: string) => string

export interface VersionSummaryRow {
  readonly version: number
  readonly created_at: number
  readonly origin: VersionOrigin | null
  readonly author: string | null
  readonly name: string | null
  readonly note: string | null
  readonly changes: string | null
}

export interface VersionRow extends VersionSummaryRow {
  readonly document: string
}

const FACTS = 'origin, author, name, note, changes'
export const SUMMARY_COLUMNS = `version, created_at, ${FACTS}`
export const versionColumns = (longText: LongText) => `${SUMMARY_COLUMNS}, ${longText('document')}`
/** What a version is written with. */
export const NEW_VERSION_COLUMNS = `flow_id, version, created_at, document, ${FACTS}`

export function storedFlow(row: FlowRow): StoredFlow {
  const { id, slug, context, version, document, created_at, updated_at } = row
  const paused = pauseOf(row)
  const aliases = JSON.parse(row.aliases) as string[]
  return {
    id,
    slug,
    context,
    version,
    document,
    createdAt: created_at,
    updatedAt: updated_at,
    paused,
    triggersFrom: row.triggers_from,
    origin: row.origin,
    aliases
  }
}

export type RemovedRow = FlowRow & { readonly deleted_at: number; readonly deleted_by: string | null }

export function removedFlow(row: RemovedRow): RemovedFlow {
  return { ...storedFlow(row), deletedAt: row.deleted_at, deletedBy: row.deleted_by }
}

function pauseOf({ paused_mode: mode, paused_at: since, paused_by: by }: FlowRow): Pause | null {
  return mode === null ? null : { mode, since: since!, by: by! }
}

function versionSummary(row: VersionSummaryRow): VersionSummary {
  const { version, created_at: createdAt, origin, author, name, note, changes } = row
  return { version, createdAt, origin, author, name, note, changes }
}

export function flowVersion(row: VersionRow): FlowVersion {
  return { ...versionSummary(row), document: row.document }
}

const UNKNOWN: VersionFacts = { origin: null, author: null, name: null, note: null, changes: null }

export function factsOf(told: Partial<VersionFacts> = {}): VersionFacts {
  return { ...UNKNOWN, ...told }
}

/** In the order of NEW_VERSION_COLUMNS, after the document. */
export function factValues(told: Partial<VersionFacts> | undefined): (string | null)[] {
  const { origin, author, name, note, changes } = factsOf(told)
  return [origin, author, name, note, changes]
}

/** A page, from one more row than it holds. */
export function versionPage(
  rows: readonly VersionSummaryRow[],
  { limit }: VersionQuestion
): { versions: VersionSummary[]; next: number | null } {
  const versions = rows.slice(0, limit).map(versionSummary)
  return { versions, next: rows.length > limit ? versions.at(-1)!.version : null }
}

export interface AliasRow {
  readonly slug: string
  readonly since: number
  readonly calls: number
  readonly last_called_at: number | null
  readonly callers: string
}

export const aliasColumns = 'slug, since, calls, last_called_at, callers'

export function aliasOf({ last_called_at: lastCalledAt, ...row }: AliasRow): Alias {
  return { ...row, lastCalledAt }
}
