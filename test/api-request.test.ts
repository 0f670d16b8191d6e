import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { ORDER } from './support/documents.ts'
import { type MisbehavingServer, startMisbehavingServer } from './support/misbehaving-server.ts'
import { type Service, startService } from './support/service.ts'

const CANARY = 'canary-token-0123456789'

interface Story {
  readonly service: Service
  readonly server: MisbehavingServer
  /** A run of Webhook → API Request → Parser, to its end. */
  run(node: Readonly<Record<string, unknown>>): Promise<RunBody>
}

async function begin(test: TestContext, { isAllowed = true } = {}): Promise<Story> {
  const server = await startMisbehavingServer()
  cleanUp(test, () => server.stop())
  const { host } = new URL(server.origin)
  const service = await startService(test, isAllowed ? { env: { MILLRACE_EGRESS_ALLOW: host } } : {})
  const run: Story['run'] = async (node) => {
    const flow = await service.createFlow({
      name: 'Outside',
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: {} },
        { id: 'api-1', type: 'api-request', ...node },
        { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'api-1.data' },
        { from: 'api-1.body', to: 'parser-1.data' }
      ]
    })
    const answer = await service.request('POST', `/api/v1/run/${flow.id}`, { body: { input: ORDER } })
    return answer.json<RunBody>()
  }
  return { service, server, run }
}

describe('API Request in a flow', () => {
  it('sends the data, gives out the answer, and carries a key that names run and node', async (t) => {
    const { server, run } = await begin(t)
    const { id, status, steps } = await run({
      fields: { method: 'POST', url: `${server.origin}/echo?order={order_id}` }
    })
    assert.equal(status, 'succeeded')
    const [request] = server.requests
    assert.equal(request!.body, JSON.stringify(ORDER))
    assert.equal(request!.query.get('order'), '7')
    assert.equal(request!.headers['idempotency-key'], `${id}/api-1`)
    const { body, response } = steps.find(({ node }) => node === 'api-1')!.outputs as {
      body: { method: string }
      response: { status: number; body: unknown }
    }
    assert.deepEqual([body.method, response.status, response.body], ['POST', 200, body])
  })

  it('keeps the wait that the other side asks for, and its key over all attempts', async (t) => {
    const { server, run } = await begin(t)
    const url = `${server.origin}/limited?times=2&after=0`
    const { status, steps } = await run({
      fields: { method: 'POST', url },
      retry: { attempts: 3, backoff_ms: 1 }
    })
    assert.equal(status, 'succeeded')
    assert.equal(steps.find(({ node }) => node === 'api-1')!.attempts, 3)
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 3)
    assert.equal(new Set(keys).size, 1)
  })

  it('does not try again what cannot go better', async (t) => {
    const { server, run } = await begin(t)
    const url = `${server.origin}/failing?times=9&status=422`
    const { error } = await run({ fields: { url }, retry: { attempts: 3, backoff_ms: 1 } })
    assert.equal(error!.code, 'upstream_refused')
    assert.match(error!.message, /was answered 422 and said: {"error":"broken"}/)
    assert.equal(server.requests.length, 1)
  })

  it('ends a call that takes too long, and tells the other side so', async (t) => {
    const { server, run } = await begin(t)
    for (const path of ['/slow', '/slow-body']) {
      const { error } = await run({ fields: { url: server.origin + path }, timeout_ms: 50 })
      assert.equal(error!.code, 'step_timeout')
      await server.left(path)
    }
  })

  it('is sent again after its time only where a second request is taken for the first', async (t) => {
    const { server, run } = await begin(t)
    const url = server.url('/slow')
    const call = async (fields: object) => {
      const retry = { attempts: 2, backoff_ms: 1 }
      const { error, steps } = await run({ fields: { url, ...fields }, timeout_ms: 50, retry })
      assert.equal(error!.code, 'step_timeout')
      return { error: error!, attempts: steps.find(({ node }) => node === 'api-1')!.attempts }
    }
    const withoutKey = { 'Idempotency-Key': '' }
    assert.equal((await call({ method: 'POST' })).attempts, 2, 'it carries the key')
    assert.equal((await call({ method: 'GET', headers: withoutKey })).attempts, 2, 'it changes nothing')
    const { error, attempts } = await call({ method: 'POST', headers: withoutKey })
    assert.equal(attempts, 1)
    assert.match(error.message, /50 ms.*may have been done/)
  })

  it('is refused where steps may not go, also after a redirect', async (t) => {
    const { server, run } = await begin(t, { isAllowed: false })
    const { error } = await run({ fields: { url: `${server.origin}/echo` } })
    assert.equal(error!.code, 'egress_refused')
    assert.match(error!.message, /MILLRACE_EGRESS_ALLOW/)
    assert.equal(server.requests.length, 0)
  })

  it('signs in by its connection, for the address of that one alone, and keeps the secret to itself', async (t) => {
    const { service, server, run } = await begin(t, { isAllowed: false })
    const other = await startMisbehavingServer()
    cleanUp(t, () => other.stop())
    const made = await service.request('POST', '/api/v1/connections', {
      body: {
        name: 'shop',
        kind: 'http',
        settings: { base_url: `${server.origin}/`, auth: 'bearer' },
        secrets: { token: CANARY }
      }
    })
    assert.equal(made.status, 201)
    const { status, steps } = await run({ fields: { connection: 'shop', url: '/echo' } })
    assert.equal(status, 'succeeded')
    assert.equal(server.requests[0]!.headers.authorization, `Bearer ${CANARY}`)
    assert.ok(!JSON.stringify(steps).includes(CANARY), 'what a server echoes is redacted')

    const away = await run({
      fields: { connection: 'shop', url: `/redirect?to=${encodeURIComponent(other.url('/echo'))}` }
    })
    assert.equal(away.error!.code, 'egress_refused')
    const missing = await run({ fields: { connection: 'shops', url: '/echo' } })
    assert.equal(missing.error!.code, 'connection_not_found')
    assert.equal(other.requests.length, 0)
  })
})
