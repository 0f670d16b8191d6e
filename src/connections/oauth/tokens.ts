import type { Connection } from '../connection.ts'
import { openSecret, sealSecret } from '../sealed-secret.ts'
import type { SecretKeys } from '../secret-keys.ts'

/** What a provider gave, and what for. */
export interface Tokens {
  readonly accessToken: string
  /**
   * When others are to be asked for, in milliseconds since 1970: somewhat before it ends, for what is on its way. Null where
   * the provider does not say: then it is good until it is refused.
   */
  readonly useUntil: number | null
  readonly refreshToken: string | null
  /** The settings that they were asked for with: of others they are worth nothing. */
  readonly purpose: string
}

/** Tokens belong to the connection wherever it is moved. */
export function tokenPlace(connectionId: string) {
  return { connection: connectionId, context: '', name: 'oauth2' }
}

export function sealTokens(tokens: Tokens, connectionId: string, keys: SecretKeys): string {
  return sealSecret(JSON.stringify(tokens), tokenPlace(connectionId), keys)
}

/** Undefined where there are none, or none for what the connection is now. Throws where they cannot be opened. */
export function openTokens(sealed: string, connection: Connection, keys: SecretKeys): Tokens | undefined {
  if (sealed === '') return undefined
  const tokens = JSON.parse(openSecret(sealed, tokenPlace(connection.id), keys)) as Tokens
  const purpose = purposeOf(connection)
  return tokens.purpose === purpose ? tokens : undefined
}

export function purposeOf({ settings }: Pick<Connection, 'settings'>): string {
  const {
    grant = 'client_credentials',
    token_url,
    client_id,
    scope = '',
    base_url,
    url = base_url
  } = settings
  return JSON.stringify([grant, token_url, client_id, scope, originOf(url)])
}

function originOf(address: unknown): string | null {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : null
}
