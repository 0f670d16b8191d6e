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
      'template'
    )
    assert.deepEqual(source, { kind: 'data', feed: { node: 'webhook-1', port: 'data' } })
  })

  it('is the payload itself for a trigger, which has no inputs', () => {
    const source = templateSource(
      flow,
      'webhook-1',
      { inputs: {}, inputs_from_template: null },
      'deduplicate_by'
    )
    assert.deepEqual(feedingNodes(source), ['webhook-1'])
    assert.deepEqual(
      sampleFrom(source, ({ node, port }) => ({ id: `${node}.${port}` })),
      { id: 'webhook-1.data' }
    )
  })
})
