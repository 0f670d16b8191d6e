import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListedFlow } from '../../api/shapes.ts'
import { copyOf, exportedText, exportedTexts, readFlowFile } from './flow-file.ts'

const flow: ListedFlow = {
  id: 'f1',
  version: 4,
  name: 'Orders',
  slug: 'orders',
  context: '/',
  nodes: [],
  edges: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  paused: null,
  aliases: ['old-orders'],
  recent_runs: [],
  draft: { revision: 1, author: 'Ann', updated_at: '2026-01-01T00:00:00.000Z', faults: 0 }
}
const none = new Set<string>()

describe('a flow as a file', () => {
  it('holds the document and nothing that the service adds', () => {
    assert.deepEqual(Object.keys(JSON.parse(exportedText(flow))), [
      'name',
      'slug',
      'context',
      'nodes',
      'edges'
    ])
    assert.ok(exportedText(flow).endsWith('}\n'))
  })

  it('comes back as it was', () => {
    assert.deepEqual(readFlowFile(exportedText(flow), none), [
      { name: 'Orders', slug: 'orders', context: '/', nodes: [], edges: [] }
    ])
  })

  it('may hold several, which come back one by one', () => {
    const texts = exportedTexts([flow, { ...flow, slug: 'other' }])
    assert.deepEqual(
      readFlowFile(texts, none)?.map(({ slug }) => slug),
      ['orders', 'other']
    )
    assert.equal(exportedTexts([flow]), exportedText(flow))
  })

  it('keeps every digit of its fields', () => {
    const text = '{"name":"A","nodes":[{"id":"a","fields":{"n":12345678901234567890}}]}'
    assert.equal(JSON.stringify(readFlowFile(text, none)?.[0]), text)
  })

  it('is for the service to refuse where an object has a name twice', () => {
    const node = '{"id":"a","type":"webhook","fields":{}}'
    for (const text of [`{"nodes":[${node}],"nodes":[]}`, `{"nodes":[${node.replace('"fields"', '"id"')}]}`])
      assert.equal(readFlowFile(text, none), undefined)
    const once = `{"nodes":[${node}],"name":"\\"nodes\\": [","notes":[{"text":"\\\\","n":1.10}]}`
    assert.equal(readFlowFile(once, none)?.length, 1)
  })

  it('leaves a slug that is taken to the service', () => {
    assert.deepEqual(readFlowFile('{"name":"A","slug":"orders","nodes":[]}', new Set(['orders'])), [
      { name: 'A', nodes: [] }
    ])
  })

  it('may be a list, or an answer of the API', () => {
    assert.equal(readFlowFile('[{"nodes":[]},{"nodes":[]}]', none)?.length, 2)
    assert.equal(readFlowFile('{"flows":[{"nodes":[],"recent_runs":[],"draft":null}]}', none)?.length, 1)
  })

  it('is left to the service where it is none of ours', () => {
    const n8n = '{"nodes":[{"parameters":{},"type":"n8n-nodes-base.noOp","typeVersion":1}],"connections":{}}'
    const langflow = '{"data":{"nodes":[],"edges":[]}}'
    const flowise = '{"nodes":[{"id":"a","data":{"name":"startAgentflow"}}],"edges":[]}'
    for (const text of [
      'name: Orders',
      '{}',
      '[]',
      '7',
      '{"nodes":"none"}',
      n8n,
      `[${n8n}]`,
      langflow,
      flowise
    ])
      assert.equal(readFlowFile(text, none), undefined)
  })
})

describe('copyOf', () => {
  it('finds a name that is free and leaves the slug to the service', () => {
    assert.equal(copyOf(flow, none).name, 'Orders (copy)')
    assert.equal(copyOf(flow, new Set(['Orders (copy)'])).name, 'Orders (copy 2)')
    assert.ok(!('slug' in copyOf(flow, none)))
  })
})
