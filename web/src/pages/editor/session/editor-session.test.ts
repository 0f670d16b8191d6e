import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { node, ORDERS } from '../../../editor/graph/flow.test-kit.ts'
import { testCatalogue } from '../../../editor/wiring/page-catalogue.test-kit.ts'
import { EditorSession } from './editor-session.ts'

function openSession() {
  const session = new EditorSession({
    flowId: 'orders',
    flow: ORDERS,
    live: { version: 1, document: ORDERS },
    catalogue: testCatalogue(),
    isReadOnly: false,
    now: () => 0
  })
  const add = (id: string) => session.insert({ nodes: [node(id)], edges: [], notes: [] }, 'add')[0]!
  return { session, add, untouched: () => [...session.state().untouched] }
}

describe('what a node still lacks', () => {
  it('is no fault of whoever adds one node after the other', () => {
    const { add, untouched } = openSession()
    assert.deepEqual([add('first'), add('second')], untouched())
  })

  it('is a fault of the node that somebody left, or worked on, and of no other', () => {
    const { session, add, untouched } = openSession()
    const [first, second, third] = [add('first'), add('second'), add('third')]
    session.setField(first, 'template', 'Hello')
    assert.deepEqual(untouched(), [second, third])
    session.select({ parts: new Set([third]) })
    assert.deepEqual(untouched(), [second, third])
    session.select({ parts: new Set() })
    assert.deepEqual(untouched(), [second])
  })

  it('is a fault of all where somebody looks at what is to be published', () => {
    const { session, add, untouched } = openSession()
    add('first')
    session.showPanel({ id: 'publish', title: 'Publish', content: null })
    assert.deepEqual(untouched(), [])
  })
})
