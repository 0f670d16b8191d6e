import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareFlows } from '../../../editor/compare/compare-flows.ts'
import type { Flow, Node } from '../../../editor/graph/flow.ts'
import { marksOf, unionFlow } from './union-flow.ts'

function node(id: string, x = 0, fields: Node['fields'] = {}): Node {
  return { id, type: 'parser', position: { x, y: 0 }, fields }
}

const before: Flow = {
  name: 'F',
  slug: 'f',
  context: '/',
  nodes: [node('gone'), node('same'), node('moved'), node('edited', 0, { template: 'a' })],
  edges: [{ from: 'gone.parsed_text', to: 'same.data' }]
}
const after: Flow = {
  ...before,
  nodes: [node('same'), node('moved', 400), node('edited', 0, { template: 'b' }), node('new')],
  edges: []
}

describe('two versions in one picture', () => {
  const comparison = compareFlows(before, after)

  it('hold what is there and what is gone', () => {
    const union = unionFlow(after, comparison)
    assert.deepEqual(
      union.nodes.map(({ id }) => id),
      ['same', 'moved', 'edited', 'new', 'gone']
    )
    assert.deepEqual(union.edges, before.edges)
  })

  it('mark what was added, removed and changed, but not what was only moved', () => {
    assert.deepEqual(
      marksOf(comparison),
      new Map([
        ['new', 'added'],
        ['gone', 'removed'],
        ['edited', 'changed'],
        ['gone.parsed_text -> same.data', 'removed']
      ])
    )
  })
})
