import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowDocument, Run } from '../../../api/shapes.ts'
import { stepInputs } from './step-inputs.ts'

const run = {
  steps: [
    { node: 'hook', outputs: { data: { n: 1 }, request: { method: 'POST' } } },
    { node: 'other', outputs: null }
  ]
} as unknown as Run

const document = {
  nodes: [],
  edges: [
    { from: 'hook.data', to: 'parser.data' },
    { from: 'other.text', to: 'parser.text' },
    { from: 'hook.constructor', to: 'odd.in' },
    { from: 'parser.out', to: 'end.in' },
    { from: 'other.text', to: 'join.data' },
    { from: 'hook.data', to: 'join.data' },
    { from: 'hook.request', to: 'join.data' }
  ]
} as unknown as FlowDocument

describe('the inputs of a step', () => {
  it('are what the steps before it put out, by the wires', () => {
    assert.deepEqual(stepInputs(run, document, 'parser'), [
      { port: 'data', from: { node: 'hook', port: 'data' }, value: { n: 1 }, isTaken: true },
      { port: 'text', from: { node: 'other', port: 'text' }, value: undefined, isTaken: false }
    ])
  })

  it('are taken from the first wire that carries something', () => {
    const taken = stepInputs(run, document, 'join').map(({ from, isTaken }) => [from.node, isTaken])
    assert.deepEqual(taken, [
      ['other', false],
      ['hook', true],
      ['hook', false]
    ])
  })

  it('are the item and its place, inside a For each', () => {
    const parent = { run_id: 'r', node: 'each', index: 7 }
    const item = { trigger: 'for-each', parent, input: { sku: 'A-1' }, steps: [] } as unknown as Run
    const edges = [
      { from: 'each.item', to: 'parser.data' },
      { from: 'each.index', to: 'parser.place' }
    ]
    const inside = { nodes: [], edges } as unknown as FlowDocument
    const values = (run: Run) => stepInputs(run, inside, 'parser').map(({ value }) => value)
    assert.deepEqual(values(item), [{ sku: 'A-1' }, 7])
    // What an item gave is told as a step of its For each.
    const gave = [{ node: 'each', outputs: { result: 'done' } }] as unknown as Run['steps']
    assert.deepEqual(values({ ...item, steps: gave }), [{ sku: 'A-1' }, 7])
    assert.deepEqual(values({ ...item, trigger: 'webhook' }), [undefined, undefined])
  })

  it('are none where no wire leads', () => {
    assert.deepEqual(stepInputs(run, document, 'hook'), [])
  })

  it('are not what every object has', () => {
    assert.equal(stepInputs(run, document, 'odd')[0]!.value, undefined)
  })
})
