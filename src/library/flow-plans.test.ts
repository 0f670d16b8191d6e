import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInTree, registerIn } from '../contexts/catalogue.test-kit.ts'
import { PlanError } from '../engine/plan.ts'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import { library, libraryOn } from './flow-library.test-kit.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

describe('plans', () => {
  it('of the live version are at hand and made once', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    const plan = flows.plan(id, 1)
    assert.ok(!(plan instanceof Promise))
    assert.equal(flows.plan(id, 1), plan)
  })

  it('of an earlier version are read once: a run finishes on the version that it started with', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.save(id, 1, { ...EXAMPLE_FLOW, nodes: [], edges: [] })
    const plan = await flows.plan(id, 1)
    assert.deepEqual([plan.version, plan.nodes.length], [1, 3])
    assert.equal(flows.plan(id, 1), plan)
  })

  it('of a flow whose component has gone name the node', async () => {
    const tree = builtInTree()
    registerIn(tree, '/', { type: 'gone', title: 'Gone', run: () => ({}) }, 'plugin')
    const store = new MemoryFlowStore()
    const { id } = await libraryOn(store, tree).create({ name: 'A', nodes: [{ id: 'a', type: 'gone' }] })
    const after = libraryOn(store)
    await after.load()
    assert.throws(
      () => after.plan(id, 1),
      (error) => error instanceof PlanError && error.node === 'a'
    )
  })
})
