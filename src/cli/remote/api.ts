import { type JsonValue, parseJson, writeJson } from '../../flows/json/exact-json.ts'
import type { Destination } from './destination.ts'
import { ApiRefusal, notMillrace, slow, unreachable } from './refusals.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface Request {
  readonly method?: string
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  /** A value is sent as JSON, bytes as they are. */
  readonly body?: unknown
  readonly timeoutMs?: number
}

interface Connected extends Destination {
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000

/** The API of one service. */
export class Api {
  readonly #connected: Connected
  readonly url: string
  readonly from: string
  readonly hasKey: boolean
  readonly #key: string | null
  readonly #signal: AbortSignal
  readonly #timeoutMs: number

  constructor(connected: Connected) {
    const { url, key, from, signal, timeoutMs = TIMEOUT_MS } = connected
    this.#connected = connected
    this.url = url
    this.from = from
    this.hasKey = key !== null
    this.#key = key
    this.#signal = signal
    this.#timeoutMs = timeoutMs
  }

  /** The same service; what is asked of it goes on when the command is ended. */
  unhurried(): Api {
    return new Api({ ...this.#connected, signal: new AbortController().signal })
  }

  /** What the service answers, as JSON with every digit; null where it answers nothing. */
  async call<T = JsonValue>(path: string, request: Request = {}): Promise<T> {
    const response = await this.fetch(path, request)
    const text = await this.#read(response.text())
    if (text === '') return null as T
    try {
      return parseJson(text) as T
    } catch {
      throw notMillrace(this)
    }
  }

  async bytes(path: string): Promise<Uint8Array> {
    const response = await this.fetch(path, {})
    return new Uint8Array(await this.#read(response.arrayBuffer()))
  }

  /** An answer that is good; any other one is thrown. The time limit is for its beginning. */
  async fetch(path: string, request: Request): Promise<Response> {
    const response = await this.send(path, request)
    if (response.ok) return response
    throw new ApiRefusal(response, await this.#read(response.text()), this)
  }

  /** Whatever is answered. */
  async send(
    path: string,
    { method = 'GET', query = {}, headers = {}, body, timeoutMs }: Request
  ): Promise<Response> {
    const started = new AbortController()
    const limit = setTimeout(() => started.abort(), timeoutMs ?? this.#timeoutMs)
    try {
      return await fetch(this.#address(path, query), {
        method,
        headers: { ...this.#ownHeaders(body), ...headers },
        signal: AbortSignal.any([this.#signal, started.signal]),
        redirect: 'manual',
        ...(body === undefined ? {} : { body: bytesOf(body) })
      })
    } catch (error) {
      this.#signal.throwIfAborted()
      throw started.signal.aborted ? slow(this, timeoutMs ?? this.#timeoutMs) : unreachable(this, error)
    } finally {
      clearTimeout(limit)
    }
  }

  #address(path: string, query: Query): URL {
    const url = new URL(`${this.url}${path}`)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return url
  }

  #ownHeaders(body: unknown): Record<string, string> {
    return {
      accept: 'application/json',
      ...(this.#key === null ? {} : { 'x-api-key': this.#key }),
      ...(body === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' })
    }
  }

  /** A connection that breaks in the middle of an answer says no more than that. */
  async #read<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      this.#signal.throwIfAborted()
      throw unreachable(this, error)
    }
  }
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array ? new Uint8Array(body) : new TextEncoder().encode(writeJson(body))
}
