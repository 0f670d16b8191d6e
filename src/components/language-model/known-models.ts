import type { ConnectionResource, OpenConnection } from '../../plugin-api.ts'
import { askPlainly } from './chat/plain-first.ts'
import type { ModelFetch } from './model-fetch.ts'
import {
  type Answered,
  chatOf,
  type Fetch,
  type Model,
  type ModelOptions,
  modelOf
} from './model-providers.ts'

/** A model as all that ask it share it. */
type SharedModel = Awaited<ReturnType<typeof modelOf>>

const MOST_KNOWN = 100

/**
 * Models behind a connection, by name. The packages build the schemas of their answers anew for each model, which took a tenth of what a
 * call of an agent took; so one is made for all calls, and each call brings the fetch that it is sent with.
 */
class KnownModels {
  readonly #models = new Map<string, Promise<SharedModel>>()
  /** Of calls that were not answered yet, by their idempotency keys. */
  readonly #fetches = new Map<string, Fetch>()

  async of(
    connection: OpenConnection,
    name: string,
    calls: Pick<ModelFetch, 'fetch' | 'open'>
  ): Promise<Model> {
    const model = await this.#shared(connection, name)
    const { supportedUrls } = model
    const bySdk = (options: ModelOptions, fetch: Fetch) => this.#bySdk(model, options, fetch)
    if (connection.kind !== 'openai-compatible')
      return { supportedUrls, doStream: (options) => bySdk(options, calls.fetch) }
    const chat = { name, bySdk, ...chatOf(connection) }
    return { supportedUrls, doStream: (options) => askPlainly(chat, options, calls) }
  }

  async #bySdk(model: Model, options: ModelOptions, fetch: Fetch): Promise<Answered> {
    const key = keyOf(options)
    this.#fetches.set(key, fetch)
    try {
      return await model.doStream(options)
    } finally {
      // An attempt that was given up may end after the next one has begun.
      if (this.#fetches.get(key) === fetch) this.#fetches.delete(key)
    }
  }

  #shared(connection: OpenConnection, name: string): Promise<SharedModel> {
    const known = this.#models.get(name)
    if (known !== undefined) return known
    if (this.#models.size === MOST_KNOWN) this.#models.clear()
    const made = modelOf(connection, name, (url, init) => this.#fetchOf(init)(url, init))
    this.#models.set(name, made)
    made.catch(() => this.#models.delete(name))
    return made
  }

  #fetchOf(init: RequestInit | undefined): Fetch {
    const fetch = this.#fetches.get(new Headers(init?.headers).get(KEY) ?? '')
    if (fetch === undefined) throw new Error('a model was asked without an idempotency key')
    return fetch
  }
}

const KEY = 'idempotency-key'

function keyOf({ headers }: ModelOptions): string {
  const key = headers?.[KEY]
  if (key === undefined) throw new Error('a model is asked with an idempotency key')
  return key
}

const MODELS: ConnectionResource<KnownModels> = { open: () => new KnownModels(), close: () => {} }

/** The model of this name behind the connection. What it is asked, by an idempotency key of its own, is sent by these calls. */
export function knownModel(
  connection: OpenConnection,
  name: string,
  calls: Pick<ModelFetch, 'fetch' | 'open'>
): Promise<Model> {
  return connection.withResource(MODELS, (known) => known.of(connection, name, calls))
}
