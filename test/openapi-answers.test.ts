import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Answer } from './support/api-client.ts'
import { chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import type { Call } from './support/openapi/call.ts'
import { CONNECTION, callsOf, type Ids } from './support/openapi/sample-calls.ts'
import { upload } from './support/paper-flows.ts'
import { allOperations, type Operation } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

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
  const collected = await service.post('/api/v1/collections', { name: 'texts' })
  const collection = collected.json<{ id: string }>().id
  const signedIn = await service.post('/api/v1/connections', SIGNED_IN)
  const oauth = signedIn.json<{ id: string }>().id
  const waiting = await startWaiting(service)
  const { file } = await upload(service, 'bytes')
  for (const call of callsOf({
    ...waiting,
    flow: flow.id,
    chat: chat.id,
    run: run.id,
    failed: failed.id,
    key: key.id,
    context,
    connection,
    collection,
    file,
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
