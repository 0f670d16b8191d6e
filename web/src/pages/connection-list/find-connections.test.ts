import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Connection, NamedConnection } from '../../api/connections.ts'
import { byContext, findConnections, flowsOf, listConnections } from './find-connections.ts'

function connection(name: string, context: string): Connection {
  return {
    id: `${context}${name}`,
    name,
    kind: 'http',
    context,
    settings: { base_url: `https://${name}.example` },
    secrets: {},
    trusted: true,
    created_at: '',
    updated_at: ''
  }
}

function use(flow: string, name: string, context: string | null): NamedConnection {
  return {
    flow_id: flow,
    flow_name: `The ${flow}`,
    flow_context: '/eu',
    node: 'call-1',
    field: 'connection',
    name,
    kinds: ['http'],
    state: context === null ? 'missing' : 'found',
    kind: context === null ? null : 'http',
    context,
    draft: false
  }
}

const KINDS = [{ kind: 'http', title: 'HTTP', description: '', settings: { properties: {} }, secrets: [] }]
const listed = listConnections(
  [connection('shop', '/eu'), connection('shop', '/'), connection('bank', '/')],
  KINDS,
  [
    use('orders', 'shop', '/eu'),
    use('orders', 'shop', '/eu'),
    use('refunds', 'bank', '/'),
    use('x', 'gone', null)
  ]
)

describe('the list of connections', () => {
  it('tells who would use each: the nearest of a name, and not the one that it hides', () => {
    assert.deepEqual(
      listed.map(({ connection, uses }) => [connection.id, flowsOf(uses).map(({ id }) => id)]),
      [
        ['/eushop', ['orders']],
        ['/shop', []],
        ['/bank', ['refunds']]
      ]
    )
  })

  it('tells flows that use one in their drafts alone from those whose live version does', () => {
    const uses = [
      { ...use('orders', 'shop', '/'), draft: false },
      { ...use('orders', 'shop', '/'), draft: true },
      { ...use('refunds', 'shop', '/'), draft: true }
    ]
    assert.deepEqual(
      flowsOf(uses).map(({ id, isDraft }) => [id, isDraft]),
      [
        ['orders', false],
        ['refunds', true]
      ]
    )
  })

  it('is searched by names, contexts, kinds, addresses and flows', () => {
    const found = (text: string) => findConnections(listed, text).map(({ connection }) => connection.id)
    assert.deepEqual(found('SHOP eu'), ['/eushop'])
    assert.deepEqual(found('bank.example'), ['/bank'])
    assert.deepEqual(found('refunds http'), ['/bank'])
    assert.equal(found(' ').length, 3)
  })

  it('is told by context, the root first', () => {
    assert.deepEqual(
      byContext(listed).map(([context, members]) => [context, members.map((one) => one.connection.name)]),
      [
        ['/', ['bank', 'shop']],
        ['/eu', ['shop']]
      ]
    )
  })
})
