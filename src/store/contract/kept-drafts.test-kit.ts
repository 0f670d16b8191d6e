import assert from 'node:assert/strict'
import { MOST_KEPT_DRAFTS } from '../kept-drafts.ts'
import type { Store } from '../store.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

/** Writes the draft of a flow; resolves to its revision. */
async function write(store: Store, flowId: string, revision: number, document: string): Promise<number> {
  const edit = { flowId, revision, baseVersion: 1, document, author: 'Ann', at: 2000 + revision }
  const result = await store.drafts.save(edit)
  assert.ok(result.won)
  return result.draft.revision
}

const numbersOf = async ({ keptDrafts }: Store, id: string) =>
  (await keptDrafts.ofFlow(id)).map(({ number }) => number)

export function keptDraftContract(open: OpenSubject): void {
  storeTest(open, 'a draft is kept as it is, and once while it stays so', async (subject) => {
    const { store } = subject
    const { id } = await madeFlow(store)
    assert.equal(await store.keptDrafts.keep(id, 'restored'), undefined)
    await write(store, id, 0, '{"a":"ü"}')
    const first = { number: 1, baseVersion: 1, author: 'Ann', updatedAt: 2000, because: 'restored' }
    assert.deepEqual(await store.keptDrafts.keep(id, 'restored'), first)
    assert.deepEqual(await store.keptDrafts.keep(id, 'restored'), first)
    await write(store, id, 1, '{"a":2}')
    await store.keptDrafts.keep(id, 'restored')
    for await (const { keptDrafts } of beforeAndAfterRestart(subject)) {
      const second = { ...first, number: 2, updatedAt: 2001 }
      assert.deepEqual(await keptDrafts.ofFlow(id), [second, first])
      assert.deepEqual(await keptDrafts.read(id, 1), { ...first, document: '{"a":"ü"}' })
      assert.equal(await keptDrafts.read(id, 3), undefined)
    }
  })

  storeTest(
    open,
    'a draft that is discarded is kept; one that is published is a version',
    async ({ store }) => {
      const flow = await madeFlow(store)
      const { id, slug, context, document } = flow
      const edit = { id, slug, context, document, at: 5 }
      const revision = await write(store, id, 0, '{"a":1}')
      assert.equal(await store.drafts.remove(id, { revision: revision + 1 }), 'stale')
      assert.deepEqual(await numbersOf(store, id), [])
      await store.drafts.remove(id, { revision })
      assert.equal((await store.keptDrafts.read(id, 1))?.because, 'discarded')
      await write(store, id, 0, '{"a":2}')
      await store.flows.save({ ...edit, baseVersion: 1, draft: { kind: 'discarded' } })
      assert.deepEqual(await numbersOf(store, id), [2, 1])
      const last = await write(store, id, 0, '{"a":3}')
      await store.flows.save({ ...edit, baseVersion: 2, draft: { kind: 'publishes', revision: last } })
      assert.deepEqual(await numbersOf(store, id), [2, 1])
    }
  )

  storeTest(open, 'the newest are kept, and none of a flow that is gone for good', async ({ store }) => {
    const { id } = await madeFlow(store)
    let revision = 0
    for (let n = 0; n < MOST_KEPT_DRAFTS + 2; n++) {
      revision = await write(store, id, revision, `{"a":${n}}`)
      await store.keptDrafts.keep(id, 'restored')
    }
    const numbers = await numbersOf(store, id)
    assert.deepEqual(
      [numbers.length, numbers[0], numbers.at(-1)],
      [MOST_KEPT_DRAFTS, MOST_KEPT_DRAFTS + 2, 3]
    )
    await store.flows.remove(id, 9)
    await store.flows.purge(id)
    assert.deepEqual(await numbersOf(store, id), [])
  })
}

async function madeFlow(store: Store) {
  const flow = sampleFlow()
  await store.flows.create(flow)
  return flow
}
