import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { flowIn, startWith } from './support/contexts.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import type { Service } from './support/service.ts'

/** A context whose hook looks at every request, so that its webhooks go the long way; nothing else is different. */
const LOOKED_AT = `export default async function watched (context) {
  context.addHook('onRequest', (request, reply, done) => { reply.header('x-looked', 'at'); done() })
}`

async function twoWays(t: TestContext, fields: Record<string, unknown> = {}) {
  const service = await startWith(t, { 'watched.mjs': LOOKED_AT })
  const short = await service.createFlow(flowIn('/', undefined, fields))
  const long = await service.createFlow(flowIn('/watched', undefined, fields))
  return { service, short, long }
}

interface Sent {
  readonly body?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly address?: (slug: string) => string
}

async function answerOf(service: Service, slug: string, sent: Sent) {
  const address = sent.address?.(slug) ?? `/api/v1/webhook/${slug}`
  const { body, key, headers } = sent
  const answer = await service.request('POST', address, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers })
  })
  return answer
}

/** What an answer is made of, without what differs from run to run. */
function shapeOf(answer: Awaited<ReturnType<typeof answerOf>>) {
  const names = [...answer.headers.keys()].filter((name) => name !== 'x-looked' && name !== 'date').sort()
  const body = answer.json() as Record<string, unknown>
  return {
    status: answer.status,
    headers: names,
    type: answer.headers.get('content-type'),
    body: { ...body, ...(body.run_id === undefined ? {} : { run_id: 'an id' }) }
  }
}

describe('a webhook past the router and one through all hooks', () => {
  const cases: Record<string, Sent> = {
    'a JSON body': { body: '{"order_id":7}' },
    'no body': {},
    'another type': { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'a type that is none': { body: '1', headers: { 'content-type': '???' } },
    'no key': { body: '{}', key: null },
    'a wrong key': { body: '{}', key: 'wrong-key-0123456789' },
    'a query': { body: '{}', address: (slug) => `/v1/webhook/${slug}?a=b` },
    'a body that is too large': { body: `"${'x'.repeat(1_100_000)}"` },
    'a caller that waits': { body: '{}', headers: { prefer: 'wait=30' } }
  }
  for (const [name, sent] of Object.entries(cases)) {
    it(`answer alike: ${name}`, async (t) => {
      const { service, short, long } = await twoWays(t)
      const [a, b] = [await answerOf(service, short.slug, sent), await answerOf(service, long.slug, sent)]
      assert.equal(a.headers.get('x-looked'), null)
      assert.equal(b.headers.get('x-looked'), 'at')
      assert.deepEqual(shapeOf(a), shapeOf(b))
    })
  }

  it('tell the flow the same of the request', async (t) => {
    const { service, short, long } = await twoWays(t)
    const headers = { 'content-type': 'text/x-order', 'X-Shop': 'eu', authorization: 'Bearer secret' }
    const requests = []
    for (const { slug } of [short, long]) {
      const { run_id: id } = (await answerOf(service, slug, { body: '{}', headers })).json() as {
        run_id: string
      }
      requests.push(((await service.get(`/api/v1/runs/${id}`)).json() as { request: unknown }).request)
    }
    assert.deepEqual(requests[0], requests[1])
    assert.equal((requests[0] as { headers: Record<string, string> }).headers['content-type'], 'text/x-order')
    assert.ok(!JSON.stringify(requests).includes('secret'))
  })

  it('is chosen anew with every request: a flow that moves under a hook is looked at from then on', async (t) => {
    const { service, short } = await twoWays(t)
    assert.equal((await answerOf(service, short.slug, { body: '{}' })).headers.get('x-looked'), null)
    await service.saveFlow(short, { context: '/watched' })
    assert.equal((await answerOf(service, short.slug, { body: '{}' })).headers.get('x-looked'), 'at')
  })

  it('take a body in pieces and a body of unknown length', async (t) => {
    const { service, short } = await twoWays(t, { auth: 'None' })
    const head = requestHead(`POST /api/v1/webhook/${short.slug}`, {
      'transfer-encoding': 'chunked'
    })
    const chunked = await sendRaw(service.address, head, '5\r\n{"a":\r\n', '2\r\n1}\r\n0\r\n\r\n')
    assert.equal(chunked.status, 202)
    const plain = requestHead(`POST /api/v1/webhook/${short.slug}`, {
      'content-length': '7'
    })
    assert.equal((await sendRaw(service.address, plain, '{"a":', '1}')).status, 202)
  })
})
