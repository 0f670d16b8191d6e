import type { Clock } from '../../clock.ts'
import { StepError } from '../../engine/step-error.ts'
import { messageOf } from '../../errors.ts'
import type { StoredTokens, TokenStore } from '../../store/connections.ts'
import type { Connection } from '../connection.ts'
import { SealBroken } from '../sealed-secret.ts'
import type { SecretKeys } from '../secret-keys.ts'
import { requestTokens, type TokenEndpointDeps } from './token-endpoint.ts'
import { openTokens, purposeOf, sealTokens, type Tokens } from './tokens.ts'

interface OAuthTokensDeps extends TokenEndpointDeps {
  readonly store: TokenStore
  readonly keys: () => SecretKeys
  readonly clock: Pick<Clock, 'now' | 'after' | 'startTimer' | 'newId'>
}

interface Obtained {
  readonly tokens: Tokens
  /** They come from the provider just now: nobody can have better ones, also where they are the former ones. */
  readonly isNew: boolean
}

/** Longer than a request may take, also where the clocks of two machines differ by some seconds. */
const HOLD_MS = 20_000
const LOOK_AGAIN_MS = 200

/**
 * Access tokens of connections that sign in by OAuth. However many steps and processes ask, one of them gets a new
 * token: it takes a lease in the store, by the revision that it read, and the others wait for what it writes.
 */
export class OAuthTokens {
  readonly #deps: OAuthTokensDeps
  readonly #self: string
  readonly #known = new Map<string, Tokens>()
  readonly #underWay = new Map<string, Promise<Obtained>>()
  /** Tokens that the store did not take: a refresh token that is lost here cannot be had again. */
  readonly #unsaved = new Map<string, Tokens>()

  constructor(deps: OAuthTokensDeps) {
    this.#deps = deps
    this.#self = deps.clock.newId()
  }

