import assert from 'node:assert/strict'
import type { Lifetime } from './clean-up.ts'
import { type EventReader, openEvents } from './event-reader.ts'
import { sendRequest } from './http-request.ts'

/** What the service answered: the text as it came over the wire, and what it says. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly text: string
  json<T = Record<string, unknown>>(): T
}

export interface RequestOptions {
  /** Bytes and chunks go as they are and without a Content-Type; anything else goes as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Null sends none; absent sends the key with full rights. */
  readonly key?: string | null
}

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors?: readonly { code: string; path: string; message: string; [more: string]: unknown }[]
}

export interface StepBody {
  readonly node: string
  readonly type: string
  readonly status: string
  readonly attempts: number
  readonly started_at: string | null
  readonly duration_ms: number | null
  readonly outputs: Record<string, unknown> | null
  readonly error: { code: string; message: string } | null
}

export interface RunBody {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly trigger: string
  readonly session: string
  readonly status: string
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly replay_of: string | null
  readonly parent: { readonly run_id: string; readonly node: string; readonly index: number } | null
  readonly summary: string
  readonly input: unknown
  readonly error: { node: string; code: string; message: string } | null
  readonly steps: readonly StepBody[]
  readonly request: Record<string, unknown> | null
  readonly attempts: readonly AttemptBody[]
  readonly messages: readonly { node: string; session: string; sender: string; text: string }[]
}

export interface AttemptBody {
  readonly node: string
  readonly attempt: number
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly retry_at: string | null
  readonly error: { code: string; message: string } | null
}

export interface FlowBody {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly slug: string
  readonly context: string
  readonly nodes: readonly Record<string, unknown>[]
  readonly edges: readonly { from: string; to: string }[]
  readonly created_at: string
  readonly updated_at: string
  readonly paused: { readonly mode: string; readonly since: string; readonly by: string } | null
  readonly aliases: readonly string[]
  readonly warnings?: readonly { code: string; path: string; node?: string; message: string }[]
}

export interface KeyOptions {
  readonly name?: string
  readonly rights?: readonly string[]
  readonly flow?: string
  readonly context?: string
  readonly expires_at?: string
}

/** Runs in these states are not over. */
const OPEN = ['queued', 'in progress', 'waiting']

/** A client of one service, as somebody outside would write it. */
export class ApiClient {
  readonly address: string
  readonly key: string
  readonly #test: Lifetime

  constructor(test: Lifetime, address: string, key: string) {
    this.#test = test
    this.address = address
    this.key = key
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { key = this.key } = options
    const { body, type } = bodyOf(options.body)
    const headers = {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(key === null ? {} : { 'x-api-key': key }),
      ...options.headers
    }
    const url = this.address + path
    const sent = { method, url, headers, ...(body === undefined ? {} : { body }) }
    const response = await sendRequest(sent)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    return {
      status: response.statusCode!,
      statusText: response.statusMessage!,
      headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
      text,
      json: <T>() => JSON.parse(text) as T
    }
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, options)
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', path, { body, ...options })
  }

  /** Sends bytes to the webhook; text is sent as its bytes, so that nothing names a Content-Type. */
  webhook(flow: string, body: unknown = '{}', options: RequestOptions = {}): Promise<Answer> {
    const sent = typeof body === 'string' ? Buffer.from(body) : body
    return this.request('POST', `/api/v1/webhook/${flow}`, { body: sent, ...options })
  }

  /** Starts a run by webhook and returns its id. */
  async start(flow: string, body?: unknown, options?: RequestOptions): Promise<string> {
    const answer = await this.webhook(flow, body, options)
    assert.equal(answer.status, 202, answer.text)
    return answer.json<{ run_id: string }>().run_id
  }

  /** Starts a run by webhook and returns it when it has ended. */
  async run(flow: string, body?: unknown, options: RequestOptions = {}): Promise<RunBody> {
    const headers = { prefer: 'wait=30', ...options.headers }
    return this.readRun(await this.start(flow, body, { ...options, headers }))
  }

  async readRun(id: string): Promise<RunBody> {
    const answer = await this.get(`/api/v1/runs/${id}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json<RunBody>()
  }

  /** The run when it has ended. It looks again whenever an event says that the run ended. */
  async waitForRun(id: string): Promise<RunBody> {
    const first = await this.readRun(id)
    if (!OPEN.includes(first.status)) return first
    const events = await this.events(first.flow_id, { lastEventId: '0.0' })
    for (;;) {
      const run = await this.readRun(id)
      if (!OPEN.includes(run.status)) {
        events.close()
        return run
      }
      await events.until(({ event, data }) => event === 'run.ended' && data.run_id === id)
    }
  }

  events(flow: string, options: { lastEventId?: string; key?: string } = {}): Promise<EventReader> {
    const { key = this.key, lastEventId } = options
    const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const url = `${this.address}/api/v1/flows/${flow}/events`
    return openEvents(this.#test, url, { 'x-api-key': key, ...resume })
  }

  /** Events of every flow that the key may read. */
  allEvents(options: { lastEventId?: string; key?: string } = {}): Promise<EventReader> {
    const { key = this.key, lastEventId } = options
    const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    return openEvents(this.#test, `${this.address}/api/v1/events`, { 'x-api-key': key, ...resume })
  }

  async createFlow(document: Readonly<Record<string, unknown>>): Promise<FlowBody> {
    const answer = await this.post('/api/v1/flows', document)
    assert.equal(answer.status, 201, answer.text)
    return answer.json<FlowBody>()
  }

  /** Saves the flow with some members changed. */
  async saveFlow(flow: FlowBody, changes: Readonly<Record<string, unknown>>): Promise<FlowBody> {
    const answer = await this.request('PUT', `/api/v1/flows/${flow.id}`, { body: { ...flow, ...changes } })
    assert.equal(answer.status, 200, answer.text)
    return answer.json<FlowBody>()
  }

  async createKey(options: KeyOptions = {}): Promise<{ id: string; key: string }> {
    const answer = await this.post('/api/v1/keys', { name: 'a key', ...options })
    assert.equal(answer.status, 201, answer.text)
    return answer.json<{ id: string; key: string }>()
  }
}

function bodyOf(body: unknown): { body?: Uint8Array | Iterable<Uint8Array>; type?: string } {
  if (body === undefined) return {}
  if (body instanceof Uint8Array || body instanceof Chunks) return { body }
  return { body: Buffer.from(JSON.stringify(body)), type: 'application/json' }
}

/** A body that is sent in chunks, so that nobody knows its length beforehand. */
export class Chunks {
  readonly #chunks: readonly Uint8Array[]

  constructor(...chunks: readonly Uint8Array[]) {
    this.#chunks = chunks
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.#chunks.values()
  }
}

/** The problem document of a refused request; everything that every one of them must have is checked. */
export function problemOf(answer: Answer, status: number, code: string): Problem {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json\b/)
  const problem = answer.json<Problem>()
  assert.equal(problem.code, code, answer.text)
  assert.equal(problem.status, status)
  assert.equal(typeof problem.type, 'string')
  assert.ok(problem.title.length > 0)
  assert.ok(problem.detail.length > 0)
  return problem
}
