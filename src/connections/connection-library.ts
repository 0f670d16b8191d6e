import { isWithin } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { Origin } from '../contexts/registration.ts'
import { MillraceError, messageOf } from '../errors.ts'
import type { ConnectionStore, RemovedConnection } from '../store/connections.ts'
import { connectionFaults } from './check-connection.ts'
import { type Connection, readConnection, writeConnection } from './connection.ts'
import {
  isSameButForSeals,
  leadsToAnother,
  leadsToTheSame,
  staying,
  type WantedConnection
} from './connection-change.ts'
import { connectionNotFound, neededAgain, writeRefusal } from './connection-refusals.ts'
import type { KindName } from './kinds/kinds.ts'
import { resealedConnection } from './reseal-connections.ts'
import { openSecret, sealSecret } from './sealed-secret.ts'
import type { SecretKeys } from './secret-keys.ts'
import { unsendableSecrets } from './unsendable-secrets.ts'

interface ConnectionLibraryDeps {
  readonly store: ConnectionStore
  readonly tree: ContextTree
  /** The keys that seal secrets; throws with the remedy where there are none. */
  readonly keys: () => SecretKeys
  /** Whether the context was made at run time, and so may go. */
  readonly isMade: (path: string) => boolean
  /** Throws where the connection names a file that no step may open. */
  readonly assertFileAllowed?: (connection: Connection) => void
  readonly newId: () => string
  readonly now: () => number
  /** The tokens that somebody has signed in for are gone from the store: the connection leads elsewhere. */
  readonly forgetTokens?: (connectionId: string) => void
  /** Resolves when the other processes have what was written, or had time enough. */
  readonly confirmed?: () => Promise<void>
}

/** Who writes a connection, as far as that matters here. */
interface Writer {
  /** Steps may reach an address that they wrote, whatever network it is in. */
  readonly mayTrust: boolean
}

const ORIGIN: Origin = { owner: 'the API', source: null }

/** All connections, by the contexts that they live in. Lookup is the tree's: nearest first, upwards. */
export class ConnectionLibrary {
  readonly #deps: ConnectionLibraryDeps
  #byId = new Map<string, Connection>()
  /** Contexts whose connections the tree has. */
  #placed = new Set<string>()

  constructor(deps: ConnectionLibraryDeps) {
    this.#deps = deps
  }

  /** Reads all of them, also those that other processes wrote. */
  async load(): Promise<void> {
    const stored = await this.#deps.store.list()
    this.#byId = new Map(stored.map((row) => [row.id, readConnection(row)]))
    this.#place()
  }

  list(): Connection[] {
    return [...this.#byId.values()]
  }

  get(id: string): Connection {
    const found = this.find(id)
    if (found !== undefined) return found
    throw connectionNotFound()
  }

  find(id: string): Connection | undefined {
    return this.#byId.get(id)
  }

  /** The one that a flow in this context means by the name; undefined where it sees none. */
  visible(context: string, name: string): Connection | undefined {
    const id = this.#deps.tree.find(context, 'connection', name)?.value
    return id === undefined ? undefined : this.#byId.get(id as string)
  }

  /** The names that flows in this context can use. */
  visibleNames(context: string): string[] {
    return this.#deps.tree.visible(context, 'connection').map(({ name }) => name)
  }

  hasAnyWithin(path: string): boolean {
    return this.list().some(({ context }) => isWithin(context, path))
  }

  async create(wanted: WantedConnection, writer: Writer): Promise<Connection> {
    return this.#write(this.#made(wanted, writer), 'create')
  }

  #made(
    { removed: _, ...wanted }: WantedConnection,
    { mayTrust }: Writer,
    made?: ReadonlySet<string>
  ): Connection {
    this.#assertSound(wanted, Object.keys(wanted.secrets), made)
    const id = this.#deps.newId()
    const now = this.#deps.now()
    const secrets = this.#seal(id, wanted.context, wanted.secrets)
    const kind = wanted.kind as KindName
    return { ...wanted, id, kind, secrets, isTrusted: mayTrust, revision: 1, createdAt: now, updatedAt: now }
  }

