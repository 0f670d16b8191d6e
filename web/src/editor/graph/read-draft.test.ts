import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ORDERS } from './flow.test-kit.ts'
import type { Flow } from './flow.ts'
import { draftBody, openDraft, openEdited, type ReadDraft } from './read-draft.ts'

const facts = {
  id: 'f1',
  revision: 4,
  base_version: 2,
  live_version: 3,
  behind: true,
  errors: [],
  author: 'Ann',
  created_at: 'then',
  updated_at: 'now'
}
const draft: ReadDraft = { ...ORDERS, ...facts }

describe('a draft as it was read', () => {
  it('is parted into the document and where it stands', () => {
    const { document, standing } = openDraft(draft)
    assert.deepEqual(document, ORDERS)
    assert.deepEqual(standing, { revision: 4, baseVersion: 2, liveVersion: 3, faults: [], warnings: [] })
  })

  it('is saved with its revision, and a new one with the version that it is made from', () => {
    assert.deepEqual(draftBody(ORDERS, openDraft(draft).standing), { ...ORDERS, revision: 4 })
    const live = { ...ORDERS, id: 'f1', version: 3, created_at: 'then', updated_at: 'now' }
    const { document, standing } = openEdited(live, null)
    assert.deepEqual(draftBody(document, standing), { ...ORDERS, revision: 0, base_version: 3 })
  })

  it('is drawn without what is not a node, note or wire at all', () => {
    const [first] = ORDERS.nodes
    const odd = {
      ...draft,
      name: undefined,
      nodes: [{ fields: {} }, ...ORDERS.nodes, { ...first, title: 'Twice' }],
      edges: [{}, ...ORDERS.edges],
      notes: [{ position: { x: 0, y: 0 } }]
    } as unknown as ReadDraft
    const expected: Flow = { ...ORDERS, name: '', notes: [] }
    assert.deepEqual(openDraft(odd).document, expected)
  })
})
