import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredCollection, StoredText } from '../store/collections.ts'
import { Reembedding } from './reembedding.ts'

const COLLECTION = {
  id: 'c',
  name: 'manual',
  context: '/',
  connection: 'models',
  model: 'large'
} as StoredCollection

it('asks no model any more for a collection that has got another one meanwhile', async () => {
  let model = 'large'
  const asked: string[] = []
  const now = () => ({ ...COLLECTION, model })
  const reembedding = new Reembedding({
    collections: { list: async () => [now()], get: async () => now() },
    knowledge: {
      // There are always more of them.
      textsBesides: async (_id, besides, limit) => {
        asked.push(besides)
        assert.ok(asked.length < 10, String(asked))
        if (asked.length === 3) model = 'larger'
        return besides === 'large' ? new Array<StoredText>(limit).fill(TEXT) : []
      },
      chunks: async () => [],
      addChunks: async () => {},
      put: async () => assert.fail('nothing was asked for it')
    },
    opener: { openByName: () => ({}) as never },
    newId: () => 'new',
    now: () => 0,
    onError: (error) => assert.fail(String(error))
  })
  reembedding.changed(COLLECTION.id)
  await reembedding.run()
  assert.deepEqual(asked, ['large', 'large', 'large'])
  await reembedding.run()
  assert.deepEqual(asked.slice(3), ['larger'])
})

const TEXT = { collectionId: 'c', id: 't', content: 'x', chunks: 1, revision: 1 } as unknown as StoredText
