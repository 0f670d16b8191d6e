import assert from 'node:assert/strict'
import { type OpenSubject, sampleKey, storeTest } from './subject.test-kit.ts'

export function keyContract(open: OpenSubject): void {
  storeTest(open, 'keys are kept, oldest first, also over a restart', async ({ store, reopen }) => {
    const second = sampleKey({ createdAt: 2000, flowId: 'flow-a', context: null, expiresAt: 9000 })
    const first = sampleKey({ createdAt: 1000, rights: [] })
    await store.keys.put(second)
    await store.keys.put(first)
    assert.deepEqual(await store.keys.list(), [first, second])
    assert.deepEqual(await (await reopen()).keys.list(), [first, second])
  })

  storeTest(open, 'a key of the same id is replaced', async ({ store }) => {
    const key = sampleKey()
    await store.keys.put(key)
    const renamed = { ...key, name: 'renamed', rights: ['read'], lastUsedAt: 5 }
    await store.keys.put(renamed)
    assert.deepEqual(await store.keys.list(), [renamed])
  })

  storeTest(open, 'a key is removed once', async ({ store, reopen }) => {
    const key = sampleKey()
    await store.keys.put(key)
    assert.equal(await store.keys.remove(key.id), 'removed')
    assert.equal(await store.keys.remove(key.id), 'unknown')
    assert.deepEqual(await (await reopen()).keys.list(), [])
  })

  storeTest(open, 'of two keys that are removed unless they are the last, one stays', async ({ store }) => {
    const [a, b] = [sampleKey({ createdAt: 1 }), sampleKey({ createdAt: 2 })]
    await store.keys.put(a)
    await store.keys.put(b)
    const isNotLast = (_key: unknown, others: readonly unknown[]) => others.length > 0
    const both = [a, b].map(({ id }) => store.keys.remove(id, isNotLast))
    assert.deepEqual(await Promise.all(both), ['removed', 'refused'])
    assert.deepEqual(await store.keys.list(), [b])
  })

  storeTest(open, 'the last use is recorded and never goes back', async ({ store }) => {
    const [a, b] = [sampleKey({ createdAt: 1 }), sampleKey({ createdAt: 2 })]
    await store.keys.put(a)
    await store.keys.put(b)
    const lastUses = async () => (await store.keys.list()).map((key) => key.lastUsedAt)
    await store.keys.touch(
      new Map([
        [a.id, 500],
        ['removed-meanwhile', 500]
      ])
    )
    assert.deepEqual(await lastUses(), [500, null])
    await store.keys.touch(
      new Map([
        [a.id, 400],
        [b.id, 600]
      ])
    )
    assert.deepEqual(await lastUses(), [500, 600])
    await store.keys.touch(new Map())
    assert.deepEqual(await lastUses(), [500, 600])
  })
}
