import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { MillraceError } from '../errors.ts'
import type { KeyStore, MayGo, StoredKey } from '../store/credentials.ts'
import { InTurn } from '../store/in-turn.ts'
import { type Actor, RIGHTS, type Right } from './rights.ts'

interface KeyRingDeps {
  readonly store: KeyStore
  readonly newId: () => string
  readonly now: () => number
  /** Resolves when other processes know what was changed here; absent where there are none. */
  readonly confirmed?: () => Promise<void>
}

export interface NewKey {
  readonly name: string
  readonly rights: readonly Right[]
  readonly flowId: string | null
  readonly context: string | null
  readonly expiresAt: number | null
}

/** The id of the key that MILLRACE_API_KEY sets: a new value replaces the old one. */
const CONFIGURED_KEY_ID = 'configured'

/** The variable that sets it. */
export const CONFIGURED_BY = 'MILLRACE_API_KEY'

/** So few that looking through them all is cheaper than a hash. */
const MAX_RECENT = 8

/**
 * All keys, in memory, by the beginning of their hash: checking one costs no query. Only hashes are stored; the few
 * keys that were used last are remembered as they are, in memory. The beginning of a SHA-256 finds the candidate; the whole of it is then compared
 * in constant time.
 */
export class KeyRing {
  readonly #deps: KeyRingDeps
  readonly #byPrefix = new Map<string, KnownKey>()
  readonly #used = new Map<string, number>()
  readonly #watchers = new Set<{ readonly id: string; readonly gone: () => void }>()
  /**
   * What is changed here and what is brought in take turns, each from its first word with the store until it is in
   * force: a key that another process revokes must not come back by an answer that was late.
   */
  readonly #inTurn = new InTurn().do
  #recent: { readonly bytes: Buffer; readonly known: KnownKey }[] = []
  /** One that an earlier start set, and this one does not, is a key like any other. */
  #isConfigured = false

  constructor(deps: KeyRingDeps) {
    this.#deps = deps
  }

  async load(): Promise<void> {
    for (const key of await this.#deps.store.list()) this.#hold(key)
  }

  /** Takes over what other processes have added, replaced and removed. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      const stored = new Map((await this.#deps.store.list()).map((key) => [key.id, key]))
      for (const known of [...this.#byPrefix.values()]) {
        if (stored.get(known.key.id)?.hash !== known.key.hash) this.#forget(known)
      }
      for (const key of stored.values()) this.#hold(key)
      this.#recent = []
    })
  }

  /** Who the key belongs to, or undefined when it is unknown or has expired. */
  verify(key: string | undefined): Actor | undefined {
    if (key === undefined || key === '') return undefined
    return this.#use(this.#recognise(Buffer.from(key)) ?? this.#lookUp(key))?.actor
  }

  /** The key of this id, while it is good: for who signed in with it. */
  get(id: string): { readonly key: StoredKey; readonly actor: Actor } | undefined {
    return this.#use(this.#byId(id))
  }

  /** Calls back when the key is revoked or replaced. Returns what ends the watch. */
  watch(id: string, gone: () => void): () => void {
    const watcher = { id, gone }
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  #use(known: KnownKey | undefined): KnownKey | undefined {
    const now = this.#deps.now()
    if (known === undefined || (known.key.expiresAt !== null && known.key.expiresAt <= now)) return undefined
    this.#used.set(known.key.id, now)
    return known
  }

  /** A key that was good a moment ago. The hash would cost a fifteenth of accepting a webhook, every time. */
  #recognise(key: Buffer): KnownKey | undefined {
    for (const recent of this.#recent) {
      if (recent.bytes.length === key.length && timingSafeEqual(recent.bytes, key)) return recent.known
    }
    return undefined
  }

