import type { Connection } from '../connection.ts'

const KINDS: ReadonlySet<string> = new Set(['http', 'mcp'])

/** Whether its requests carry a token that a provider gives for it. */
export function usesOAuth({ kind, settings }: Pick<Connection, 'kind' | 'settings'>): boolean {
  return KINDS.has(kind) && settings.auth === 'oauth2'
}

/** Servers of tools are named to whoever gives the token, so that it is good for them alone (RFC 8707). */
export function resourceOf({ kind, settings }: Pick<Connection, 'kind' | 'settings'>): {
  readonly resource?: string
} {
  return kind === 'mcp' ? { resource: String(settings.url) } : {}
}
