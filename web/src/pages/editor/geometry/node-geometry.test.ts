import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectedSize } from './node-geometry.ts'

type Drawn = Parameters<typeof expectedSize>[0]

const DATA = { name: 'data', port: { title: 'Data', type: 'data' }, isGone: false }

function parserWith(template: string): Drawn {
  const node = { id: 'parser-1', type: 'parser', position: { x: 0, y: 0 }, fields: { template } }
  const fields = {
    mode: { kind: 'choice', title: 'Mode' },
    template: { kind: 'template', title: 'Template' },
    separator: { kind: 'text', title: 'Separator', hidden: true }
  }
  return { node, component: { fields }, inputs: [DATA], outputs: [DATA] } as unknown as Drawn
}

/** What the browser measures. Nodes that are out of sight are laid out by this: too little, and they cover each other. */
describe('the size of a node that was never drawn', () => {
  it('counts what stands below its fields', () => {
    assert.ok(Math.abs(expectedSize(parserWith('Order {order_id}')).height - 289) <= 4)
  })

  it('grows with its template, as far as that grows', () => {
    const line = '{customer.name} and {a long key with spaces}'
    assert.ok(Math.abs(expectedSize(parserWith(`${line}\n`.repeat(3))).height - 346) <= 4)
    assert.ok(Math.abs(expectedSize(parserWith(`${line}\n`.repeat(40))).height - 346) <= 4)
  })

  it('is a head with ports where it is folded', () => {
    const { node, ...rest } = parserWith('Order {order_id}')
    assert.equal(expectedSize({ ...rest, node: { ...node, collapsed: true } }).height, 90)
  })
})
