import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nodeSize, portPlace } from './node-geometry.ts'

const ONE = { inputs: ['data'], outputs: ['text'] }
const TWO = { inputs: ['text', 'data'], outputs: ['text', 'data', 'usage'] }

describe('the size of a node', () => {
  it('is that of its head where a port is alone on its side', () => {
    assert.deepEqual(nodeSize(ONE), nodeSize({ inputs: [], outputs: [] }))
  })

  it('has a row for each port of the longer side', () => {
    assert.equal(nodeSize(TWO).height - nodeSize(ONE).height, 3 * 24 + 6)
  })

  it('has a row for a branch that is alone', () => {
    const alone = { inputs: [], outputs: [{ name: 'error' }] }
    assert.ok(nodeSize(alone).height > nodeSize(ONE).height)
    const cases = { inputs: [], outputs: ['default'], component: { outputs_from_list: 'cases' } }
    assert.ok(nodeSize(cases).height > nodeSize(ONE).height)
  })
})

describe('the place of a port', () => {
  it('is in the middle of the head where it is alone', () => {
    const { height, width } = nodeSize(ONE)
    assert.deepEqual(portPlace(ONE, 'output', 0), { x: width, y: height / 2 })
    assert.deepEqual(portPlace(ONE, 'input', 0), { x: 0, y: height / 2 })
  })

  it('is inside the node, row by row', () => {
    const places = TWO.outputs.map((_, row) => portPlace(TWO, 'output', row).y)
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other)
    )
    assert.ok(places.every((y) => y > nodeSize(ONE).height - 2 && y < nodeSize(TWO).height))
  })
})
