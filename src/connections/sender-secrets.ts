import { MillraceError } from '../errors.ts'
import { draftSender } from '../flows/draft-sender.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLibrary } from './connection-library.ts'

interface DraftSecret {
  readonly flowId: string
  readonly context: string
  readonly secret: string
}

/** Connections that hold the secrets of senders, made for flows that brought such a secret themselves. */
export class SenderSecrets {
  readonly #library: ConnectionLibrary

  constructor(library: ConnectionLibrary) {
    this.#library = library
  }

  isThere(context: string, name: string): boolean {
    return this.#library.visible(context, name)?.kind === 'webhook'
  }

  /**
   * The name of a connection of the context that holds this secret: one that was made for it before, or a new one. So what
   * is done again after a crash, or a document that is sent again and again, makes no second one. Undefined where secrets
   * cannot be sealed, or the context is gone.
   */
  async keep({
    context,
    name,
    secret
  }: {
    context: string
    name: string
    secret: string
  }): Promise<string | undefined> {
    const base = connectionName(name)
    for (let n = 1, taken = this.#namesIn(context); ; n++) {
      const numbered = n === 1 ? base : `${base} ${n}`
      const there = taken.get(numbered)
      if (there === undefined) {
        const made = await this.#make({ context, name: numbered, secret })
        if (made !== 'taken') return made
        taken = this.#namesIn(context)
      } else if (this.#holds(there, secret)) return numbered
    }
  }

  /** The secret that a flow in this context means by the name. */
  secretOf(context: string, name: string): string | undefined {
    return this.#library.signingSecret(context, name)
  }

  /**
   * Seals the secret of a draft in the one connection that the draft has: a secret that is half typed when the page saves leaves nothing
   * behind. False where it cannot be sealed, or the context is gone.
   */
  async keepForDraft({ flowId, context, secret }: DraftSecret): Promise<boolean> {
    const name = draftSender(flowId)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const own = this.#ofDraft(flowId)
      if (own?.context === context && this.#holds(own, secret)) return true
      const made =
        own === undefined
          ? await this.#make({ context, name, secret })
          : await this.#replace(own, { context, name, secret })
      if (made !== 'taken') return made !== undefined
    }
    throw new MillraceError(
      'connection_conflict',
      'The signing secret of the draft was saved by others again and again. Save the draft once more.'
    )
  }

  /** The draft is gone, or has no secret of its own any more. */
  async forgetDraft(flowId: string): Promise<void> {
    const own = this.#ofDraft(flowId)
    if (own !== undefined) await this.#library.remove(own.id)
  }

  hasDraft(flowId: string): boolean {
    return this.#ofDraft(flowId) !== undefined
  }

  #ofDraft(flowId: string): Connection | undefined {
    const name = draftSender(flowId)
    return this.#library.list().find((one) => one.name === name && one.kind === 'webhook')
  }

  #namesIn(context: string): ReadonlyMap<string, Connection> {
    const there = this.#library.list().filter((one) => one.context === context)
    return new Map(there.map((one) => [one.name, one]))
  }

  async #replace(
    { id }: Connection,
    { context, name, secret }: { context: string; name: string; secret: string }
  ): Promise<string | 'taken' | undefined> {
    const wanted = { name, kind: 'webhook', context, settings: {}, secrets: { signing_secret: secret } }
    return this.#written(name, () => this.#library.change(id, wanted, { mayTrust: false }))
  }

  async #make({
    context,
    name,
    secret
  }: {
    context: string
    name: string
    secret: string
  }): Promise<string | 'taken' | undefined> {
    const wanted = { name, kind: 'webhook', context, settings: {}, secrets: { signing_secret: secret } }
    return this.#written(name, () => this.#library.create(wanted, { mayTrust: false }))
  }

  async #written(name: string, write: () => Promise<unknown>): Promise<string | 'taken' | undefined> {
    try {
      await write()
      return name
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error
      if (error.code === 'secret_key_missing' || error.code === 'context_not_found') return undefined
      if (!WRITTEN_ELSEWHERE.includes(error.code)) throw error
      // Another process has made, changed or removed it a moment ago.
      await this.#library.load()
      return 'taken'
    }
  }

  #holds(connection: Connection, secret: string): boolean {
    if (connection.kind !== 'webhook' || connection.settings.url !== undefined) return false
    return this.#library.signingSecret(connection.context, connection.name) === secret
  }
}

const MOST_TRIES = 5
const WRITTEN_ELSEWHERE: readonly string[] = [
  'connection_exists',
  'connection_conflict',
  'connection_not_found'
]

/** As connections may be called, with room for a number. */
function connectionName(name: string): string {
  const written = name
    .replace(/[^A-Za-z0-9_. -]+/g, '-')
    .slice(0, 90)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return written === '' ? 'sender' : written
}
