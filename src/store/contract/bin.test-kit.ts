import assert from 'node:assert/strict'
import type { Store } from '../store.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

async function removedAt(store: Store, at: number, slug: string): Promise<string> {
  const flow = sampleFlow({ slug })
  await store.flows.create(flow)
  await store.flows.remove(flow.id, at)
  return flow.id
}

async function binIds(store: Store): Promise<string[]> {
  return (await store.flows.bin({ limit: 100 })).map(({ id }) => id)
}

export function binContract(open: OpenSubject): void {
  storeTest(open, 'removed flows are listed, the last ones first, page by page', async (subject) => {
    const { store } = subject
    await store.flows.create(sampleFlow({ slug: 'live' }))
    const [first, last, middle] = [
      await removedAt(store, 1000, 'a'),
      await removedAt(store, 3000, 'b'),
      await removedAt(store, 2000, 'c')
    ]
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await binIds(each), [last, middle, first])
      const page = await each.flows.bin({ limit: 2 })
      assert.deepEqual(
        page.map(({ slug, deletedAt }) => [slug, deletedAt]),
        [
          ['b', 3000],
          ['c', 2000]
        ]
      )
      const rest = await each.flows.bin({ limit: 2, after: page[1]! })
      assert.deepEqual(
        rest.map(({ id }) => id),
        [first]
      )
      assert.deepEqual(await each.flows.removedBefore(2000, 10), [first])
      assert.deepEqual(await each.flows.removedBefore(9000, 2), [first, middle])
    }
  })

  storeTest(open, 'the slugs of a removed flow are only for those who may have them', async ({ store }) => {
    const { flows } = store
    const gone = sampleFlow({ slug: 'former', context: '/b' })
    const { id, context, document } = gone
    await flows.create(gone)
    await flows.save({ id, slug: 'last', context, document, baseVersion: 1, at: 2, keepsSlug: true })
    await flows.remove(id, 1000)
    const mayTake = (deleted: { readonly context: string }) => deleted.context === '/a'
    const other = sampleFlow({ slug: 'mine', context: '/a' })
    assert.ok((await flows.create({ ...other, mayTake })).won)
    const refused = { won: false, because: 'slug_taken' }
    for (const slug of ['former', 'last']) {
      assert.deepEqual(await flows.create({ ...sampleFlow({ slug, context: '/a' }), mayTake }), refused)
      const save = { id: other.id, slug, context: '/a', document, baseVersion: 1, at: 3, mayTake }
      assert.deepEqual(await flows.save(save), refused)
    }
    const earlier = await removedAt(store, 500, 'last')
    assert.deepEqual(
      await flows.undelete(earlier, { at: 2000, mayTake }),
      refused,
      'it gave the slug up before'
    )
    const again = await flows.undelete(id, { at: 2000, mayTake })
    assert.ok(again.won, 'nobody has had it since')
    await flows.remove(id, 1000)
    await flows.purge(id)
    await flows.purge(earlier)
    assert.ok((await flows.create({ ...sampleFlow({ slug: 'last' }), mayTake })).won)
    assert.ok((await flows.create(sampleFlow({ slug: 'former' }))).won)
  })

  storeTest(open, 'who removed a flow is told, until it is back', async (subject) => {
    const { store } = subject
    const flow = sampleFlow({ slug: 'a' })
    await store.flows.create(flow)
    await store.flows.remove(flow.id, 1000, 'Ann')
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.equal((await each.flows.bin({ limit: 1 }))[0]?.deletedBy, 'Ann')
    }
    const again = await subject.reopen()
    await again.flows.undelete(flow.id, { at: 2000 })
    await again.flows.remove(flow.id, 2000)
    assert.equal((await again.flows.bin({ limit: 1 }))[0]?.deletedBy, null)
  })

  storeTest(open, 'a removed flow goes for good, with all but its id', async (subject) => {
    const { store } = subject
    const flow = sampleFlow({ slug: 'a' })
    const { id, context, document } = flow
    await store.flows.create(flow)
    await store.flows.save({ id, slug: 'b', context, document, baseVersion: 1, at: 2, keepsSlug: true })
    await store.drafts.save({ flowId: id, revision: 0, baseVersion: 2, author: 'Ann', document, at: 3 })
    await store.pins.put({ flowId: id, node: 'a', outputs: '{}', madeOf: '', author: null, updatedAt: 3 })
    assert.equal(await store.flows.purge(id), false, 'it is live')
    await store.flows.remove(id, 1000)
    assert.equal(await store.flows.purge(id), true)
    assert.equal(await store.flows.purge(id), false)
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await binIds(each), [])
      assert.deepEqual(await each.flows.removedBefore(9000, 10), [])
      assert.equal(await each.flows.removed(id), undefined)
      assert.equal(await each.flows.version(id, 1), undefined)
      assert.equal(await each.drafts.find(id), undefined)
      assert.deepEqual(await each.pins.ofFlow(id), [])
      assert.deepEqual(await each.flows.aliases(id), [])
      assert.deepEqual(await each.flows.undelete(id, { at: 2000 }), { won: false, because: 'gone' })
      assert.deepEqual(await each.flows.create({ ...flow, slug: 'other' }), { won: false, because: 'gone' })
    }
  })
}
