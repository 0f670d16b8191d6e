import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeContext } from './support/contexts.ts'
import { callFlow, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { allOperations } from './support/routes.ts'
import { type Service, startService } from './support/service.ts'

/** In a document, in a variable of its context, and in the payloads of its runs. */
const PRIVATE = 'only-for-those-who-may-read'

/**
 * Answer what the caller sent itself, what the contract gives to whoever waits for a run or administers connections, or
 * what is no right's.
 */
const OTHERS = [
  'POST /api/v1/flows',
  'PUT /api/v1/flows/{id}',
  'PUT /api/v1/flows/{id}/draft',
  'POST /api/v1/run/{flow}',
  'POST /v1/chat/completions',
  'POST /api/v1/mcp',
  'POST /api/v1/files',
  '/api/v1/session'
]

type Call = [operation: string, path: string, status: number, body?: unknown]

it('a key without the right to read gets nothing to read from routes that change something', async (t) => {
  const service = await startService(t, { plugins: ['call.ts'] })
  const outside = await startOutside(t)
  const eu = await makeContext(service, '/eu', { variables: { secret: PRIVATE } })
  const document = { ...callFlow(outside.url()), context: '/eu', description: PRIVATE }
  const flow = await service.createFlow(document)
  const half = { ...document, slug: PRIVATE.toUpperCase() }
  await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: half })
  const run = await service.start(flow.slug, JSON.stringify(PRIVATE))
  await outside.next()
  const { id: waiting, approval } = await startAsking(service)
  const { key } = await service.createKey({ rights: ['trigger', 'write', 'admin'] })
  const { id: spare } = await service.createKey({ rights: ['trigger'] })

  const { id: collection } = (await service.post('/api/v1/collections', { name: 'mine' })).json<{
    id: string
  }>()

  const comment = await service.post(`/api/v1/flows/${flow.id}/comments`, { text: PRIVATE })
  const { id: written } = comment.json<{ id: string }>()

  const calls: Call[] = [
    ['POST /api/v1/webhook/{flow}', `/api/v1/webhook/${flow.id}`, 202, PRIVATE],
    ['POST /v1/webhook/{flow}', `/v1/webhook/${flow.id}`, 202, PRIVATE],
    ...['PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      ['/api/v1', '/v1'].map(
        (prefix): Call => [`${method} ${prefix}/webhook/{flow}`, `${prefix}/webhook/${flow.id}`, 405, PRIVATE]
      )
    ),
    ['POST /api/v1/flows/{id}/send', `/api/v1/flows/${flow.id}/send`, 200, { body: '{}' }],
    ['POST /api/v1/flows/{id}/chat', `/api/v1/flows/${flow.id}/chat`, 409, { text: 'x' }],
    ['POST /api/v1/runs/{id}/cancel', `/api/v1/runs/${run}/cancel`, 204],
    ['POST /api/v1/runs/{id}/cancel', `/api/v1/runs/${run}/cancel`, 409],
    ['POST /api/v1/runs/{id}/retry', `/api/v1/runs/${run}/retry`, 202],
    ['POST /api/v1/runs/{id}/replay', `/api/v1/runs/${run}/replay`, 202],
    [
      'POST /api/v1/runs/{id}/nodes/{node}/replay',
      `/api/v1/runs/${run}/nodes/call-1/replay`,
      409,
      { call: 1, result: PRIVATE }
    ],
    ['POST /api/v1/runs/{id}/wake', `/api/v1/runs/${waiting}/wake`, 204, { node: 'later' }],
    ['POST /api/v1/approvals/{id}', `/api/v1/approvals/${approval}`, 204, { choice: 'Approve' }],
    ['POST /api/v1/approvals/{id}', `/api/v1/approvals/${approval}`, 409, { choice: 'Approve' }],
    ['POST /api/v1/resume/{token}', `/api/v1/resume/absent`, 404],
    [
      'POST /api/v1/flows/{id}/versions/{version}/restore',
      `/api/v1/flows/${flow.id}/versions/1/restore`,
      204
    ],
    ['POST /api/v1/flows/{id}/publish', `/api/v1/flows/${flow.id}/publish`, 422],
    ['POST /api/v1/flows/{id}/test', `/api/v1/flows/${flow.id}/test`, 422],
    [
      'POST /api/v1/flows/{id}/assistant',
      `/api/v1/flows/${flow.id}/assistant`,
      403,
      { connection: 'x', model: 'x', words: 'x', document }
    ],
    ['POST /api/v1/flows/{id}/draft/rehearsal', `/api/v1/flows/${flow.id}/draft/rehearsal`, 422],
    ['POST /api/v1/flows/{id}/nodes/{node}/run', `/api/v1/flows/${flow.id}/nodes/absent/run`, 404],
    [
      'PUT /api/v1/flows/{id}/pins/{node}',
      `/api/v1/flows/${flow.id}/pins/call-1`,
      204,
      { outputs: { data: PRIVATE } }
    ],
    [
      'PUT /api/v1/flows/{id}/pins/{node}',
      `/api/v1/flows/${flow.id}/pins/call-1`,
      422,
      { outputs: { a: 1 } }
    ],
    ['DELETE /api/v1/flows/{id}/pins/{node}', `/api/v1/flows/${flow.id}/pins/call-1`, 204],
    ['PUT /api/v1/kept/value', '/api/v1/kept/value?key=a', 204, { value: PRIVATE }],
    ['DELETE /api/v1/kept/value', '/api/v1/kept/value?key=a', 204],
    ['POST /api/v1/collections', '/api/v1/collections', 204, { name: PRIVATE }],
    ['PUT /api/v1/collections/{id}', `/api/v1/collections/${collection}`, 204, { name: `${PRIVATE}!` }],
    [
      'POST /api/v1/collections/{id}/texts',
      `/api/v1/collections/${collection}/texts`,
      204,
      { id: 'a', text: PRIVATE }
    ],
    [
      'POST /api/v1/collections/{id}/search',
      `/api/v1/collections/${collection}/search`,
      403,
      { query: PRIVATE }
    ],
    [
      'POST /api/v1/collections/{id}/documents',
      `/api/v1/collections/${collection}/documents?filename=a.txt`,
      204,
      PRIVATE
    ],
    ['DELETE /api/v1/collections/{id}/texts', `/api/v1/collections/${collection}/texts?text=a`, 204],
    ['DELETE /api/v1/collections/{id}', `/api/v1/collections/${collection}`, 204],
    ['PUT /api/v1/flows/{id}/draft', `/api/v1/flows/${flow.id}/draft`, 200, { ...callFlow(''), revision: 1 }],
    ['POST /api/v1/flows/{id}/publish', `/api/v1/flows/${flow.id}/publish`, 204],
    ['POST /api/v1/flows/{id}/publish/undo', `/api/v1/flows/${flow.id}/publish/undo`, 204],
    [
      'POST /api/v1/flows/{id}/draft/restore',
      `/api/v1/flows/${flow.id}/draft/restore`,
      204,
      { version: 1, revision: 3 }
    ],
    [
      'POST /api/v1/flows/{id}/draft/kept',
      `/api/v1/flows/${flow.id}/draft/kept`,
      204,
      { because: 'discarded' }
    ],
    [
      'PUT /api/v1/flows/{id}/sessions',
      `/api/v1/flows/${flow.id}/sessions?session=a`,
      204,
      { title: PRIVATE }
    ],
    [
      'PUT /api/v1/flows/{id}/messages/{message}/rating',
      `/api/v1/flows/${flow.id}/messages/absent/rating`,
      404,
      { run_id: PRIVATE, rating: 'good' }
    ],
    ['DELETE /api/v1/flows/{id}/sessions', `/api/v1/flows/${flow.id}/sessions?session=a`, 204],
    ['POST /api/v1/flows/{id}/nodes/{node}/look', `/api/v1/flows/${flow.id}/nodes/call-1/look`, 409],
    ['POST /api/v1/flows/{id}/comments', `/api/v1/flows/${flow.id}/comments`, 204, { text: PRIVATE }],
    [
      'PATCH /api/v1/flows/{id}/comments/{comment}',
      `/api/v1/flows/${flow.id}/comments/${written}`,
      204,
      { done: true }
    ],
    ['DELETE /api/v1/flows/{id}/comments/{comment}', `/api/v1/flows/${flow.id}/comments/${written}`, 204],
    ['POST /api/v1/flows/{id}/expectations', `/api/v1/flows/${flow.id}/expectations`, 403, { run_id: run }],
    [
      'DELETE /api/v1/flows/{id}/expectations/{expectation}',
      `/api/v1/flows/${flow.id}/expectations/absent`,
      404
    ],
    ['POST /api/v1/flows/{id}/expectations/check', `/api/v1/flows/${flow.id}/expectations/check`, 403],
    ['PUT /api/v1/flows/{id}/presence', `/api/v1/flows/${flow.id}/presence`, 403, { page: 'a', node: null }],
    ['DELETE /api/v1/flows/{id}/presence/{page}', `/api/v1/flows/${flow.id}/presence/a`, 403],
    ['POST /api/v1/flows/{id}/draft/address', `/api/v1/flows/${flow.id}/draft/address`, 201],
    ['POST /api/v1/test-webhook/{token}', '/api/v1/test-webhook/absent', 404, PRIVATE],
    ['DELETE /api/v1/flows/{id}/draft', `/api/v1/flows/${flow.id}/draft?revision=7`, 409],
    ['DELETE /api/v1/flows/{id}/draft', `/api/v1/flows/${flow.id}/draft`, 204],
    ['POST /api/v1/flows/{id}/undelete', `/api/v1/flows/${flow.id}/undelete`, 204],
    ['POST /api/v1/flows/{id}/pause', `/api/v1/flows/${flow.id}/pause`, 204, { mode: 'hold' }],
    ['POST /api/v1/flows/{id}/resume', `/api/v1/flows/${flow.id}/resume`, 204],
    ['POST /api/v1/flows/{id}/slug', `/api/v1/flows/${flow.id}/slug`, 204, { slug: 'another' }],
    ['DELETE /api/v1/flows/{id}/aliases/{slug}', `/api/v1/flows/${flow.id}/aliases/${flow.slug}`, 204],
    ['POST /api/v1/flows/bulk', '/api/v1/flows/bulk', 200, { action: 'resume', ids: [flow.id] }],
    ['DELETE /api/v1/flows/{id}', `/api/v1/flows/${flow.id}`, 204],
    ['POST /api/v1/flows/{id}/undelete', `/api/v1/flows/${flow.id}/undelete`, 204],
    ['POST /api/v1/import', '/api/v1/import?dry_run=true', 200, document],
    ['POST /api/v1/push', '/api/v1/push?dry_run=true', 200, { flows: [{ ...document, slug: 'pushed' }] }],
    ['PUT /api/v1/prices', '/api/v1/prices', 200, { prices: [] }],
    ['PUT /api/v1/budgets', '/api/v1/budgets', 200, { context: '/eu', per_month: 5 }],
    ['POST /api/v1/components/{type}/inputs', '/api/v1/components/parser/inputs', 403, { fields: {} }],
    ['PATCH /api/v1/contexts/{context}', `/api/v1/contexts/${eu.id}`, 200, { default_auth: 'None' }],
    ['POST /api/v1/contexts', '/api/v1/contexts', 201, { name: 'west', parent: '/eu' }],
    ['DELETE /api/v1/contexts/{context}', '/api/v1/contexts/%2Feu%2Fwest', 204],
    ['POST /api/v1/keys', '/api/v1/keys', 201, { name: 'more' }],
    ['DELETE /api/v1/keys/{id}', `/api/v1/keys/${spare}`, 204]
  ]
  for (const [operation, path, status, body] of calls) {
    const answer = await service.request(operation.split(' ', 1)[0]!, path, { key, body })
    assert.equal(answer.status, status, `${operation}: ${answer.text}`)
    assert.ok(!answer.text.toLowerCase().includes(PRIVATE), `${operation}: ${answer.text}`)
  }

  const called = calls.map(([operation]) => operation)
  const missing = (await allOperations(service))
    .map(({ method, path }) => `${method} ${path}`)
    .filter(
      (name) =>
        !name.startsWith('GET ') &&
        !OTHERS.some((other) => name.endsWith(other) || name.includes('/connections'))
    )
    .filter((name) => !called.includes(name))
  assert.deepEqual(missing, [], 'every such route is looked at')
})

