import type { FlowVersion, StoredFlow } from '../store.ts'

/** A flow at its live version, as both stores have it. */
export interface FlowRow {
  readonly id: string
  readonly slug: string
  readonly context: string
  readonly version: number
  readonly document: string
  readonly created_at: number
  readonly updated_at: number
}

export interface VersionRow {
  readonly version: number
  readonly document: string
  readonly created_at: number
}

export function storedFlow(row: FlowRow): StoredFlow {
  const { id, slug, context, version, document, created_at, updated_at } = row
  return { id, slug, context, version, document, createdAt: created_at, updatedAt: updated_at }
}

export function flowVersion(row: VersionRow): FlowVersion {
  return { version: row.version, document: row.document, createdAt: row.created_at }
}
