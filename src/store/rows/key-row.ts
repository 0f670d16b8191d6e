import type { StoredKey } from '../credentials.ts'

/** A key as both stores have it. */
export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly hint: string
  readonly rights: string
  readonly flow_id: string | null
  readonly context: string | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
}

export function storedKey(row: KeyRow): StoredKey {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    hint: row.hint,
    rights: JSON.parse(row.rights) as string[],
    flowId: row.flow_id,
    context: row.context,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at
  }
}
