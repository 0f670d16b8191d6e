import assert from 'node:assert/strict'
import type { StoredContext } from '../contexts.ts'
import { type OpenSubject, sampleFlow, sampleKey, storeTest } from './subject.test-kit.ts'

function context(id: string, path: string, more: Partial<StoredContext> = {}): StoredContext {
  return { id, path, variables: '{}', settings: '{}', createdAt: 1000, ...more }
}

export function contextContract(open: OpenSubject): void {
  storeTest(open, 'contexts are kept, parents first, also over a restart', async ({ store, reopen }) => {
    const eu = context('b', '/sales/eu', { variables: '{"region":"eu"}' })
    const sales = context('a', '/sales', { settings: '{"rate_limit":5}' })
    await store.contexts.put([eu, sales])
    assert.deepEqual(await store.contexts.list(), [sales, eu])
    const root = context('/', '/', { variables: '{"region":"all"}' })
    await store.contexts.put([context('/', '/')])
    await store.contexts.put([root])
    assert.deepEqual(await (await reopen()).contexts.list(), [root, sales, eu])
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
    assert.equal(await store.contexts.put([context('b', '/new'), context('c', '/sales')]), 'path_taken')
    assert.deepEqual(await store.contexts.list(), [kept])
  })

  storeTest(open, 'a context is removed once', async ({ store }) => {
    await store.contexts.put([context('a', '/sales')])
    assert.equal(await store.contexts.remove('a'), 'done')
    assert.equal(await store.contexts.remove('a'), 'gone')
    assert.deepEqual(await store.contexts.list(), [])
  })

  storeTest(open, 'a context below one that has gone is not kept', async ({ store }) => {
    const [eu, west] = [context('a', '/eu'), context('b', '/eu/west')]
    assert.equal(await store.contexts.put([west], { within: '/eu' }), 'parent_gone')
    assert.equal(await store.contexts.put([eu]), 'done')
    assert.equal(await store.contexts.put([west], { within: '/eu' }), 'done')
  })

  storeTest(open, 'a context in which somebody lives is neither left nor removed', async ({ store }) => {
    const kept = context('a', '/eu')
    await store.contexts.put([kept, context('x', '/eu-2')])
    const flow = sampleFlow({ context: '/eu/west' })
    const key = sampleKey({ context: '/eu' })
    const inhabitants: [comes: () => Promise<unknown>, goes: () => Promise<unknown>][] = [
      [() => store.flows.create(flow), () => store.flows.remove(flow.id, 2000)],
      [() => store.keys.put(key), () => store.keys.remove(key.id)],
      [() => store.contexts.put([context('b', '/eu/west')]), () => store.contexts.remove('b')]
    ]
    for (const [comes, goes] of inhabitants) {
      await comes()
      assert.equal(await store.contexts.put([context('a', '/us')], { vacates: '/eu' }), 'inhabited')
      assert.equal(await store.contexts.remove('a'), 'inhabited')
      assert.equal(await store.contexts.put([kept]), 'done', 'it can be set')
      await goes()
    }
    assert.equal(await store.contexts.put([context('a', '/us')], { vacates: '/eu' }), 'done')
    assert.equal(await store.contexts.remove('a'), 'done')
  })

  storeTest(open, 'of a flow that moves in and a context that goes, one wins', async ({ store }) => {
    for (let round = 0; round < 10; round++) {
      const path = `/c${round}`
      await store.contexts.put([context(path, path)])
      const flow = sampleFlow({ context: path, isContextMade: true })
      const moveIn = () => store.flows.create(flow).then(({ won }) => won)
      const go = () => store.contexts.remove(path).then((result) => result === 'done')
      const both = round % 2 === 0 ? [moveIn(), go()] : [go(), moveIn()]
      assert.deepEqual((await Promise.all(both)).sort(), [false, true], `round ${round}`)
    }
  })
}
