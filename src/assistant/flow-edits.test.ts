import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { applyEdits, readEdits } from './flow-edits.ts'

const FLOW = {
  name: 'Orders',
  slug: 'orders',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: { auth: 'None' } },
    { id: 'each-1', type: 'for-each', position: { x: 9, y: 0 }, fields: {} },
    {
      id: 'parser-1',
      type: 'parser',
      title: 'Line',
      parent: 'each-1',
      fields: { template: 'a', mode: 'Parser' }
    }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'each-1.data' },
    { from: 'each-1.item', to: 'parser-1.data' }
  ]
}

function edit(given: object) {
  const edits = readEdits({ summary: 'x', ...given } as never)
  assert.ok(typeof edits === 'object', String(edits))
  return applyEdits(FLOW, edits)
}

describe('edits of a model', () => {
  it('change what they name, and nothing else', () => {
    const { document, wrong } = edit({
      nodes: [
        { id: 'parser-1', fields: { template: 'b' }, reset_fields: ['mode'], title: null, position: { x: 1 } }
      ]
    })
    assert.deepEqual(wrong, [])
    assert.deepEqual(document.nodes.slice(0, 2), FLOW.nodes.slice(0, 2))
    assert.deepEqual(document.nodes[2], {
      id: 'parser-1',
      type: 'parser',
      parent: 'each-1',
      fields: { template: 'b' }
    })
    assert.deepEqual([document.slug, document.edges], ['orders', FLOW.edges])
  })

  it('take the fields of another component away with it', () => {
    const { document } = edit({ nodes: [{ id: 'parser-1', type: 'prompt', fields: { template: '{a}' } }] })
    assert.deepEqual((document.nodes[2] as { fields: object }).fields, { template: '{a}' })
  })

  it('remove a node with its wires, and let out what stood in it', () => {
    const { document } = edit({ remove_nodes: ['each-1'] })
    assert.deepEqual(document.edges, [])
    assert.equal('parent' in document.nodes[1]!, false)
  })

  it('add a wire once, and know a node that comes in the same edit', () => {
    const edge = { from: 'parser-1.parsed_text', to: 'out-1.data' }
    const { document } = edit({
      nodes: [{ id: 'out-1', type: 'return' }],
      edges: [edge, edge, FLOW.edges[0]!]
    })
    assert.deepEqual(document.edges, [...FLOW.edges, edge])
  })

  it('leave the order of what was there, which decides what an input takes', () => {
    const edges = [...FLOW.edges, { from: 'webhook-1.request', to: 'each-1.data' }]
    const first = { ...FLOW, edges }
    const cut = readEdits({ summary: 'x', remove_edges: [edges[0]!] })
    const back = readEdits({ summary: 'x', edges: [edges[0]!], nodes: [{ id: 'a-1', type: 'parser' }] })
    assert.ok(typeof cut === 'object' && typeof back === 'object')
    const { document } = applyEdits(applyEdits(first, cut, first).document, back, first)
    assert.deepEqual(document.edges, edges)
    assert.deepEqual(
      document.nodes.map(({ id }) => id),
      ['webhook-1', 'each-1', 'parser-1', 'a-1']
    )
  })

  it('keep what a draft has without a name', () => {
    const first = {
      ...FLOW,
      nodes: [...FLOW.nodes, { type: 'parser' }, { ...FLOW.nodes[0]!, title: 'Twice' }]
    }
    const named = readEdits({ summary: 'x', name: 'New' })
    assert.ok(typeof named === 'object')
    assert.deepEqual(applyEdits(first, named).document.nodes, first.nodes)
  })

  it('say what cannot be done', () => {
    const { document, wrong } = edit({
      nodes: [{ id: 'new-1' }, { id: 'not an id', type: 'parser' }],
      remove_nodes: ['absent']
    })
    assert.equal(document.nodes.length, 3)
    assert.deepEqual(
      wrong.map((text) => /absent|new-1|not an id/.exec(text)?.[0]),
      ['absent', 'new-1', 'not an id']
    )
  })

  it('are read from whatever a model writes', () => {
    const bad = [
      7,
      [],
      null,
      {},
      { summary: 'x' },
      { nodes: {} },
      { nodes: [1] },
      { nodes: [{ id: 1 }] },
      { edges: ['a'] }
    ]
    for (const given of bad) assert.equal(typeof readEdits(given as never), 'string', JSON.stringify(given))
    assert.equal(typeof readEdits({ name: 'New' }), 'object')
  })
})
