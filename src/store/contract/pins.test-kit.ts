import assert from 'node:assert/strict'
import type { StoredPin } from '../pins.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

const pinOf = (flowId: string, given: Partial<StoredPin> = {}): StoredPin => ({
  flowId,
  node: 'api-1',
  outputs: '{"body":{"id":7}}',
  madeOf: 'of these settings',
  author: 'Ann',
  updatedAt: 1000,
  ...given
})

export function pinContract(open: OpenSubject): void {
  storeTest(open, 'a node has one pin, the last', async (subject) => {
    const { store } = subject
    const flow = sampleFlow()
    await store.flows.create(flow)
    assert.deepEqual(await store.pins.ofFlow(flow.id), [])
    assert.equal(await store.pins.put(pinOf(flow.id)), true)
    const last = pinOf(flow.id, { outputs: '{"body":"Ünïcode"}', author: null, madeOf: 'x', updatedAt: 2000 })
    assert.equal(await store.pins.put(last), true)
    for await (const { pins } of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await pins.ofFlow(flow.id), [last])
    }
  })

  storeTest(open, 'pins are read in the order of their nodes, those of one flow', async ({ store }) => {
    const [flow, other] = [sampleFlow({ slug: 'one' }), sampleFlow({ slug: 'other' })]
    for (const each of [flow, other]) await store.flows.create(each)
    for (const node of ['b', 'a_1', 'B', 'a-1']) await store.pins.put(pinOf(flow.id, { node }))
    await store.pins.put(pinOf(other.id, { node: 'c' }))
    const nodes = async (id: string) => (await store.pins.ofFlow(id)).map(({ node }) => node)
    assert.deepEqual(await nodes(flow.id), ['B', 'a-1', 'a_1', 'b'])
    assert.equal(await store.pins.remove(flow.id, ['b', 'B', 'c']), 2)
    assert.equal(await store.pins.remove(flow.id, []), 0)
    assert.deepEqual(await nodes(flow.id), ['a-1', 'a_1'])
    assert.deepEqual(await nodes(other.id), ['c'])
  })

  storeTest(
    open,
    'nothing is pinned in a flow that is not live; its pins come back with it',
    async ({ store }) => {
      const flow = sampleFlow()
      await store.flows.create(flow)
      await store.pins.put(pinOf(flow.id))
      await store.flows.remove(flow.id, 2000)
      assert.equal(await store.pins.put(pinOf(flow.id, { node: 'late' })), false)
      assert.equal(await store.pins.put(pinOf('nobody')), false)
      await store.flows.undelete(flow.id, { at: 6000 })
      assert.deepEqual(await store.pins.ofFlow(flow.id), [pinOf(flow.id)])
    }
  )

  storeTest(open, 'saving the flow and its draft leaves pins as they are', async ({ store }) => {
    const flow = sampleFlow()
    const { id, slug, context, document } = flow
    await store.flows.create(flow)
    await store.pins.put(pinOf(id))
    await store.drafts.save({ flowId: id, revision: 0, baseVersion: 1, document: '{}', author: null, at: 1 })
    const draft = { kind: 'publishes', revision: 1 } as const
    const saved = await store.flows.save({ id, slug, context, document, baseVersion: 1, at: 2, draft })
    assert.equal(saved.won, true)
    assert.deepEqual(await store.pins.ofFlow(id), [pinOf(id)])
  })
}
