import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DeadlyNode } from '../../store/hung-steps.ts'
import { DeadlyNodes } from './deadly-nodes.ts'

const RUN = { flowId: 'f', flowVersion: 3 }
const DEADLY: DeadlyNode = { ...RUN, node: 'a', death: 'hung' }

function setUp(isShared: boolean) {
  const stored: DeadlyNode[] = []
  let time = 0
  let reads = 0
  const nodes = new DeadlyNodes({
    store: {
      deadlyNodes: async () => {
        reads++
        return [...stored]
      },
      noteCrash: async ({ node }) => void stored.push({ ...DEADLY, node, death: 'crashed' })
    },
    clock: { now: () => time, stopwatch: () => time },
    isShared,
    onError: (error) => assert.fail(String(error))
  })
  return { nodes, stored, reads: () => reads, pass: (ms: number) => (time += ms) }
}

describe('nodes that take the process with them', () => {
  it('are known of their version alone, and not when a draft is tried out', async () => {
    const { nodes, stored } = setUp(false)
    stored.push(DEADLY)
    assert.equal(nodes.of(RUN), undefined)
    await nodes.read()
    assert.deepEqual([...nodes.of(RUN)!], [['a', 'hung']])
    assert.equal(nodes.of({ ...RUN, flowVersion: 4 }), undefined)
    assert.equal(nodes.of({ ...RUN, flowId: 'g' }), undefined)
    assert.equal(nodes.of({ ...RUN, isTest: true }), undefined)
  })

  it('are asked for again where other processes may know more, and else not', async () => {
    for (const isShared of [false, true]) {
      const { nodes, stored, pass, reads } = setUp(isShared)
      await nodes.read()
      stored.push(DEADLY)
      assert.equal(nodes.known(), undefined)
      pass(6_000)
      await nodes.known()
      assert.equal(reads(), isShared ? 2 : 1)
      assert.equal(nodes.of(RUN) !== undefined, isShared)
    }
  })

  it('are forgotten when the store has forgotten them', async () => {
    const { nodes, stored } = setUp(false)
    stored.push(DEADLY)
    await nodes.read()
    stored.pop()
    nodes.changed()
    await new Promise(setImmediate)
    assert.equal(nodes.of(RUN), undefined)
  })
})
