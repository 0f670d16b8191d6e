import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Answer } from './support/api-client.ts'
import { chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { allOperations, type Operation } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

/** A call of the operation that is named by its method and path; values fill the path, in order. */
interface Call {
  readonly operation: string
  readonly values?: readonly string[]
  readonly query?: string
  readonly body?: unknown
  readonly status: number
}

/** Streams have no end to wait for. That they are what is described, the test of their type shows. */
const STREAMS = ['GET /api/v1/events', 'GET /api/v1/flows/{id}/events']

describe('what every operation answers', () => {
  it('is what the API says that it answers', async (t) => {
    const service = await startService(t)
    const operations = new Map((await allOperations(service)).map((one) => [nameOf(one), one]))
    const called = new Set(STREAMS)
    for await (const { operation, answer, status } of answersOf(service)) {
      called.add(operation)
      assert.equal(answer.status, status, `${operation}: ${answer.text}`)
      assert.equal(answer.headers.get('cache-control'), 'no-store', operation)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', operation)
      assertDescribed(operations.get(operation) ?? assert.fail(operation), answer)
    }
    assert.deepEqual([...called].sort(), [...operations.keys()].sort())
  })

  it('is a stream where it says so', async (t) => {
    const service = await startService(t)
    const operations = await allOperations(service)
    for (const name of STREAMS) {
      const { description } = operations.find((one) => nameOf(one) === name)!
      assert.deepEqual(Object.keys(contentOf(description.responses!['200'])!), ['text/event-stream'])
    }
    const events = await service.events('orders')
    events.close()
  })
})

async function* answersOf(
  service: Service
): AsyncGenerator<{ operation: string; answer: Answer; status: number }> {
  const flow = await service.createFlow(ordersFlow())
  const chat = await service.createFlow(chatFlow())
  const run = await service.run(flow.slug, JSON.stringify(ORDER))
  const failed = await service.run(flow.slug, '{}')
  const key = await service.createKey({ flow: flow.slug, expires_at: '2099-01-01T00:00:00Z' })
  const made = await service.post('/api/v1/contexts', { name: 'sales', variables: { region: 'eu' } })
  const context = made.json<{ id: string }>().id
  const connected = await service.post('/api/v1/connections', { ...CONNECTION, name: 'bank' })
  const connection = connected.json<{ id: string }>().id
  const signedIn = await service.post('/api/v1/connections', SIGNED_IN)
  const oauth = signedIn.json<{ id: string }>().id
  const waiting = await startWaiting(service)
  for (const call of callsOf({
    ...waiting,
    flow: flow.id,
    chat: chat.id,
    run: run.id,
    failed: failed.id,
    key: key.id,
    context,
    connection,
    oauth
  })) {
    yield { operation: call.operation, status: call.status, answer: await send(service, call) }
  }
}

/** A run that waits for a time, a call and an answer. */
async function startWaiting(service: Service): Promise<Pick<Ids, 'waiting' | 'token' | 'approval'>> {
  const flow = await service.createFlow(WAITS)
  const events = await service.events(flow.id)
  const waiting = await service.start(flow.slug)
  await events.until(({ event }) => event === 'run.waiting')
  events.close()
  const run = (await service.get(`/api/v1/runs/${waiting}`)).json<{ waiting: Record<string, string>[] }>()
  const told = Object.assign({}, ...run.waiting) as Record<string, string>
  return { waiting, token: told.resume_url!.split('/').at(-1)!, approval: told.approval_id! }
}

const WAITS = {
  name: 'Waits',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'later', type: 'delay', fields: { for: '1d' } },
    { id: 'call', type: 'wait-for-call' },
    { id: 'ask', type: 'approve', fields: { question: 'Yes?' } }
  ],
  edges: ['later', 'call', 'ask'].map((node) => ({ from: 'webhook-1.data', to: `${node}.data` }))
}

