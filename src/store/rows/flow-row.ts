import type { FlowVersion, Pause, StoredFlow } from '../store.ts'

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
}

/** Of the tables `f`, the flow, and `v`, its live version. */
export const flowColumns =
  'f.id, f.slug, f.context, f.version, v.document, f.created_at, f.updated_at, f.paused_mode, f.paused_at, f.paused_by'

export interface VersionRow {
  readonly version: number
  readonly document: string
  readonly created_at: number
}

export function storedFlow(row: FlowRow): StoredFlow {
  const { id, slug, context, version, document, created_at, updated_at } = row
  const paused = pauseOf(row)
  return { id, slug, context, version, document, createdAt: created_at, updatedAt: updated_at, paused }
}

function pauseOf({ paused_mode: mode, paused_at: since, paused_by: by }: FlowRow): Pause | null {
  return mode === null ? null : { mode, since: since!, by: by! }
}

export function flowVersion(row: VersionRow): FlowVersion {
  return { version: row.version, document: row.document, createdAt: row.created_at }
}