  async change(id: string, change: WantedConnection, writer: Writer): Promise<Connection> {
    const before = this.get(id)
    try {
      return await this.#replace(before, change, writer)
    } catch (error) {
      if (!(error instanceof MillraceError) || error.code !== 'connection_conflict') throw error
      // Another process wrote it. Where that only sealed its secrets with another key, nobody's change is lost.
      await this.load()
      const now = this.find(id)
      if (now === undefined || !isSameButForSeals(before, now)) throw error
      return this.#replace(now, change, writer)
    }
  }

  async #replace(before: Connection, change: WantedConnection, writer: Writer): Promise<Connection> {
    return this.#write(this.#changed(before, change, writer), 'replace', leadsToAnother(before, change))
  }

  /** Somebody who writes connections beside this has taken them from the store. */
  forgetTokens(id: string): void {
    this.#deps.forgetTokens?.(id)
  }

  #changed(before: Connection, change: WantedConnection, { mayTrust }: Writer): Connection {
    const { removed = [], ...wanted } = change
    const stays = before.kind === wanted.kind ? staying(before, wanted, removed) : []
    const asked = leadsToAnother(before, wanted) ? stays : []
    this.#assertSound(wanted, [...stays, ...Object.keys(wanted.secrets)])
    if (asked.length > 0) throw neededAgain(before, asked)
    const kept = this.#kept(before, wanted.context, stays)
    return {
      ...before,
      ...wanted,
      kind: wanted.kind as KindName,
      secrets: { ...kept, ...this.#seal(before.id, wanted.context, wanted.secrets) },
      isTrusted: mayTrust || (before.isTrusted && leadsToTheSame(before, wanted)),
      revision: before.revision + 1,
      updatedAt: this.#deps.now()
    }
  }

  /**
   * The connection as it would be written, which is left to who asks: made anew where there is none before. `made` are contexts that
   * come with it. Throws with what is wrong.
   */
  toBe(
    wanted: WantedConnection,
    before: Connection | undefined,
    writer: Writer & { readonly made: ReadonlySet<string> }
  ): Connection {
    const connection =
      before === undefined ? this.#made(wanted, writer, writer.made) : this.#changed(before, wanted, writer)
    this.#deps.assertFileAllowed?.(connection)
    return connection
  }

  /** Whether the context was made at run time, and so may go. */
  isMade(path: string): boolean {
    return this.#deps.isMade(path)
  }

  /** One that somebody deletes can be brought back for a while; what the service made for itself goes for good. */
  async remove(id: string, deletedBy?: string): Promise<void> {
    this.get(id)
    const { store, now } = this.#deps
    await (deletedBy === undefined ? store.remove(id) : store.bin(id, { deletedAt: now(), deletedBy }))
    this.#byId.delete(id)
    this.#place()
    await this.#deps.confirmed?.()
  }

  removed(): Promise<RemovedConnection[]> {
    return this.#deps.store.removed()
  }

  async undelete(removed: RemovedConnection): Promise<Connection> {
    const place = { isContextMade: this.#deps.isMade(removed.context) }
    if (!this.#deps.tree.has(removed.context)) throw writeRefusal('context_gone', readConnection(removed))
    const result = await this.#deps.store.undelete(removed.id, place)
    if (result !== 'done') throw writeRefusal(result, readConnection(removed))
    await this.load()
    await this.#deps.confirmed?.()
    return this.#underFirstKey(this.get(removed.id))
  }

  /** What the sender that a flow in this context means by the name signs with; undefined where that cannot be told. */
  signingSecret(context: string, name: string): string | undefined {
    const connection = this.visible(context, name)
    if (connection?.kind !== 'webhook') return undefined
    try {
      return this.openSecrets(connection).signing_secret
    } catch (error) {
      // Then nobody is let in, and a trial of the connection says why.
      if (error instanceof MillraceError) return undefined
      throw error
    }
  }

  /**
   * Opens the secrets of a connection: for steps and trials (connection-opener.ts), to get tokens (oauth/), to check the
   * signatures of a sender, and to seal them for another context. No route answers with them.
   */
  openSecrets({ id, name, context, secrets }: Connection): Record<string, string> {
    const sealed = Object.entries(secrets)
    // Without any there need be no key either.
    if (sealed.length === 0) return {}
    const keys = this.#deps.keys()
    const opened = sealed.map(([secret, envelope]) => {
      try {
        return [secret, openSecret(envelope, { connection: id, context, name: secret }, keys)]
      } catch (error) {
        throw new MillraceError(
          'secret_unreadable',
          `The secret "${secret}" of the connection "${name}" cannot be opened: ${messageOf(error)}. Give MILLRACE_SECRET_KEY the key that sealed it, or enter the secret again.`
        )
      }
    })
    return Object.fromEntries(opened)
  }

  /** Secrets that stay. They are sealed with their context, so one that moves is sealed anew. */
  #kept(before: Connection, context: string, stays: readonly string[]): Record<string, string> {
    const kept = Object.fromEntries(stays.map((name) => [name, before.secrets[name]!]))
    if (before.context === context || stays.length === 0) return kept
    return this.#seal(before.id, context, this.openSecrets({ ...before, secrets: kept }))
  }

  #seal(id: string, context: string, secrets: Readonly<Record<string, string>>): Record<string, string> {
    const given = Object.entries(secrets)
    if (given.length === 0) return {}
    const keys = this.#deps.keys()
    return Object.fromEntries(
      given.map(([name, secret]) => [name, sealSecret(secret, { connection: id, context, name }, keys)])
    )
  }

  #assertSound(
    { kind, settings, context, secrets: entered }: WantedConnection,
    secrets: readonly string[],
    made?: ReadonlySet<string>
  ): void {
    if (!this.#deps.tree.has(context) && made?.has(context) !== true) {
      throw new MillraceError(
        'context_not_found',
        `There is no context "${context}". GET /api/v1/contexts lists the contexts.`
      )
    }
    const unsendable = unsendableSecrets(kind, settings, entered)
    const errors = [...connectionFaults(kind, settings, secrets), ...unsendable]
    if (errors.length === 0) return
    throw new MillraceError('connection_invalid', errors[0]!.message, { errors })
  }

  /** What somebody has signed in for goes in the same transaction: where that is refused, nothing was changed. */
  async #write(connection: Connection, how: 'create' | 'replace', voidsTokens = false): Promise<Connection> {
    this.#deps.assertFileAllowed?.(connection)
    const place = { isContextMade: this.#deps.isMade(connection.context) }
    const result = await this.#deps.store[how](writeConnection(connection), { ...place, voidsTokens })
    if (result !== 'done') throw writeRefusal(result, connection)
    if (voidsTokens) this.forgetTokens(connection.id)
    this.#byId.set(connection.id, connection)
    this.#place()
    await this.#deps.confirmed?.()
    return this.#underFirstKey(connection)
  }

  /** A key that was changed while this was on its way to the store would leave it under the old one. */
  async #underFirstKey(connection: Connection): Promise<Connection> {
    if (Object.keys(connection.secrets).length === 0) return connection
    const resealed = resealedConnection(connection, this.#deps.keys())
    if (resealed === undefined) return connection
    // Where another process was quicker, it has done the same.
    if ((await this.#deps.store.replace(writeConnection(resealed))) !== 'done') return connection
    this.#byId.set(connection.id, resealed)
    return resealed
  }

  /** Tells the tree which names each context has. */
  #place(): void {
    const { tree } = this.#deps
    const byContext = Map.groupBy(this.#byId.values(), ({ context }) => context)
    for (const path of new Set([...this.#placed, ...byContext.keys()])) {
      if (!tree.has(path)) continue
      const names = (byContext.get(path) ?? []).map(({ name, id }) => [name, id])
      tree.setData(path, 'connection', Object.fromEntries(names), ORIGIN)
    }
    this.#placed = new Set(byContext.keys())
  }
}
