import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { EXAMPLE_FLOW } from '../../flows/document/example-flow.ts'
import { libraryOn } from '../../library/flow-library.test-kit.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { MemoryFlowStore } from '../../library/flow-store.test-kit.ts'
import { FlowLimits } from './flow-limits.ts'

/** Its Webhook node lets so many runs go on at the same time. */
function flowOf(concurrency: number) {
  const nodes = EXAMPLE_FLOW.nodes.map((node) =>
    node.type === 'webhook' ? { ...node, fields: { ...node.fields, concurrency } } : node
  )
  return { ...EXAMPLE_FLOW, nodes }
}

function limitsOf(library: FlowLibrary) {
  const told: string[] = []
  const limits = new FlowLimits({
    library,
    onMore: () => told.push('more'),
    onError: (_, doing) => told.push(doing)
  })
  return { limits, told }
}

/** As for a process that begins after the flow was deleted. */
async function deletedBefore(concurrency: number) {
  const store = new MemoryFlowStore()
  const before = libraryOn(store)
  const { id } = await before.create(flowOf(concurrency))
  await before.remove(id)
  return { id, store, ...limitsOf(libraryOn(store)) }
}

describe('the limit of a flow', () => {
  it('stays when the flow is deleted, and is its own again when that is taken back', async () => {
    const library = libraryOn(new MemoryFlowStore())
    const { limits, told } = limitsOf(library)
    const { id } = await library.create(flowOf(2))
    assert.equal(limits.of(id), 2)
    await library.remove(id)
    assert.equal(limits.of(id), 2)
    await library.undelete(id)
    await library.save(id, 1, flowOf(4))
    assert.equal(limits.of(id), 4)
    assert.deepEqual(told, [])
  })

  it('is read where the flow was deleted before this process began: until then one run may go on', async () => {
    const { id, limits, told } = await deletedBefore(5)
    assert.deepEqual([limits.of(id), limits.of(id)], [1, 1])
    await turnOfTheLoop()
    assert.deepEqual([limits.of(id), told], [5, ['more']])
  })

  it('is asked for again after the store has not answered', async () => {
    const { id, store, limits, told } = await deletedBefore(0)
    const { removed } = store
    store.removed = () => Promise.reject(new Error('away'))
    assert.equal(limits.of(id), 1)
    await turnOfTheLoop()
    store.removed = removed
    assert.equal(limits.of(id), 1)
    await turnOfTheLoop()
    assert.equal(limits.of(id), Number.POSITIVE_INFINITY)
    assert.deepEqual(told, ['reading the limit of a deleted flow', 'more'])
  })
})
