import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInTree, registerIn } from '../contexts/catalogue.test-kit.ts'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import { library, libraryOn, refusal } from './flow-library.test-kit.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

describe('removing a flow', () => {
  it('takes it off its addresses, and lets the slug be used again', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.remove(id)
    assert.deepEqual([flows.find(id), flows.find('orders'), flows.list()], [undefined, undefined, []])
    await assert.rejects(flows.remove(id), refusal('flow_not_found'))
    assert.equal((await flows.create(EXAMPLE_FLOW)).slug, 'orders')
  })

  it('while a save moves its address leaves nothing behind', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await Promise.allSettled([flows.save(id, 1, { ...EXAMPLE_FLOW, slug: 'moved' }), flows.remove(id)])
    assert.deepEqual(
      [flows.find('orders'), flows.find('moved'), flows.find(id)],
      [undefined, undefined, undefined]
    )
  })

  it('leaves its versions for runs that have not finished', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.remove(id)
    assert.equal((await flows.plan(id, 1)).nodes.length, 3)
  })
})

describe('undeleting a flow', () => {
  it('makes it live again as it was, found by its id and its slug', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    const saved = await flows.save(id, 1, { ...EXAMPLE_FLOW, name: 'Renamed' })
    await flows.remove(id)
    assert.equal((await flows.removed(id))?.slug, 'orders')
    const again = await flows.undelete(id)
    assert.deepEqual([again.version, again.document, again.updatedAt], [2, saved.document, saved.updatedAt])
    assert.equal(flows.get('orders'), again)
    assert.equal(await flows.removed(id), undefined)
  })

  it('is refused where its slug was taken, and says what to do', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    await flows.remove(id)
    await flows.create(EXAMPLE_FLOW)
    await assert.rejects(
      flows.undelete(id),
      refusal('slug_taken', /"orders" since .* Give that one another slug/)
    )
  })

  it('is refused where the flow is live, or never was', async () => {
    const flows = library()
    const { id } = await flows.create(EXAMPLE_FLOW)
    for (const reference of [id, 'nobody']) {
      await assert.rejects(flows.undelete(reference), refusal('flow_not_found'))
    }
  })

  it('is refused where its component has gone', async () => {
    const store = new MemoryFlowStore()
    const tree = builtInTree()
    registerIn(tree, '/', { type: 'gone', title: 'Gone', run: () => ({}) }, 'test')
    const { id } = await libraryOn(store, tree).create({ name: 'A', nodes: [{ id: 'a', type: 'gone' }] })
    const flows = libraryOn(store)
    await flows.load()
    await flows.remove(id)
    await assert.rejects(flows.undelete(id), refusal('flow_invalid', /gone/))
  })
})