/** A run that asks something, and waits for a time. */
async function startAsking(service: Service) {
  const flow = await service.createFlow({
    name: 'Asks',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'later', type: 'delay', fields: { for: '1d' } },
      { id: 'ask', type: 'approve', fields: { question: PRIVATE } }
    ],
    edges: ['later', 'ask'].map((node) => ({ from: 'webhook-1.data', to: `${node}.data` }))
  })
  const events = await service.events(flow.id)
  const id = await service.start(flow.slug, JSON.stringify(PRIVATE))
  await events.until(({ event }) => event === 'run.waiting')
  events.close()
  const { approvals } = (await service.get('/api/v1/approvals')).json<{ approvals: { id: string }[] }>()
  return { id, approval: approvals[0]!.id }
}

it('a key without the right to read that runs a flow and waits is told of that run what the contract names', async (t) => {
  const service = await startService(t)
  const { slug } = await service.createFlow(ordersFlow())
  const { key } = await service.createKey({ rights: ['trigger'] })
  const body = { input: { order_id: 7, customer: 'Ann' } }
  const told = async (by: string) =>
    (await service.post(`/api/v1/run/${slug}`, body, { key: by })).json<{ steps: object[] }>()
  const own = await told(key)
  const run = [
    'id',
    'flow_id',
    'flow_version',
    'trigger',
    'status',
    'created_at',
    'started_at',
    'finished_at'
  ]
  assert.deepEqual(Object.keys(own), [...run, 'error', 'input', 'steps'])
  const step = ['node', 'type', 'status', 'attempts', 'started_at', 'duration_ms', 'outputs', 'error']
  for (const each of own.steps) assert.deepEqual(Object.keys(each), step)
  assert.ok('messages' in (await told(service.key)))
})
