import { jsonIn, writeJson } from '../../../src/flows/json/exact-json.ts'
import { readProblem, unreachable } from './problem.ts'

interface RequestOptions {
  /** Sent as JSON, exact numbers with all their digits. */
  readonly body?: unknown
  /** Sent as it is, byte for byte: a payload that a person wrote, a file. */
  readonly text?: string | Blob
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** The public API, as the page calls it. Paths are below /api/v1, without a slash at their beginning. */
export interface Api {
  /** Where the page and its service are, with a slash at the end: `https://host/prefix/`. */
  readonly base: string
  get<T>(path: string, query?: Query, options?: Pick<RequestOptions, 'signal'>): Promise<T>
  post<T>(path: string, options?: RequestOptions): Promise<T>
  /** A POST whose answer comes piece by piece; a refusal is thrown. */
  stream(path: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>>
  put<T>(path: string, options?: RequestOptions): Promise<T>
  patch<T>(path: string, options?: RequestOptions): Promise<T>
  delete(path: string): Promise<void>
  /** The full address of something below /api/v1, for people and for event streams. */
  address(path: string, query?: Query): string
  /** Below the service's root, for what is not part of /api/v1: `readyz`, `metrics`. */
  getPlain(path: string): Promise<Response>
}

interface ApiOptions {
  readonly base: string
  /** The service does not know us any more: the session ended, or its key was revoked. */
  readonly onSignedOut: () => void
}

export function createApi({ base, onSignedOut }: ApiOptions): Api {
  const address = (path: string, query: Query = {}) => {
    const url = new URL(`api/v1/${path}`, base)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value))
    }
    return url.href
  }
  const refusal = (response: Response, body: unknown) => {
    if (response.status === 401) onSignedOut()
    return readProblem(response.status, response.statusText, body)
  }
  const send = async <T>(method: string, url: string, options: RequestOptions = {}): Promise<T> => {
    const response = await reach(url, requestOf(method, options))
    const body = await readBody(response)
    if (response.ok) return body as T
    throw refusal(response, body)
  }
  const stream: Api['stream'] = async (path, options = {}) => {
    const response = await reach(address(path), requestOf('POST', options))
    if (response.ok && response.body !== null) return response.body
    throw refusal(response, await readBody(response))
  }
  return {
    base,
    address,
    get: (path, query, options) => send('GET', address(path, query), options),
    post: (path, options) => send('POST', address(path), options),
    stream,
    put: (path, options) => send('PUT', address(path), options),
    patch: (path, options) => send('PATCH', address(path), options),
    delete: (path) => send('DELETE', address(path)),
    getPlain: (path) => reach(new URL(path, base).href, { credentials: 'same-origin' })
  }
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw unreachable()
  }
}

function requestOf(method: string, { body, text, headers, signal }: RequestOptions): RequestInit {
  const sent = text ?? (body === undefined ? undefined : writeJson(body))
  return {
    method,
    credentials: 'same-origin',
    headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal === undefined ? {} : { signal })
  }
}

/** Numbers keep every digit that the service sent: a payload is shown as it arrived. */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  const value = jsonIn(text)
  return value === undefined ? text : value
}