  #lookUp(key: string): KnownKey | undefined {
    const digest = hash('sha256', key, 'buffer')
    const known = this.#byPrefix.get(prefixOf(digest))
    if (known === undefined || !timingSafeEqual(known.digest, digest)) return undefined
    this.#recent.unshift({ bytes: Buffer.from(key), known })
    this.#recent.length = Math.min(this.#recent.length, MAX_RECENT)
    return known
  }

  list(): StoredKey[] {
    return [...this.#byPrefix.values()].map(({ key }) => ({
      ...key,
      lastUsedAt: this.#used.get(key.id) ?? key.lastUsedAt
    }))
  }

  /** Makes a key. The text of it is returned this once and kept nowhere. */
  async create(news: NewKey): Promise<{ key: StoredKey; secret: string }> {
    const secret = `mr_${randomBytes(24).toString('base64url')}`
    const key = await this.#put(this.#deps.newId(), secret, news)
    return { key, secret }
  }

  /** The key of the configuration: full rights, and only its newest value is good. */
  async configure(secret: string): Promise<void> {
    this.#isConfigured = true
    const known = this.#byId(CONFIGURED_KEY_ID)
    const digest = hash('sha256', secret)
    if (known !== undefined && known.key.hash === digest) return
    // A key that was made before, set as the configured one: kept, it would stay good when that is replaced.
    const same = this.#byPrefix.values().find(({ key }) => key.hash === digest)
    if (same !== undefined && !hasFullRights(same.key)) throw wouldGainRights(same.key)
    if (same !== undefined) await this.#remove(same.key.id, () => true)
    await this.#put(CONFIGURED_KEY_ID, secret, { ...FULL_RIGHTS, name: CONFIGURED_BY })
  }

  /** Whether the configuration sets this key: then it is good for as long as it does. */
  isConfigured(id: string): boolean {
    return this.#isConfigured && id === CONFIGURED_KEY_ID
  }

  /** The first key of a new store that the configuration gives none. */
  async createFirst(): Promise<string> {
    const { secret } = await this.create({ ...FULL_RIGHTS, name: 'First key' })
    return secret
  }

  async remove(id: string): Promise<void> {
    if (this.isConfigured(id)) throw isSetElsewhere()
    await this.#remove(id, (key, others) => {
      if (!isMaster(key) || lastsUntil(key) <= this.#deps.now() || others.length === 0) return true
      return others.some((other) => isMaster(other) && lastsUntil(other) >= lastsUntil(key))
    })
  }

  async #remove(id: string, mayGo: MayGo): Promise<void> {
    const isRemoved = await this.#inTurn(async () => {
      const known = this.#byId(id)
      if (known === undefined) return false
      const outcome = await this.#deps.store.remove(id, mayGo)
      if (outcome === 'refused') throw wouldLockOut(known.key)
      if (outcome === 'unknown') return false
      this.#forget(known)
      this.#used.delete(id)
      return true
    })
    if (!isRemoved) {
      throw new MillraceError('key_not_found', `There is no key "${id}". GET /api/v1/keys lists the keys.`)
    }
    await this.#deps.confirmed?.()
  }

  /** Writes down when keys were last used. Called now and then: a use costs no write of its own. */
  async saveUses(): Promise<void> {
    if (this.#used.size === 0) return
    const used = new Map(this.#used)
    this.#used.clear()
    for (const [id, at] of used) {
      const known = this.#byId(id)
      if (known !== undefined) known.key = { ...known.key, lastUsedAt: at }
    }
    await this.#deps.store.touch(used)
  }

  async #put(id: string, secret: string, news: NewKey): Promise<StoredKey> {
    const key: StoredKey = {
      id,
      name: news.name,
      hash: hash('sha256', secret),
      hint: secret.slice(0, 6),
      rights: news.rights,
      flowId: news.flowId,
      context: news.context,
      createdAt: this.#deps.now(),
      expiresAt: news.expiresAt,
      lastUsedAt: null
    }
    await this.#inTurn(async () => {
      await this.#deps.store.put(key)
      const replaced = this.#byId(id)
      if (replaced !== undefined) this.#forget(replaced)
      this.#hold(key)
    })
    await this.#deps.confirmed?.()
    return key
  }

  #hold(key: StoredKey): void {
    const digest = Buffer.from(key.hash, 'hex')
    const rights = new Set(key.rights.filter((right): right is Right => RIGHTS.includes(right as Right)))
    const { id: keyId, name, flowId, context } = key
    this.#byPrefix.set(prefixOf(digest), { key, digest, actor: { keyId, name, rights, flowId, context } })
  }

  #forget({ key, digest }: KnownKey): void {
    this.#byPrefix.delete(prefixOf(digest))
    this.#recent = []
    for (const { id, gone } of [...this.#watchers]) if (id === key.id) gone()
  }

  #byId(id: string): KnownKey | undefined {
    return this.#byPrefix.values().find((known) => known.key.id === id)
  }
}

/** Revoked, it would be back with the next start, and until then whoever uses it would be locked out. */
function isSetElsewhere(): MillraceError {
  return new MillraceError(
    'key_is_configured',
    `This key is set by ${CONFIGURED_BY}, in the environment of the service or its ${CONFIGURED_BY}_FILE, or by the option apiKey of the application that hosts it. Change it there, or take it away there and start the service again: then it can be revoked here.`
  )
}

/** Whether it may manage all keys. */
export function isMaster({ rights, flowId, context }: StoredKey): boolean {
  return flowId === null && context === null && rights.includes('admin')
}

export function lastsUntil({ expiresAt }: StoredKey): number {
  return expiresAt ?? Number.POSITIVE_INFINITY
}

/** Nobody could make a key any more: a new start makes one only where there is none at all. */
function wouldLockOut({ name }: StoredKey): MillraceError {
  return new MillraceError(
    'key_is_last_admin',
    `"${name}" is the last key with the right "admin" for everything, or the one that is good for longest: without it, nobody can make keys any more. Make another one first, and keep it; then revoke this one.`
  )
}

interface KnownKey {
  key: StoredKey
  readonly digest: Buffer
  readonly actor: Actor
}

const FULL_RIGHTS = { rights: RIGHTS, flowId: null, context: null, expiresAt: null }

function hasFullRights({ rights, flowId, context, expiresAt }: StoredKey): boolean {
  return (
    flowId === null &&
    context === null &&
    expiresAt === null &&
    RIGHTS.every((right) => rights.includes(right))
  )
}

/** Callers keep their key in a variable of the same name: in the shell that starts the service it would become everybody's master. */
function wouldGainRights({ name, hint }: StoredKey): MillraceError {
  return new MillraceError(
    'config_invalid',
    `MILLRACE_API_KEY is set to the key "${name}" (${hint}…), which may not do everything, and would then. Unset it, or set it to a key of its own.`
  )
}

function prefixOf(digest: Buffer): string {
  return digest.toString('latin1', 0, 8)
}
