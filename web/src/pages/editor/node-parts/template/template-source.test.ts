import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flow } from '../../../../editor/graph/flow.ts'
import { feedingNodes, sampleFrom, templateSource } from './template-source.ts'

const flow = {
  nodes: [],
  edges: [{ from: 'webhook-1.data', to: 'parser-1.data' }]
} as unknown as Flow

const data = { title: 'Data', type: 'data' } as const

describe('where the values of a template come from', () => {
  it('is what is wired to the data of the node', () => {
    const source = templateSource(
      flow,
      'parser-1',
      { inputs: { data }, inputs_from_template: null },
      { field: 'template' }
    )
    assert.deepEqual(source, { kind: 'data', feeds: [{ node: 'webhook-1', port: 'data' }] })
  })

  it('is the first of several wires that something came by', () => {
    const edges = ['if-1.true', 'if-1.false', 'hook-1.data'].map((from) => ({ from, to: 'parser-1.data' }))
    const branches = { nodes: [], edges } as unknown as Flow
    const facts = { inputs: { data }, inputs_from_template: null }
    const source = templateSource(branches, 'parser-1', facts, { field: 'template' })
    assert.deepEqual(feedingNodes(source), ['if-1', 'hook-1'])
    assert.equal(
      sampleFrom(source, ({ port }) => (port === 'true' ? undefined : port)),
      'false'
    )
  })

  it('is what is wired to the input that is asked for, where there are several', () => {
    const edges = ['left', 'right'].map((side) => ({ from: `${side}-1.data`, to: `join-1.${side}` }))
    const joined = { nodes: [], edges } as unknown as Flow
    const facts = { inputs: { left: data, right: data }, inputs_from_template: null }
    const feeding = (input?: string) =>
      feedingNodes(templateSource(joined, 'join-1', facts, { field: 'keys', input }))
    assert.deepEqual([feeding(), feeding('left'), feeding('right')], [['left-1'], ['left-1'], ['right-1']])
  })

  it('is the payload itself for a trigger, which has no inputs', () => {
    const source = templateSource(
      flow,
      'webhook-1',
      { inputs: {}, inputs_from_template: null },
      { field: 'deduplicate_by' }
    )
    assert.deepEqual(feedingNodes(source), ['webhook-1'])
    assert.deepEqual(
      sampleFrom(source, ({ node, port }) => ({ id: `${node}.${port}` })),
      { id: 'webhook-1.data' }
    )
  })
})
