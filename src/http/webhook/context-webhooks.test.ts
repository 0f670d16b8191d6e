import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { ContextTree } from '../../contexts/context-tree.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { ContextWebhooks, WEBHOOK_PATHS } from './context-webhooks.ts'

const [API, SHORT] = WEBHOOK_PATHS as [string, string]

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
  return { webhooks: made, sales: made.addressesIn('/sales'), eu: made.addressesIn('/sales/eu') }
}

function request(url: string, method = 'POST'): IncomingMessage {
  return { method, url } as IncomingMessage
}

describe('leading a webhook to its context', () => {
  it('goes by where the flow lives: its context, or the nearest above that has a route', () => {
    const { webhooks: lead, sales, eu } = webhooks()
    const rows: [sent: string, led: string][] = [
      ['/api/v1/webhook/orders', `${sales[API]}orders`],
      ['/v1/webhook/orders?a=b', `${sales[SHORT]}orders?a=b`],
      ['/api/v1/webhook/%6frders', `${sales[API]}%6frders`],
      ['/v1/webhook/west#here', `${eu[SHORT]}west#here`],
      ['/v1/webhook/failed', `${sales[SHORT]}failed`],
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
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
      assert.equal(lead.route(request('/v1/webhook/orders', method)), `${sales[SHORT]}orders`, method)
    assert.equal(
      lead.route(request('/v1/webhook/orders', 'OPTIONS')),
      '/v1/webhook/orders',
      'what a browser asks without a key'
    )
  })

  it('begins at the prefix of the application', () => {
    for (const prefix of ['/flows', '/flows/']) {
      const { webhooks: lead, sales } = webhooks(prefix)
      assert.equal(lead.route(request('/flows/v1/webhook/orders')), `${sales[SHORT]}orders`)
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
      [`${sales[SHORT]}orders`, ...Array(2).fill('/v1/webhook/orders')]
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
    assert.equal(lead.reroute(received, SHORT, 'orders'), true)
    assert.equal(lead.route(received), `${sales[SHORT]}orders?a=b`)
    assert.equal(received.url, 'http://x/v1/webhook/orders?a=b')
    assert.throws(() => lead.reroute(received, SHORT, 'orders'), /cannot be led to its context/)
    assert.equal(lead.reroute(request('/v1/webhook/plain'), SHORT, 'plain'), false)
    assert.equal(lead.reroute(request('/v1/webhook/absent'), SHORT, 'absent'), false)
  })

  it('goes to addresses that nobody can know', () => {
    const [first, second] = [webhooks(), webhooks()]
    assert.match(first.sales[SHORT]!, /^\/[0-9a-f-]{36}\/0\/v1\/webhook\/$/)
    assert.notEqual(first.sales[SHORT], second.sales[SHORT])
    assert.notEqual(first.webhooks.constraint, second.webhooks.constraint)
    assert.match(first.webhooks.constraint, /^[a-z_][a-z0-9_]*$/)
  })
})
