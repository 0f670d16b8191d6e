import assert from 'node:assert/strict'
import { type OpenSubject, sampleConnection, sampleDocument, storeTest } from './subject.test-kit.ts'

const pieces = { index: ['one', 'twö'], parts: ['first', 'second'] }

export function connectionDocumentContract(open: OpenSubject): void {
  storeTest(open, 'a document is kept with its pieces, also over a restart', async ({ store, reopen }) => {
    const document = sampleDocument({ connectionId: 'c1' })
    assert.equal(await store.documents.put(document, pieces), false, 'there is no such connection')
    await store.connections.create(sampleConnection({ id: 'c1' }))
    assert.equal(await store.documents.put(document, pieces), true)
    await store.connections.replace(sampleConnection({ id: 'c1', revision: 2 }))
    const { documents } = await reopen()
    assert.deepEqual(await documents.list(), [document])
    assert.deepEqual(await documents.index(document.id), ['one', 'twö'])
    assert.equal(await documents.part(document.id, 1), 'second')
    assert.equal(await documents.part(document.id, 2), undefined)
  })

  storeTest(open, 'one takes the place of the other, and nothing of that is left', async ({ store }) => {
    const { documents } = store
    await store.connections.create(sampleConnection({ id: 'c1' }))
    const [first, second] = [sampleDocument({ connectionId: 'c1' }), sampleDocument({ connectionId: 'c1' })]
    await documents.put(first, pieces)
    await documents.put(second, { index: ['other'], parts: ['one'] })
    assert.deepEqual(await documents.list(), [second])
    assert.deepEqual(await documents.index(first.id), [])
    assert.equal(await documents.part(first.id, 0), undefined)
    assert.deepEqual(await documents.index(second.id), ['other'])
    assert.equal(await documents.remove('c1'), true)
    assert.equal(await documents.remove('c1'), false)
    assert.deepEqual([await documents.list(), await documents.index(second.id)], [[], []])
  })

  storeTest(open, 'it goes with its connection', async ({ store }) => {
    const { documents } = store
    await store.connections.create(sampleConnection({ id: 'c1' }))
    const document = sampleDocument({ connectionId: 'c1' })
    await documents.put(document, pieces)
    await store.connections.remove('c1')
    assert.deepEqual([await documents.list(), await documents.part(document.id, 0)], [[], undefined])
    assert.equal(await documents.put(document, pieces), false)
  })
}
