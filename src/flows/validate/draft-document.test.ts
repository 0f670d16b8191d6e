import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atOnce } from '../in-turns.ts'
import { readDraftInTurns } from './draft-document.ts'

describe('what can be kept as a draft', () => {
  for (const [what, sent] of Object.entries({
    nothing: {},
    'a name of the wrong kind': { name: 7 },
    'a node without id and type': { nodes: [{}] },
    'an edge that leads nowhere': { edges: [{ from: 'a' }] },
    'a member that nobody knows': { colour: 'red' },
    'half a template': { nodes: [{ id: 'p', type: 'parser', fields: { template: '{customer.na' } }] }
  })) {
    it(what, () => assert.ok(atOnce(readDraftInTurns(sent)).document !== undefined))
  }

  it('is completed, and what only a read draft has is left out', () => {
    const sent = {
      id: 'x',
      version: 3,
      revision: 2,
      base_version: 1,
      behind: true,
      errors: [],
      author: 'Ann'
    }
    assert.deepEqual(atOnce(readDraftInTurns({ ...sent, nodes: [{ id: 'a' }] })).document, {
      context: '/',
      edges: [],
      nodes: [{ id: 'a', fields: {}, position: { x: 0, y: 0 } }]
    })
  })
})

describe('what is no document at all', () => {
  for (const [path, sent] of [
    ['/nodes', { nodes: {} }],
    ['/nodes/0', { nodes: ['webhook'] }],
    ['/nodes/0/fields', { nodes: [{ fields: 'template' }] }],
    ['/edges/1', { edges: [{}, null] }],
    ['/notes', { notes: 'Hello' }],
    ['/notes', { notes: Array.from({ length: 1_001 }, () => ({})) }]
  ] as const) {
    it(`has a fault at ${path}: ${JSON.stringify(sent).slice(0, 40)}`, () => {
      const faults = atOnce(readDraftInTurns(sent)).faults ?? []
      assert.deepEqual(
        faults.map((fault) => fault.path),
        [path]
      )
    })
  }
})
