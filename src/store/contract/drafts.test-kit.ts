import assert from 'node:assert/strict'
import type { DraftSave } from '../drafts.ts'
import type { Store } from '../store.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

async function withFlow(store: Store): Promise<string> {
  const flow = sampleFlow()
  await store.flows.create(flow)
  return flow.id
}

function draftOf(flowId: string, given: Partial<DraftSave> = {}): DraftSave {
  return { flowId, revision: 0, baseVersion: 1, document: '{"a":1}', author: 'Ann', at: 2000, ...given }
}

async function saved(store: Store, save: DraftSave) {
  const result = await store.drafts.save(save)
  assert.ok(result.won)
  return result.draft
}

export function draftContract(open: OpenSubject): void {
  storeTest(open, 'a draft is kept with the revision that it was edited from', async (subject) => {
    const id = await withFlow(subject.store)
    assert.equal(await subject.store.drafts.find(id), undefined)
    await saved(subject.store, draftOf(id))
    await saved(subject.store, draftOf(id, { revision: 1, document: '{"a":2}', author: null, at: 3000 }))
    const expected = {
      flowId: id,
      revision: 2,
      baseVersion: 1,
      document: '{"a":2}',
      author: null,
      createdAt: 2000,
      updatedAt: 3000
    }
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.drafts.find(id), expected)
    }
  })

  storeTest(open, 'the drafts of some flows are read together', async ({ store }) => {
    const ids = [await withFlow(store), await withFlow(store), await withFlow(store), await withFlow(store)]
    const first = await saved(store, draftOf(ids[0]!))
    await saved(store, draftOf(ids[1]!))
    await store.drafts.remove(ids[1]!)
    await saved(store, draftOf(ids[2]!))
    assert.deepEqual(await store.drafts.ofFlows([ids[0]!, ids[1]!, ids[3]!, 'nobody']), [first])
    assert.deepEqual(await store.drafts.ofFlows([]), [])
  })

  storeTest(open, 'a draft that was edited from another revision is refused', async ({ store }) => {
    const id = await withFlow(store)
    const refused = (draft: unknown) => ({ won: false, because: 'stale', draft })
    assert.deepEqual(await store.drafts.save(draftOf(id, { revision: 1 })), refused(undefined))
    const first = await saved(store, draftOf(id))
    for (const revision of [0, 2]) {
      const other = draftOf(id, { revision, document: '{"b":1}' })
      assert.deepEqual(await store.drafts.save(other), refused(first))
    }
    assert.deepEqual(await store.drafts.find(id), first)
  })

  storeTest(open, 'of two saves of one revision exactly one wins', async ({ store }) => {
    const id = await withFlow(store)
    const results = await Promise.all(
      ['{"a":1}', '{"b":1}'].map((document) => store.drafts.save(draftOf(id, { document })))
    )
    assert.deepEqual(results.map(({ won }) => won).sort(), [false, true])
  })

  storeTest(
    open,
    'what is there already is no conflict: its answer may have been lost',
    async ({ store }) => {
      const id = await withFlow(store)
      const first = await saved(store, draftOf(id))
      assert.deepEqual(await saved(store, draftOf(id, { at: 9000 })), first)
    }
  )

  storeTest(open, 'revisions are never given again', async ({ store }) => {
    const id = await withFlow(store)
    await saved(store, draftOf(id))
    assert.equal(await store.drafts.remove(id, { revision: 2 }), 'stale')
    assert.equal(await store.drafts.remove(id, { revision: 1 }), 'removed')
    assert.equal(await store.drafts.remove(id), 'none')
    assert.equal(await store.drafts.find(id), undefined)
    assert.equal((await store.drafts.save(draftOf(id, { revision: 1, document: '{}' }))).won, false)
    const next = await saved(store, draftOf(id, { at: 5000 }))
    assert.deepEqual([next.revision, next.createdAt], [2, 5000])
    assert.equal(await store.drafts.remove(id), 'removed')
  })

  storeTest(open, 'a draft goes and comes back with its flow', async ({ store }) => {
    const id = await withFlow(store)
    assert.deepEqual(await store.drafts.save(draftOf('nobody')), { won: false, because: 'gone' })
    const draft = await saved(store, draftOf(id))
    await store.flows.remove(id, 3000)
    assert.deepEqual(await store.drafts.save(draftOf(id, { revision: 1 })), { won: false, because: 'gone' })
    await store.flows.undelete(id, { at: 6000 })
    assert.deepEqual(await store.drafts.find(id), draft)
  })

  storeTest(open, 'a save of the flow ends the draft that it publishes, or nothing', async ({ store }) => {
    const id = await withFlow(store)
    await saved(store, draftOf(id))
    const save = { id, baseVersion: 1, slug: 'a', context: '/', document: '2', at: 3000 }
    const publish = (revision: number) =>
      store.flows.save({ ...save, draft: { kind: 'publishes', revision } })
    assert.deepEqual(await publish(2), { won: false, because: 'draft_stale' })
    assert.equal((await store.flows.live())[0]!.version, 1)
    assert.equal((await publish(1)).won, true)
    assert.equal(await store.drafts.find(id), undefined)
    assert.deepEqual(await publish(1), { won: false, because: 'stale' })
    const again = { ...save, baseVersion: 2, draft: { kind: 'publishes', revision: 1 } } as const
    assert.deepEqual(await store.flows.save(again), { won: false, because: 'draft_stale' })
  })

  storeTest(open, 'any other save leaves it, unless it says otherwise', async ({ store }) => {
    const id = await withFlow(store)
    const draft = await saved(store, draftOf(id))
    const save = { id, slug: 'a', context: '/', document: '2', at: 3000 }
    await store.flows.save({ ...save, baseVersion: 1 })
    assert.deepEqual(await store.drafts.find(id), draft)
    for (const baseVersion of [2, 3]) {
      const discarding = { ...save, baseVersion, draft: { kind: 'discarded' } } as const
      assert.equal((await store.flows.save(discarding)).won, true)
      assert.equal(await store.drafts.find(id), undefined)
    }
  })

  storeTest(open, 'a draft comes back with a new version, unless there is another', async ({ store }) => {
    const id = await withFlow(store)
    await saved(store, draftOf(id))
    const save = { id, slug: 'a', context: '/', document: '2', at: 3000 }
    await store.flows.save({ ...save, baseVersion: 1, draft: { kind: 'publishes', revision: 1 } })
    const back = { kind: 'comesBack', document: '{"mine":1}', author: 'Ann' } as const
    await store.flows.save({ ...save, baseVersion: 2, draft: back, at: 4000 })
    const expected = { flowId: id, document: '{"mine":1}', author: 'Ann', createdAt: 4000, updatedAt: 4000 }
    assert.deepEqual(await store.drafts.find(id), { ...expected, revision: 2, baseVersion: 3 })
    await store.flows.save({ ...save, baseVersion: 3, draft: { ...back, document: '{"other":1}' } })
    assert.deepEqual(await store.drafts.find(id), { ...expected, revision: 3, baseVersion: 4 })
  })
}
