import assert from 'node:assert/strict'
import { type OpenSubject, sampleConnection, storeTest } from './subject.test-kit.ts'

export function connectionContract(open: OpenSubject): void {
  storeTest(
    open,
    'connections are kept by context and name, also over a restart',
    async ({ store, reopen }) => {
      const inSales = sampleConnection({ context: '/sales', isTrusted: true })
      const inRoot = sampleConnection({ settings: '{"a":"ö"}', secrets: '{}' })
      const other = sampleConnection({ name: 'bank' })
      for (const one of [inSales, inRoot, other]) assert.equal(await store.connections.create(one), 'done')
      assert.deepEqual(await store.connections.list(), [other, inRoot, inSales])
      assert.deepEqual(await (await reopen()).connections.list(), [other, inRoot, inSales])
    }
  )

  storeTest(open, 'a name is taken once in a context', async ({ store }) => {
    const first = sampleConnection()
    const other = sampleConnection({ name: 'bank' })
    await store.connections.create(first)
    await store.connections.create(other)
    assert.equal(await store.connections.create(sampleConnection()), 'name_taken')
    assert.equal(await store.connections.replace({ ...other, name: 'shop', revision: 2 }), 'name_taken')
    const together = await Promise.all(
      ['a', 'a', 'b'].map((name) => store.connections.create(sampleConnection({ name })))
    )
    assert.deepEqual(together, ['done', 'name_taken', 'done'])
  })

  storeTest(open, 'it is replaced from the revision that was read, once', async ({ store }) => {
    const first = sampleConnection()
    await store.connections.create(first)
    const second = {
      ...first,
      name: 'renamed',
      settings: '{}',
      isTrusted: true,
      revision: 2,
      updatedAt: 2000
    }
    assert.equal(await store.connections.replace(second), 'done')
    assert.equal(await store.connections.replace({ ...first, revision: 2 }), 'stale')
    assert.deepEqual(await store.connections.list(), [second])
  })

  storeTest(open, 'it is removed once, and not replaced after', async ({ store }) => {
    const first = sampleConnection()
    await store.connections.create(first)
    assert.equal(await store.connections.remove(first.id), true)
    assert.equal(await store.connections.remove(first.id), false)
    assert.equal(await store.connections.replace({ ...first, revision: 2 }), 'stale')
    assert.deepEqual(await store.connections.list(), [])
  })

  storeTest(open, 'it comes back from the bin, or goes for good', async ({ store, reopen }) => {
    const [one, other] = [sampleConnection({ name: 'one' }), sampleConnection({ name: 'other' })]
    for (const each of [one, other]) await store.connections.create(each)
    const gone = { deletedAt: 5000, deletedBy: 'Ann' }
    assert.equal(await store.connections.bin(one.id, gone), true)
    assert.equal(await store.connections.bin(one.id, gone), false)
    assert.deepEqual(await store.connections.list(), [other])
    await store.connections.bin(other.id, { deletedAt: 6000, deletedBy: null })
    const { connections } = await reopen()
    assert.deepEqual(await connections.removed(), [
      { ...other, deletedAt: 6000, deletedBy: null },
      { ...one, ...gone }
    ])
    await connections.create(sampleConnection({ name: 'other' }))
    assert.equal(await connections.undelete(other.id), 'name_taken')
    assert.equal(await connections.undelete(one.id), 'done')
    assert.equal(await connections.undelete(one.id), 'stale')
    assert.deepEqual(
      (await connections.list()).find(({ id }) => id === one.id),
      { ...one, revision: one.revision + 1 }
    )
    assert.equal(await connections.forgetRemoved(6000, 9), 0)
    assert.equal(await connections.forgetRemoved(6001, 9), 1)
    assert.deepEqual(await connections.removed(), [])
  })

  storeTest(
    open,
    'its tokens are written from the revision that was read, once',
    async ({ store, reopen }) => {
      const { id: connectionId } = sampleConnection({ id: 'c1' })
      const first = { connectionId, tokens: '', holder: 'p1', leasedUntil: 9_000_000_000_000, revision: 1 }
      assert.equal(await store.tokens.write(first), false, 'there is no such connection')
      await store.connections.create(sampleConnection({ id: connectionId }))
      const { tokens } = store
      // Side by side: either of them may be the one.
      const written = await Promise.all([tokens.write(first), tokens.write(first)])
      assert.deepEqual(written.toSorted(), [false, true])
      assert.equal(await tokens.write({ ...first, revision: 3 }), false)
      const second = { ...first, tokens: 'sealed', holder: null, leasedUntil: 0, revision: 2 }
      assert.deepEqual(
        (await Promise.all([1, 2, 3].map(() => tokens.write(second)))).filter((isDone) => isDone),
        [true]
      )
      await store.connections.replace(sampleConnection({ id: connectionId, revision: 2 }))
      const reopened = await reopen()
      assert.deepEqual(await reopened.tokens.find(connectionId), second)
      assert.deepEqual(await reopened.tokens.list(), [second])
    }
  )

  storeTest(
    open,
    'its tokens go with what replaces it, where they are not good for that',
    async ({ store }) => {
      const [shop, other] = [sampleConnection({ name: 'shop' }), sampleConnection({ name: 'other' })]
      for (const each of [shop, other]) await store.connections.create(each)
      const tokens = { connectionId: shop.id, tokens: 'x', holder: null, leasedUntil: 0, revision: 1 }
      await store.tokens.write(tokens)
      const replaced = (more: object) =>
        store.connections.replace({ ...shop, revision: 2, ...more }, { voidsTokens: true })
      assert.deepEqual(
        [await replaced({ revision: 3 }), await replaced({ name: 'other' })],
        ['stale', 'name_taken']
      )
      assert.deepEqual(await store.tokens.find(shop.id), tokens, 'nothing was changed')
      assert.equal(await replaced({}), 'done')
      assert.deepEqual(await store.tokens.find(shop.id), { ...tokens, tokens: '', revision: 2 })
    }
  )

  storeTest(open, 'its tokens go with it', async ({ store }) => {
    const connection = sampleConnection()
    const tokens = { connectionId: connection.id, tokens: 'x', holder: null, leasedUntil: 0, revision: 1 }
    await store.connections.create(connection)
    await store.tokens.write(tokens)
    await store.connections.remove(connection.id)
    assert.equal(await store.tokens.find(connection.id), undefined)
    assert.equal(await store.tokens.write({ ...tokens, revision: 2 }), false)
  })

  storeTest(open, 'it gets into a context that was made only while that is there', async ({ store }) => {
    const made = { isContextMade: true }
    const connection = sampleConnection({ context: '/made' })
    assert.equal(await store.connections.create(connection, made), 'context_gone')
    await store.contexts.put([{ id: 'c', path: '/made', variables: '{}', settings: '{}', createdAt: 1 }])
    assert.equal(await store.connections.create(connection, made), 'done')
    assert.equal(await store.contexts.remove('c'), 'inhabited')
    await store.connections.remove(connection.id)
    assert.equal(await store.contexts.remove('c'), 'done')
  })
}
