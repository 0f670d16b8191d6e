import assert from 'node:assert/strict'
import type { StoredContext } from '../store.ts'
import { type OpenSubject, storeTest } from './subject.test-kit.ts'

function context(id: string, path: string, more: Partial<StoredContext> = {}): StoredContext {
  return { id, path, variables: '{}', settings: '{}', createdAt: 1000, ...more }
}

export function contextContract(open: OpenSubject): void {
  storeTest(open, 'contexts are kept, parents first, also over a restart', async ({ store, reopen }) => {
    const eu = context('b', '/sales/eu', { variables: '{"region":"eu"}' })
    const sales = context('a', '/sales', { settings: '{"rate_limit":5}' })
    await store.contexts.put([eu, sales])
    assert.deepEqual(await store.contexts.list(), [sales, eu])
    assert.deepEqual(await (await reopen()).contexts.list(), [sales, eu])
  })

  storeTest(open, 'a subtree moves as a whole, also through paths of its own', async ({ store }) => {
    await store.contexts.put([context('a', '/a'), context('b', '/a/a')])
    const moved = [context('a', '/a/a'), context('b', '/a/a/a')]
    await store.contexts.put(moved)
    assert.deepEqual(await store.contexts.list(), moved)
  })

  storeTest(open, 'of several contexts that cannot all be kept, none is', async ({ store }) => {
    const kept = context('a', '/sales')
    await store.contexts.put([kept])
    await assert.rejects(store.contexts.put([context('b', '/new'), context('c', '/sales')]))
    assert.deepEqual(await store.contexts.list(), [kept])
  })

  storeTest(open, 'a context is removed once', async ({ store }) => {
    await store.contexts.put([context('a', '/sales')])
    assert.equal(await store.contexts.remove('a'), true)
    assert.equal(await store.contexts.remove('a'), false)
    assert.deepEqual(await store.contexts.list(), [])
  })
}
