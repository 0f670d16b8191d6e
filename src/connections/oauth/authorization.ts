import { createHash, randomBytes } from 'node:crypto'
import { StepError } from '../../engine/step-error.ts'
import { MillraceError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import { openSecret, SealBroken, sealSecret } from '../sealed-secret.ts'
import type { SecretKeys } from '../secret-keys.ts'
import type { OAuthTokens } from './oauth-tokens.ts'
import { requestTokens, type TokenEndpointDeps } from './token-endpoint.ts'
import { purposeOf } from './tokens.ts'
import { resourceOf, usesOAuth } from './uses-oauth.ts'

interface AuthorizationDeps extends TokenEndpointDeps {
  readonly tokens: Pick<OAuthTokens, 'keep'>
  readonly keys: () => SecretKeys
}

/** What goes to the provider and comes back with the browser, sealed: nobody else can read or make one. */
interface SignInState {
  readonly connection: string
  readonly purpose: string
  /** The key that whoever began it came with, or had signed in with. */
  readonly keyId: string
  /** Of PKCE: whoever catches the code cannot use it without this. */
  readonly verifier: string
  readonly redirectUri: string
  readonly expiresAt: number
}

interface BegunSignIn {
  /** Where the person goes. */
  readonly url: string
  readonly expiresAt: number
}

const SIGN_IN_MS = 10 * 60_000
const STATE_PLACE = { connection: '', context: '', name: 'oauth2 state' }

/**
 * A person signs in once at the provider of a connection: authorization code with PKCE (RFC 6749, 7636). What has to be
 * known in the end is sealed into the `state`, so the browser may come back to another process than it left from.
 */
export class Authorization {
  readonly #deps: AuthorizationDeps

  constructor(deps: AuthorizationDeps) {
    this.#deps = deps
  }

  begin(connection: Connection, { keyId, redirectUri }: { keyId: string; redirectUri: string }): BegunSignIn {
    const { settings, name, id } = connection
    if (!usesOAuth(connection) || settings.grant !== 'authorization_code') {
      throw new MillraceError(
        'connection_without_sign_in',
        `Nobody signs in for the connection "${name}". Set its auth to oauth2 and its grant to authorization_code first.`
      )
    }
    const verifier = randomBytes(32).toString('base64url')
    const expiresAt = this.#deps.clock.now() + SIGN_IN_MS
    const purpose = purposeOf(connection)
    const state: SignInState = { connection: id, purpose, keyId, verifier, redirectUri, expiresAt }
    const url = new URL(String(settings.authorize_url))
    const asked = {
      response_type: 'code',
      client_id: String(settings.client_id),
      redirect_uri: redirectUri,
      ...(typeof settings.scope === 'string' && { scope: settings.scope }),
      ...resourceOf(connection),
      state: urlSafe(sealSecret(JSON.stringify(state), STATE_PLACE, this.#deps.keys())),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256'
    }
    for (const [parameter, value] of Object.entries(asked)) url.searchParams.set(parameter, value)
    return { url: url.href, expiresAt }
  }

  /** Undefined where the state is none of ours, too old, or was begun with another key. */
  read(state: string, keyId: string): SignInState | undefined {
    try {
      const read = JSON.parse(openSecret(state, STATE_PLACE, this.#deps.keys())) as SignInState
      return read.keyId === keyId && read.expiresAt > this.#deps.clock.now() ? read : undefined
    } catch (error) {
      if (error instanceof SealBroken) return undefined
      throw error
    }
  }

  /** Exchanges the code for tokens and keeps them. */
  async finish(connection: Connection, state: SignInState, code: string): Promise<void> {
    if (purposeOf(connection) !== state.purpose) {
      throw new StepError('The connection was changed meanwhile. Start the sign-in again.', {
        code: 'connection_conflict',
        retryable: false
      })
    }
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: state.redirectUri,
      code_verifier: state.verifier
    }
    await this.#deps.tokens.keep(connection, await requestTokens(connection, form, this.#deps))
  }
}

/**
 * Some providers send the state back without encoding it, and a plus would come as a space. What is read as base64 may be
 * written either way.
 */
function urlSafe(sealed: string): string {
  return sealed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
