import type { StoredTokens } from '../connections.ts'

/** Tokens of a connection as both stores have them. */
export interface TokenRow {
  readonly connection_id: string
  readonly tokens: string
  readonly holder: string | null
  readonly held_until: number
  readonly revision: number
}

export function storedTokens(row: TokenRow): StoredTokens {
  const { connection_id: connectionId, tokens, holder, held_until: heldUntil, revision } = row
  return { connectionId, tokens, holder, heldUntil, revision }
}
