import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { ContextTree } from '../../contexts/context-tree.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { ContextWebhooks, withoutSlash } from './context-webhooks.ts'

/** Flows by slug, each with its context; /sales and /sales/eu have routes, the root has the public one. */
const FLOWS: Readonly<Record<string, string>> = {
  orders: '/sales',
  west: '/sales/eu/west',
  failed: '/sales/failed',
  plain: '/'
}

function webhooks(prefix = '') {
  const tree = new ContextTree()
  tree.fork('/', 'sales')
  tree.fork('/sales', 'eu')
  tree.fork('/sales', 'failed')
  tree.graft('/sales/eu/west', {}, { owner: 'the API', source: null })
  const find = (slug: string) => (Object.hasOwn(FLOWS, slug) ? { context: FLOWS[slug]! } : undefined)
  const made = new ContextWebhooks(tree, { find } as unknown as FlowLibrary)
  made.mountedAt(prefix)
  const address = (context: string) =>
    `${withoutSlash(prefix)}${made.pathIn(prefix, context).replace(':flow', '')}`
  return { webhooks: made, sales: address('/sales'), eu: address('/sales/eu') }
}

function request(url: string, method = 'POST'): IncomingMessage {
  return { method, url } as IncomingMessage
}

describe('leading a webhook to its context', () => {
  it('goes by where the flow lives: its context, or the nearest above that has a route', () => {
    const { webhooks: lead, sales, eu } = webhooks()
    const rows: [sent: string, led: string][] = [
      ['/api/v1/webhook/orders', `${sales}orders`],
      ['/v1/webhook/orders?a=b', `${sales}orders?a=b`],
      ['/api/v1/webhook/%6frders', `${sales}%6frders`],
      ['/v1/webhook/west#here', `${eu}west#here`],
      ['/v1/webhook/failed', `${sales}failed`],
      ['/v1/webhook/plain', '/v1/webhook/plain'],
      ['/v1/webhook/absent', '/v1/webhook/absent'],
      ['/v1/webhook/%', '/v1/webhook/%'],
      ['/v1/webhook/constructor', '/v1/webhook/constructor'],
      ['/v1/webhook/orders/more', '/v1/webhook/orders/more'],
      ['/v1/runs/orders', '/v1/runs/orders']
    ]
    for (const [sent, led] of rows) {
      const received = request(sent)
      assert.equal(lead.route(received), led, sent)
      assert.equal(lead.isLed(received), led !== sent)
      received.url = led
      lead.restore(received)
      assert.equal(received.url, sent)
    }
    assert.equal(
      lead.route(request('/v1/webhook/orders', 'GET')),
      '/v1/webhook/orders',
      'only what starts a run'
    )
  })

  it('begins at the prefix of the application', () => {
    for (const prefix of ['/flows', '/flows/']) {
      const { webhooks: lead, sales } = webhooks(prefix)
      assert.equal(lead.route(request('/flows/v1/webhook/orders')), `${sales}orders`)
      assert.equal(lead.route(request('/v1/webhook/orders')), '/v1/webhook/orders')
    }
  })

  it('shows only the first reader where it goes', () => {
    const { webhooks: lead, sales } = webhooks()
    const received = request('/v1/webhook/orders')
    lead.routeOnFirstRead(received)
    lead.routeOnFirstRead(received)
    assert.deepEqual(
      [received.url, received.url, received.url],
      [`${sales}orders`, ...Array(2).fill('/v1/webhook/orders')]
    )
    received.url = '/rewritten'
    assert.equal(received.url, '/rewritten')
    const other = request('/v1/webhook/plain')
    lead.routeOnFirstRead(other)
    assert.deepEqual(Object.getOwnPropertyDescriptor(other, 'url')?.value, '/v1/webhook/plain')
  })

  it('of one that only the router understood notes the way, once: it must not go in circles', () => {
    const { webhooks: lead, sales } = webhooks()
    const received = request('http://x/v1/webhook/orders?a=b')
    assert.equal(lead.route(received), received.url)
    assert.equal(lead.reroute(received, 'orders'), true)
    assert.equal(lead.route(received), `${sales}orders?a=b`)
    assert.equal(received.url, 'http://x/v1/webhook/orders?a=b')
    assert.throws(() => lead.reroute(received, 'orders'), /cannot be led to its context/)
    assert.equal(lead.reroute(request('/v1/webhook/plain'), 'plain'), false)
    assert.equal(lead.reroute(request('/v1/webhook/absent'), 'absent'), false)
  })

  it('goes to addresses that nobody can know', () => {
    const [first, second] = [webhooks(), webhooks()]
    assert.match(first.sales, /^\/[0-9a-f-]{36}\/0\/$/)
    assert.notEqual(first.sales, second.sales)
    assert.notEqual(first.webhooks.constraint, second.webhooks.constraint)
    assert.match(first.webhooks.constraint, /^[a-z_][a-z0-9_]*$/)
  })
})
