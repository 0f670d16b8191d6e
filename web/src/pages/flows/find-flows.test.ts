import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListedFlow } from '../../api/shapes.ts'
import { type FlowSearch, findFlows } from './find-flows.ts'

function flow(name: string, more: Partial<ListedFlow> = {}): ListedFlow {
  return {
    id: name,
    name,
    slug: name.toLowerCase(),
    context: '/',
    version: 1,
    nodes: [],
    edges: [],
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...more
  }
}

const ran = (created_at: string): Partial<ListedFlow> => ({
  recent_runs: [{ id: created_at, status: 'succeeded', created_at, duration_ms: 1 }]
})

const flows = [
  flow('Orders', { updated_at: '2026-01-03T00:00:00.000Z', ...ran('2026-02-01T00:00:00.000Z') }),
  flow('Alerts', { updated_at: '2026-01-05T00:00:00.000Z', context: '/ops' }),
  flow('Bills', {
    context: '/ops/eu',
    description: 'Sends invoices',
    nodes: [{ id: 'a', type: 'parser', title: 'Line', position: { x: 0, y: 0 }, fields: {} }],
    ...ran('2026-03-01T00:00:00.000Z')
  })
]

const find = (search: Partial<FlowSearch>) =>
  findFlows(flows, { text: '', context: '', tags: [], order: 'name', ...search }).map(({ name }) => name)

describe('findFlows', () => {
  it('orders by name, by the last change and by the last run', () => {
    assert.deepEqual(find({}), ['Alerts', 'Bills', 'Orders'])
    assert.deepEqual(find({ order: 'changed' }), ['Alerts', 'Orders', 'Bills'])
    assert.deepEqual(find({ order: 'run' }), ['Bills', 'Orders', 'Alerts'])
  })

  it('looks for every word in name, slug, description, context and nodes', () => {
    assert.deepEqual(find({ text: 'INVOICES line' }), ['Bills'])
    assert.deepEqual(find({ text: 'ops' }), ['Alerts', 'Bills'])
    assert.deepEqual(find({ text: 'ops orders' }), [])
  })

  it('keeps to flows that have every tag', () => {
    const tagged = [flow('A', { tags: ['shop', 'eu'] }), flow('B', { tags: ['shop'] }), flow('C')]
    const find = (tags: string[], text = '') =>
      findFlows(tagged, { text, context: '', tags, order: 'name' }).map(({ name }) => name)
    assert.deepEqual(find(['shop']), ['A', 'B'])
    assert.deepEqual(find(['shop', 'eu']), ['A'])
    assert.deepEqual(find([], 'shop'), ['A', 'B'])
  })

  it('keeps to a context and what lies below', () => {
    assert.deepEqual(find({ context: '/ops' }), ['Alerts', 'Bills'])
    assert.deepEqual(find({ context: '/ops/eu' }), ['Bills'])
    assert.deepEqual(find({ context: '/' }), ['Alerts', 'Bills', 'Orders'])
  })
})
