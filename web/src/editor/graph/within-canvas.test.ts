import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { node, note, ORDERS } from './flow.test-kit.ts'
import type { Flow } from './flow.ts'
import { openEdited } from './read-draft.ts'
import { withinCanvas } from './within-canvas.ts'

describe('a flow with parts beyond all bounds', () => {
  it('is drawn with those brought back, and everything else where it is', () => {
    assert.equal(withinCanvas(ORDERS), ORDERS)
    const far = { ...node('far'), position: { x: 1e308, y: 0 } }
    const wide = { ...note('wide'), size: { width: 1e300, height: 10 } }
    const lost = { ...node('lost'), position: null } as unknown as typeof far
    const flow: Flow = { ...ORDERS, nodes: [...ORDERS.nodes, far, lost], notes: [wide] }
    const drawn = withinCanvas(flow)
    assert.deepEqual(drawn.nodes.slice(0, -2), ORDERS.nodes)
    for (const part of [...drawn.nodes, ...drawn.notes!]) assert.ok(Math.abs(part.position.x) < 1e6, part.id)
    assert.equal(drawn.notes![0]!.size, undefined)
  })

  it('is edited so, whether it is live or a draft', () => {
    const [first, ...others] = ORDERS.nodes
    const nodes = [{ ...first!, position: { x: -1e308, y: 1 } }, ...others]
    const read = { ...ORDERS, nodes, id: 'f', version: 1, created_at: '', updated_at: '' }
    assert.equal(openEdited(read, null).document.nodes[0]!.position.x, 0)
  })
})