interface Ids {
  readonly waiting: string
  readonly token: string
  readonly approval: string
  readonly flow: string
  readonly chat: string
  readonly run: string
  readonly failed: string
  readonly key: string
  readonly context: string
  readonly connection: string
  readonly oauth: string
}

const CONNECTION = {
  name: 'shop',
  kind: 'http',
  // Nobody listens there, and no name has to be looked up.
  settings: { base_url: 'http://127.0.0.1:1', auth: 'bearer' },
  secrets: { token: 'a token' }
}

const SIGNED_IN = {
  name: 'crm',
  kind: 'http',
  settings: {
    base_url: 'https://crm.example',
    auth: 'oauth2',
    grant: 'authorization_code',
    token_url: 'https://login.example/token',
    authorize_url: 'https://login.example/authorize',
    client_id: 'millrace'
  }
}

/** Every operation at least once as it is meant, and most of them also as they are refused. */
function callsOf({
  waiting,
  token,
  approval,
  flow,
  chat,
  run,
  failed,
  key,
  context,
  connection,
  oauth
}: Ids): Call[] {
  const version = [flow, '1']
  return [
    { operation: 'GET /livez', status: 200 },
    { operation: 'GET /readyz', status: 200 },
    { operation: 'GET /metrics', status: 200 },
    { operation: 'GET /api/v1/version', status: 200 },
    { operation: 'GET /api/v1/openapi.json', status: 200 },
    { operation: 'POST /api/v1/session', body: { api_key: 'none' }, status: 401 },
    { operation: 'GET /api/v1/session', status: 200 },
    { operation: 'DELETE /api/v1/session', status: 204 },

    { operation: 'POST /api/v1/webhook/{flow}', values: [flow], body: ORDER, status: 202 },
    { operation: 'POST /api/v1/webhook/{flow}', values: ['absent'], status: 404 },
    { operation: 'POST /v1/webhook/{flow}', values: [flow], body: [1], status: 202 },
    { operation: 'POST /api/v1/run/{flow}', values: [flow], body: { input: ORDER }, status: 200 },
    { operation: 'POST /api/v1/run/{flow}', values: [flow], body: { inputs: 1 }, status: 422 },

    { operation: 'GET /api/v1/runs', query: '?limit=2', status: 200 },
    { operation: 'GET /api/v1/runs', query: '?limit=2&steps=true', status: 200 },
    { operation: 'GET /api/v1/runs', query: '?cursor=x', status: 422 },
    { operation: 'GET /api/v1/runs/stats', query: '?buckets=3', status: 200 },
    { operation: 'GET /api/v1/runs/held', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/triggers', values: [flow], status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: [run], status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: [failed], status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/runs/{id}/input', values: [run], status: 200 },
    { operation: 'GET /api/v1/runs/{id}/document', values: [run], status: 200 },
    { operation: 'POST /api/v1/runs/{id}/cancel', values: [run], status: 409 },
    { operation: 'POST /api/v1/runs/{id}/retry', values: [run], status: 409 },
    { operation: 'POST /api/v1/runs/{id}/retry', values: [failed], status: 202 },
    { operation: 'POST /api/v1/runs/{id}/replay', values: [run], status: 202 },

    { operation: 'GET /api/v1/runs', query: '?status=waiting', status: 200 },
    { operation: 'GET /api/v1/runs/{id}', values: [waiting], status: 200 },
    { operation: 'POST /api/v1/runs/{id}/wake', values: [waiting], body: { node: 'later' }, status: 200 },
    { operation: 'POST /api/v1/runs/{id}/wake', values: [waiting], body: { node: 'absent' }, status: 409 },
    { operation: 'POST /api/v1/resume/{token}', values: [token], body: { paid: true }, status: 202 },
    { operation: 'POST /api/v1/resume/{token}', values: [token], status: 410 },
    { operation: 'POST /api/v1/resume/{token}', values: ['absent'], status: 404 },
    { operation: 'GET /api/v1/approvals', query: '?status=open', status: 200 },
    { operation: 'GET /api/v1/approvals', query: '?cursor=x', status: 422 },
    { operation: 'POST /api/v1/approvals/{id}', values: [approval], body: { choice: 'No' }, status: 422 },
    {
      operation: 'POST /api/v1/approvals/{id}',
      values: [approval],
      body: { choice: 'Approve' },
      status: 200
    },
    {
      operation: 'POST /api/v1/approvals/{id}',
      values: [approval],
      body: { choice: 'Approve' },
      status: 409
    },
    { operation: 'GET /api/v1/approvals/{id}', values: [approval], status: 200 },
    { operation: 'GET /api/v1/approvals/{id}', values: ['absent'], status: 404 },

    { operation: 'GET /api/v1/flows', query: '?recent=3&drafts=true&triggers=true', status: 200 },
    { operation: 'POST /api/v1/flows', body: ordersFlow({ name: 'One more' }), status: 201 },
    { operation: 'POST /api/v1/flows', body: { name: 7, nodes: [{}] }, status: 422 },
    { operation: 'GET /api/v1/flows/{id}', values: [flow], status: 200 },
    { operation: 'PUT /api/v1/flows/{id}', values: [flow], body: ordersFlow({ version: 1 }), status: 200 },
    { operation: 'PUT /api/v1/flows/{id}', values: [flow], body: ordersFlow({ version: 1 }), status: 409 },
    { operation: 'PUT /api/v1/flows/{id}/draft', values: [flow], body: { nodes: [{}] }, status: 200 },
    { operation: 'PUT /api/v1/flows/{id}/draft', values: [flow], body: { nodes: [] }, status: 409 },
    { operation: 'PUT /api/v1/flows/{id}/draft', values: [flow], body: { nodes: 1 }, status: 422 },
    { operation: 'GET /api/v1/flows/{id}/draft', values: [flow], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/draft/changes', values: [flow], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { input: ORDER }, status: 422 },
    { operation: 'DELETE /api/v1/flows/{id}/draft', values: [flow], query: '?revision=9', status: 409 },
    { operation: 'DELETE /api/v1/flows/{id}/draft', values: [flow], status: 204 },
    { operation: 'GET /api/v1/flows/{id}/draft', values: [flow], status: 404 },
    { operation: 'GET /api/v1/flows/{id}/draft', values: [flow], query: '?or_none=true', status: 204 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { input: ORDER }, status: 200 },
    { operation: 'GET /api/v1/runs', query: '?test=true', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/draft/changes', values: [flow], status: 404 },
    { operation: 'POST /api/v1/flows/{id}/publish', values: [flow], status: 404 },
    { operation: 'POST /api/v1/flows/{id}/publish/undo', values: [flow], status: 409 },
    {
      operation: 'POST /api/v1/flows/{id}/draft/restore',
      values: [flow],
      body: { version: 1 },
      status: 200
    },
    {
      operation: 'POST /api/v1/flows/{id}/publish',
      values: [flow],
      body: { name: 'Again', note: 'As it was', revision: 2 },
      status: 200
    },
    { operation: 'GET /api/v1/flows/{id}/versions', values: [flow], query: '?named=true', status: 200 },
    { operation: 'POST /api/v1/flows/{id}/publish/undo', values: [flow], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/versions', values: [flow], query: '?limit=2', status: 200 },
    { operation: 'GET /api/v1/flows/{id}/versions', values: [flow], query: '?cursor=x', status: 422 },
    { operation: 'GET /api/v1/flows/{id}/versions/{version}', values: version, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/versions/{version}/restore', values: version, status: 200 },
    { operation: 'GET /api/v1/flows/{id}/messages', values: [flow], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/nodes/{node}/output', values: [flow, 'parser-1'], status: 200 },
    { operation: 'GET /api/v1/flows/{id}/nodes/{node}/output', values: [flow, 'absent'], status: 404 },
    {
      operation: 'GET /api/v1/flows/{id}/nodes/{node}/output',
      values: [flow, 'absent'],
      query: '?or_none=true',
      status: 204
    },
    { operation: 'POST /api/v1/flows/{id}/nodes/{node}/run', values: [flow, 'parser-1'], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/nodes/{node}/run', values: [flow, 'absent'], status: 404 },
    {
      operation: 'PUT /api/v1/flows/{id}/pins/{node}',
      values: [flow, 'parser-1'],
      body: { outputs: { parsed_text: 'x' } },
      status: 200
    },
    { operation: 'PUT /api/v1/flows/{id}/pins/{node}', values: [flow, 'parser-1'], body: {}, status: 422 },
    { operation: 'GET /api/v1/flows/{id}/pins', values: [flow], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { node: 'parser-1' }, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/test', values: [flow], body: { node: 'absent' }, status: 404 },
    { operation: 'DELETE /api/v1/flows/{id}/pins/{node}', values: [flow, 'parser-1'], status: 204 },
    { operation: 'PUT /api/v1/kept/value', values: [], query: '?key=a', body: { value: [1] }, status: 200 },
    { operation: 'PUT /api/v1/kept/value', values: [], query: '?key=a', body: {}, status: 422 },
    { operation: 'GET /api/v1/kept/value', values: [], query: '?key=a', status: 200 },
    { operation: 'GET /api/v1/kept/value', values: [], query: '?key=b', status: 404 },
    { operation: 'GET /api/v1/kept', values: [], status: 200 },
    { operation: 'DELETE /api/v1/kept/value', values: [], query: '?key=a', status: 204 },
    { operation: 'POST /api/v1/flows/{id}/chat', values: [chat], body: { text: 'Hello' }, status: 202 },
    { operation: 'POST /api/v1/flows/{id}/pause', values: [flow], body: { mode: 'refuse' }, status: 200 },
    { operation: 'POST /api/v1/webhook/{flow}', values: [flow], status: 503 },
    { operation: 'POST /api/v1/flows/{id}/pause', values: [flow], body: { mode: 'hold' }, status: 200 },
    { operation: 'POST /api/v1/run/{flow}', values: [flow], status: 202 },
    { operation: 'POST /api/v1/flows/{id}/resume', values: [flow], status: 200 },
    { operation: 'POST /api/v1/flows/{id}/slug', values: [flow], body: { slug: 'moved' }, status: 200 },
    { operation: 'POST /api/v1/flows/{id}/slug', values: [flow], body: { slug: 'orders' }, status: 409 },
    { operation: 'POST /api/v1/flows/{id}/slug', values: [flow], body: { slug: 'No slug' }, status: 422 },
    { operation: 'POST /v1/webhook/{flow}', values: ['orders-again'], body: [1], status: 202 },
    { operation: 'GET /api/v1/flows/{id}/aliases', values: [flow], status: 200 },
    {
      operation: 'DELETE /api/v1/flows/{id}/aliases/{slug}',
      values: [flow, 'orders-again'],
      status: 204
    },
    {
      operation: 'DELETE /api/v1/flows/{id}/aliases/{slug}',
      values: [flow, 'orders-again'],
      status: 404
    },
    { operation: 'DELETE /api/v1/flows/{id}', values: [flow], status: 204 },
    { operation: 'GET /api/v1/flows', query: '?deleted=true', status: 200 },
    { operation: 'POST /api/v1/flows/{id}/undelete', values: [flow], status: 200 },
    { operation: 'DELETE /api/v1/flows/{id}', values: [flow], query: '?permanent=true', status: 409 },
    {
      operation: 'POST /api/v1/flows/bulk',
      body: { action: 'tag', tags: ['shop'], ids: [flow, 'absent'] },
      status: 200
    },
    { operation: 'POST /api/v1/flows/bulk', body: { action: 'move', ids: [flow] }, status: 422 },

    { operation: 'GET /api/v1/components', query: '?context=/', status: 200 },
    {
      operation: 'POST /api/v1/components/{type}/inputs',
      values: ['prompt'],
      body: { fields: { template: '{a} and {b}' } },
      status: 200
    },
    { operation: 'GET /api/v1/contexts', status: 200 },
    { operation: 'POST /api/v1/contexts', body: { name: 'support', limits: { rate_limit: 5 } }, status: 201 },
    { operation: 'GET /api/v1/contexts/explain', query: '?kind=component&name=parser', status: 200 },
    { operation: 'GET /api/v1/contexts/explain', query: '?kind=variable&name=region', status: 200 },
    { operation: 'GET /api/v1/contexts/{context}', values: [context], status: 200 },
    {
      operation: 'PATCH /api/v1/contexts/{context}',
      values: [context],
      body: { name: 'trade' },
      status: 200
    },
    { operation: 'DELETE /api/v1/contexts/{context}', values: [context], status: 204 },

    { operation: 'GET /api/v1/connections', status: 200 },
    { operation: 'POST /api/v1/connections', body: CONNECTION, status: 201 },
    { operation: 'POST /api/v1/connections', body: CONNECTION, status: 409 },
    { operation: 'GET /api/v1/connections/kinds', status: 200 },
    { operation: 'GET /api/v1/connections/visible', query: '?context=/', status: 200 },
    { operation: 'GET /api/v1/connections/visible', query: '?context=/absent', status: 404 },
    { operation: 'GET /api/v1/connections/tables', query: '?connection=absent', status: 404 },
    { operation: 'GET /api/v1/connections/models', query: '?connection=absent', status: 404 },
    { operation: 'GET /api/v1/connections/uses', status: 200 },
    { operation: 'GET /api/v1/connections/uses', query: '?flow=absent', status: 404 },
    { operation: 'GET /api/v1/connections/{id}', values: [connection], status: 200 },
    { operation: 'GET /api/v1/connections/{id}', values: ['absent'], status: 404 },
    {
      operation: 'PUT /api/v1/connections/{id}',
      values: [connection],
      body: { ...CONNECTION, name: 'b' },
      status: 200
    },
    { operation: 'POST /api/v1/connections/{id}/test', values: [connection], status: 200 },
    { operation: 'POST /api/v1/connections/{id}/sign-in', values: [oauth], status: 200 },
    { operation: 'POST /api/v1/connections/{id}/sign-in', values: [connection], status: 409 },
    { operation: 'POST /api/v1/connections/{id}/test', values: ['absent'], status: 404 },
    { operation: 'DELETE /api/v1/connections/{id}', values: [connection], status: 204 },

    { operation: 'GET /api/v1/keys', status: 200 },
    { operation: 'POST /api/v1/keys', body: { name: 'shop' }, status: 201 },
    { operation: 'DELETE /api/v1/keys/{id}', values: [key], status: 204 }
  ]
}

function send(service: Service, { operation, values = [], query = '', body }: Call): Promise<Answer> {
  const [method, template] = operation.split(' ') as [string, string]
  const left = [...values]
  const path = template.replace(/\{\w+\}/g, () => left.shift()!)
  return service.request(method, path + query, { body })
}

function assertDescribed(operation: Operation, answer: Answer): void {
  const { responses = {} } = operation.description
  const what = `${nameOf(operation)} ${answer.status}`
  const content = contentOf(responses[answer.status] ?? responses.default ?? assert.fail(what))
  const type = answer.headers.get('content-type')?.split(';', 1)[0]
  if (content === undefined) return assert.deepEqual([type, answer.text], [undefined, ''], what)
  const { schema } = content[type ?? ''] ?? assert.fail(`${what} is ${type}`)
  const value = type!.endsWith('json') ? answer.json() : answer.text
  assert.deepEqual([...Value.Errors(schema, value)], [], `${what}: ${answer.text}`)
}

function contentOf(response: unknown): Readonly<Record<string, { schema: TSchema }>> | undefined {
  return (response as { content?: Record<string, { schema: TSchema }> }).content
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}