  /** A token that is good as far as can be told. `refused` is one that was not: it is not given again. */
  async accessToken(connection: Connection, refused?: string): Promise<string> {
    const known = this.#known.get(connection.id)
    if (known !== undefined && this.#isGood(known, connection, refused)) {
      if (this.#unsaved.has(connection.id)) await this.#saveLate(connection).catch(() => {})
      return known.accessToken
    }
    const { tokens } = await this.#once(connection, refused)
    return tokens.accessToken
  }

  /** Keeps what somebody has signed in for, whoever is getting new tokens meanwhile. */
  async keep(connection: Connection, tokens: Tokens): Promise<void> {
    await this.#save(connection, tokens)
  }

  /** The store has none any more: somebody has to sign in again, or the service does. */
  forget(connectionId: string): void {
    this.#known.delete(connectionId)
    this.#unsaved.delete(connectionId)
  }

  /** All who ask in this process wait for one. */
  #once(connection: Connection, refused: string | undefined): Promise<Obtained> {
    const key = `${connection.id} ${connection.revision}`
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) {
      return underWay.then((obtained) =>
        obtained.isNew || this.#isGood(obtained.tokens, connection, refused)
          ? obtained
          : this.#once(connection, refused)
      )
    }
    const begun = this.#obtain(connection, refused).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, begun)
    return begun
  }

  async #obtain(connection: Connection, refused: string | undefined): Promise<Obtained> {
    const { store, clock } = this.#deps
    await this.#saveLate(connection)
    for (;;) {
      const stored = await store.find(connection.id)
      const tokens = this.#open(stored, connection)
      if (tokens !== undefined && this.#isGood(tokens, connection, refused)) {
        this.#known.set(connection.id, tokens)
        return { tokens, isNew: false }
      }
      if (stored !== undefined && stored.holder !== null && stored.leasedUntil > clock.now()) {
        await clock.after(LOOK_AGAIN_MS)
        continue
      }
      const held = await this.#hold(connection, stored)
      if (held !== undefined) return { tokens: await this.#renew(connection, held, tokens), isNew: true }
    }
  }

  /** Undefined where another was quicker. */
  async #hold(connection: Connection, stored: StoredTokens | undefined): Promise<StoredTokens | undefined> {
    const { store, clock } = this.#deps
    const held: StoredTokens = {
      connectionId: connection.id,
      tokens: stored?.tokens ?? '',
      holder: this.#self,
      leasedUntil: clock.now() + HOLD_MS,
      revision: (stored?.revision ?? 0) + 1
    }
    if (await store.write(held)) return held
    // Written by another, or the connection is gone, and then nothing can be written for it.
    if ((await store.find(connection.id))?.revision === stored?.revision) throw gone(connection)
    return undefined
  }

  async #renew(connection: Connection, held: StoredTokens, before: Tokens | undefined): Promise<Tokens> {
    try {
      const tokens = await this.#request(connection, before)
      await this.#save(connection, tokens)
      return tokens
    } catch (error) {
      // Whoever asks next need not wait until the lease is over.
      const released = { ...held, holder: null, leasedUntil: 0, revision: held.revision + 1 }
      await this.#deps.store.write(released).catch(() => false)
      throw error
    }
  }

  async #request(connection: Connection, before: Tokens | undefined): Promise<Tokens> {
    const tokens = await requestTokens(connection, formOf(connection, before), this.#deps)
    // One that gives no new refresh token means the old one to be used again.
    return { ...tokens, refreshToken: tokens.refreshToken ?? before?.refreshToken ?? null }
  }

  /** Until they are written, by whatever revision: they are the newest that there are. */
  async #save(connection: Connection, tokens: Tokens): Promise<void> {
    const { store, keys } = this.#deps
    this.#known.set(connection.id, tokens)
    this.#unsaved.set(connection.id, tokens)
    for (;;) {
      const stored = await store.find(connection.id)
      const revision = (stored?.revision ?? 0) + 1
      const sealed = sealTokens(tokens, connection.id, keys())
      const written = await store.write({
        connectionId: connection.id,
        tokens: sealed,
        holder: null,
        leasedUntil: 0,
        revision
      })
      if (written) break
      if ((await store.find(connection.id))?.revision === stored?.revision) throw gone(connection)
    }
    this.#unsaved.delete(connection.id)
  }

  /** The store may have been away when they came. */
  async #saveLate(connection: Connection): Promise<void> {
    const unsaved = this.#unsaved.get(connection.id)
    if (unsaved !== undefined) await this.#save(connection, unsaved)
  }

  #open(stored: StoredTokens | undefined, connection: Connection): Tokens | undefined {
    if (stored === undefined) return undefined
    try {
      return openTokens(stored.tokens, connection, this.#deps.keys())
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      // A service that signs in itself gets others.
      if (connection.settings.grant !== 'authorization_code') return undefined
      throw new StepError(
        `The tokens of the connection "${connection.name}" cannot be opened: ${messageOf(error)}. Give MILLRACE_SECRET_KEY the key that sealed them, or sign in again.`,
        { code: 'secret_unreadable', retryable: false }
      )
    }
  }

  #isGood(tokens: Tokens, connection: Connection, refused: string | undefined): boolean {
    const { accessToken, useUntil } = tokens
    if (accessToken === refused || tokens.purpose !== purposeOf(connection)) return false
    return useUntil === null || useUntil > this.#deps.clock.now()
  }
}

function formOf(connection: Connection, before: Tokens | undefined): Record<string, string> {
  const { grant = 'client_credentials', scope } = connection.settings
  if (grant === 'client_credentials') {
    return { grant_type: 'client_credentials', ...(typeof scope === 'string' && { scope }) }
  }
  if (before?.refreshToken == null) throw signInNeeded(connection, before !== undefined)
  return { grant_type: 'refresh_token', refresh_token: before.refreshToken }
}

function signInNeeded({ name }: Connection, hasEnded: boolean): StepError {
  const why = hasEnded
    ? 'the sign-in is over, and its provider gave nothing to renew it with'
    : 'nobody has signed in yet'
  return new StepError(
    `The connection "${name}" cannot be used: ${why}. Open it in the page and sign in, or ask whoever administers it.`,
    { code: 'oauth_sign_in_needed', retryable: false }
  )
}

function gone({ name }: Connection): StepError {
  return new StepError(`The connection "${name}" was deleted a moment ago.`, {
    code: 'connection_not_found',
    retryable: false
  })
}
