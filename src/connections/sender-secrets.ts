import { MillraceError } from '../errors.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLibrary } from './connection-library.ts'

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
    for (let n = 1; ; n++) {
      const numbered = n === 1 ? base : `${base} ${n}`
      const taken = this.#library.list().find((one) => one.context === context && one.name === numbered)
      if (taken === undefined) {
        const made = await this.#make({ context, name: numbered, secret })
        if (made !== 'taken') return made
      } else if (this.#holds(taken, secret)) return numbered
    }
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
    try {
      await this.#library.create(wanted, { mayTrust: false })
      return name
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error
      if (error.code === 'secret_key_missing' || error.code === 'context_not_found') return undefined
      if (error.code !== 'connection_exists') throw error
      // Another process has made it a moment ago.
      await this.#library.load()
      return 'taken'
    }
  }

  #holds(connection: Connection, secret: string): boolean {
    if (connection.kind !== 'webhook' || connection.settings.url !== undefined) return false
    return this.#library.signingSecret(connection.context, connection.name) === secret
  }
}

/** As connections may be called, with room for a number. */
function connectionName(name: string): string {
  const written = name
    .replace(/[^A-Za-z0-9_. -]+/g, '-')
    .slice(0, 90)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return written === '' ? 'sender' : written
}
