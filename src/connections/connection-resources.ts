import type { Clock } from '../clock.ts'
import type { ConnectionResource, OpenConnection } from '../flows/step/step-connection.ts'
import type { Connection } from './connection.ts'

/** For so long something stays open that nobody uses. */
const IDLE_MS = 60_000

interface Opened {
  readonly connection: string
  readonly revision: number
  readonly value: Promise<unknown>
  readonly close: (value: unknown) => void | Promise<void>
  users: number
  /** No further step gets it. */
  isRetired: boolean
  isClosed: boolean
  idle: { stop(): void } | undefined
}

/**
 * What is costly to make for a connection and shared by all who use it: pools, workers. Each belongs to one revision of
 * its connection; a later revision retires it, and it is closed when its last user is done.
 */
export class ConnectionResources {
  readonly #clock: Pick<Clock, 'startTimer'>
  readonly #onError: (error: unknown, doing: string) => void
  readonly #open = new Map<ConnectionResource<unknown>, Map<string, Opened>>()
  /** Still in use, by nobody new. */
  readonly #retired = new Set<Opened>()
  readonly #closing = new Set<Promise<void>>()

  constructor(clock: Pick<Clock, 'startTimer'>, onError: (error: unknown, doing: string) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  async use<T, R>(
    connection: Pick<Connection, 'id' | 'revision'>,
    resource: ConnectionResource<T>,
    { open, work }: { readonly open: OpenConnection; readonly work: (opened: T) => R | Promise<R> }
  ): Promise<R> {
    const opened = this.#get(connection, resource, open)
    opened.users++
    opened.idle?.stop()
    try {
      return await work((await opened.value) as T)
    } finally {
      opened.users--
      this.#release(opened, resource as ConnectionResource<unknown>)
    }
  }

  /** Closes all of them, those in use included: the service stops. */
  async close(): Promise<void> {
    for (const [resource, byConnection] of this.#open) {
      for (const opened of byConnection.values()) this.#retire(opened, resource)
    }
    for (const opened of this.#retired) this.#closeNow(opened)
    await Promise.all(this.#closing)
  }

  #get<T>(
    { id, revision }: Pick<Connection, 'id' | 'revision'>,
    resource: ConnectionResource<T>,
    open: OpenConnection
  ): Opened {
    const key = resource as ConnectionResource<unknown>
    const byConnection = this.#open.get(key) ?? new Map<string, Opened>()
    this.#open.set(key, byConnection)
    const known = byConnection.get(id)
    if (known?.revision === revision) return known
    if (known !== undefined) this.#retire(known, key)
    const value = Promise.resolve().then(() => resource.open(open))
    const opened: Opened = {
      connection: id,
      revision,
      value,
      close: (made) => resource.close(made as T),
      users: 0,
      isRetired: false,
      isClosed: false,
      idle: undefined
    }
    byConnection.set(id, opened)
    value.catch(() => {
      // Tried anew by the next step.
      opened.isRetired = true
      this.#forget(opened, key)
    })
    return opened
  }

  #release(opened: Opened, resource: ConnectionResource<unknown>): void {
    if (opened.users > 0) return
    if (opened.isRetired) return this.#closeNow(opened)
    opened.idle = this.#clock.startTimer(IDLE_MS, () => this.#retire(opened, resource))
  }

  #retire(opened: Opened, resource: ConnectionResource<unknown>): void {
    opened.idle?.stop()
    opened.isRetired = true
    this.#forget(opened, resource)
    if (opened.users === 0) this.#closeNow(opened)
    else this.#retired.add(opened)
  }

  #forget(opened: Opened, resource: ConnectionResource<unknown>): void {
    const byConnection = this.#open.get(resource)
    if (byConnection?.get(opened.connection) !== opened) return
    byConnection.delete(opened.connection)
    if (byConnection.size === 0) this.#open.delete(resource)
  }

  #closeNow(opened: Opened): void {
    this.#retired.delete(opened)
    if (opened.isClosed) return
    opened.isClosed = true
    const closing = opened.value
      .then(
        (value) => opened.close(value),
        () => undefined
      )
      .catch((error) => this.#onError(error, 'closing what a connection had opened'))
      .finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}
