import assert from 'node:assert/strict'
import type { NewCollection, StoredText } from '../collections.ts'
import type { Store } from '../store.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleId, storeTest } from './subject.test-kit.ts'

const NOW = 1_700_000_000_000

function sampleCollection(given: Partial<NewCollection> = {}): NewCollection {
  const id = sampleId()
  return {
    id,
    name: `Häuser ${id}`,
    context: '/',
    connection: null,
    model: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...given
  }
}

function sampleText(collectionId: string, given: Partial<StoredText> = {}): Omit<StoredText, 'revision'> {
  const named = { collectionId, id: 'a', content: sampleId(), chunks: 2, model: null, metadata: '{"l":"de"}' }
  return { ...named, updatedAt: NOW, ...given }
}

/** Two pieces, the first with a vector. */
async function put(store: Store, collectionId: string, given: Partial<StoredText> = {}) {
  const text = sampleText(collectionId, given)
  const { id, content, chunks } = text
  const pieces = Array.from({ length: chunks }, (_, place) => ({
    text: `${id}/${place}`,
    vector: place === 0 ? 'AQID' : null
  }))
  await store.knowledge.addChunks(content, 0, pieces, NOW)
  assert.equal(await store.knowledge.put(text), 'done')
  return text
}

async function sweepAll({ knowledge }: Store, slice = 1): Promise<void> {
  while ((await knowledge.sweep(NOW, slice)) > 0);
}

const countsOf = async (store: Store, id: string) => {
  const { texts, chunks, revision } = (await store.collections.get(id))!
  return { texts, chunks, revision }
}

const BEFORE_ALL = { revision: 0, place: -1 }

const newest = async ({ knowledge }: Store, id: string, limit = 100) =>
  (await knowledge.chunksAfter(id, BEFORE_ALL, limit)).map(({ text }) => text)

export function knowledgeContract(open: OpenSubject): void {
  storeTest(open, 'a collection is known by its id, and by its name in contexts', async (subject) => {
    const { collections } = subject.store
    const made = sampleCollection({ context: '/shop', connection: 'models', model: 'm' })
    assert.equal(await collections.create(made), 'done')
    assert.equal(
      await collections.create(sampleCollection({ context: '/shop', name: made.name })),
      'name_taken'
    )
    const other = sampleCollection({ name: made.name })
    assert.equal(await collections.create(other), 'done')
    assert.deepEqual(await collections.named(made.name, ['/elsewhere']), [])
    const empty = { texts: 0, chunks: 0, revision: 0 }
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.collections.list(), [
        { ...other, ...empty },
        { ...made, ...empty }
      ])
      assert.deepEqual(await store.collections.named(made.name, ['/shop', '/shop/eu']), [
        { ...made, ...empty }
      ])
    }
  })

  storeTest(open, 'another name, connection and model may be given to it', async ({ store }) => {
    const [one, other] = [sampleCollection(), sampleCollection()]
    for (const made of [one, other]) await store.collections.create(made)
    const change = { id: one.id, name: 'new', connection: 'c', model: 'm', updatedAt: NOW + 1 }
    assert.equal(await store.collections.change({ ...change, name: other.name }), 'name_taken')
    assert.equal(await store.collections.change(change), 'done')
    assert.deepEqual(await store.collections.get(one.id), {
      ...one,
      ...change,
      texts: 0,
      chunks: 0,
      revision: 0
    })
    assert.equal(await store.collections.change({ ...change, id: 'nobody' }), 'gone')
  })

  storeTest(open, 'only a context that is there gets one, and keeps it', async ({ store }) => {
    const context = { id: sampleId(), path: '/made', createdAt: NOW, settings: '{}', variables: '{}' }
    const made = sampleCollection({ context: '/made' })
    assert.equal(await store.collections.create(made, { isContextMade: true }), 'context_gone')
    await store.contexts.put([context])
    assert.equal(await store.collections.create(made, { isContextMade: true }), 'done')
    assert.equal(await store.contexts.remove(context.id), 'inhabited')
    await store.collections.remove(made.id, NOW)
    assert.equal(await store.contexts.remove(context.id), 'done')
  })

  storeTest(
    open,
    'a text is there when it is named, and takes the place of the one before',
    async (subject) => {
      const { store } = subject
      const made = sampleCollection()
      await store.collections.create(made)
      const { content } = sampleText(made.id)
      await store.knowledge.addChunks(content, 0, [{ text: 'on its way', vector: null }], NOW)
      assert.deepEqual(await newest(store, made.id), [])
      const first = await put(store, made.id)
      // The answer to either write was lost.
      await store.knowledge.addChunks(first.content, 0, [{ text: 'a/0', vector: 'AQID' }], NOW)
      assert.equal(await store.knowledge.put(first), 'done')
      assert.deepEqual(await countsOf(store, made.id), { texts: 1, chunks: 2, revision: 1 })
      await put(store, made.id, { id: 'b', chunks: 1 })
      const again = await put(store, made.id, { id: 'a', chunks: 3, metadata: '{}' })
      assert.deepEqual(await countsOf(store, made.id), { texts: 2, chunks: 4, revision: 3 })
      for await (const { knowledge } of beforeAndAfterRestart(subject)) {
        assert.deepEqual(await knowledge.text(made.id, 'a'), { ...again, revision: 3 })
        assert.deepEqual(await knowledge.chunks(again.content, 1, 1), [{ text: 'a/1', vector: null }])
        const texts = await knowledge.texts({ collectionId: made.id, limit: 5 })
        assert.deepEqual(
          texts.map(({ id }) => id),
          ['a', 'b']
        )
        assert.equal((await knowledge.texts({ collectionId: made.id, after: 'a', limit: 5 })).length, 1)
      }
    }
  )

  storeTest(open, 'what was written since is read in pieces, in order', async ({ store }) => {
    const made = sampleCollection()
    await store.collections.create(made)
    for (const id of ['a', 'b', 'a']) await put(store, made.id, { id })
    await put(store, made.id, { id: 'c', model: 'm' })
    const read: string[] = []
    for (let after = BEFORE_ALL; ; ) {
      const [next] = await store.knowledge.chunksAfter(made.id, after, 1)
      if (next === undefined) break
      read.push(`${next.revision}: ${next.text} ${next.vector} ${next.model}`)
      after = { revision: next.revision, place: next.place }
    }
    assert.deepEqual(read, [
      '2: b/0 AQID null',
      '2: b/1 null null',
      '3: a/0 AQID null',
      '3: a/1 null null',
      '4: c/0 AQID m',
      '4: c/1 null m'
    ])
    assert.deepEqual(await store.knowledge.revisionsAfter(made.id, 2, 10), [3, 4])
    const found = await store.knowledge.found(made.id, [
      { revision: 3, place: 1 },
      { revision: 1, place: 0 }
    ])
    assert.deepEqual(
      found.map(({ id, text, metadata }) => [id, text, metadata]),
      [['a', 'a/1', '{"l":"de"}']]
    )
  })

  storeTest(
    open,
    'texts of another model are found, and written anew where nobody was quicker',
    async ({ store }) => {
      const made = sampleCollection()
      await store.collections.create(made)
      for (const [id, model] of [
        ['a', null],
        ['b', 'new'],
        ['c', 'old']
      ] as const)
        await put(store, made.id, { id, model })
      const besides = await store.knowledge.textsBesides(made.id, 'new', 10)
      assert.deepEqual(
        besides.map(({ id }) => id),
        ['a', 'c']
      )
      assert.equal(await store.knowledge.countBesides(made.id, 'new'), 2)
      const anew = sampleText(made.id, { id: 'c', model: 'new' })
      await store.knowledge.addChunks(anew.content, 0, [{ text: 'c', vector: 'AQ' }], NOW)
      assert.equal(await store.knowledge.put(anew, 1), 'changed')
      assert.equal(await store.knowledge.put(anew, 3), 'done')
      assert.equal(await store.knowledge.countBesides(made.id, 'new'), 1)
    }
  )

  storeTest(open, 'nothing is left of what was removed, replaced or never named', async ({ store }) => {
    const { collections, knowledge } = store
    const [kept, gone] = [sampleCollection(), sampleCollection()]
    for (const made of [kept, gone]) await collections.create(made)
    const removed = await put(store, kept.id, { id: 'removed' })
    const replaced = await put(store, kept.id, { id: 'stays' })
    const stays = await put(store, kept.id, { id: 'stays' })
    const others = [await put(store, gone.id, { id: 'x' }), await put(store, gone.id, { id: 'y' })]
    const late = sampleText(kept.id, { id: 'late' })
    await knowledge.addChunks(late.content, 0, [{ text: 'late', vector: null }], NOW - 1)
    const underWay = sampleText(kept.id, { id: 'under way', chunks: 1 })
    await knowledge.addChunks(underWay.content, 0, [{ text: 'under way', vector: null }], NOW)
    assert.equal(await knowledge.remove(kept.id, 'removed', NOW), true)
    assert.equal(await knowledge.remove(kept.id, 'removed', NOW), false)
    assert.equal(await collections.remove(gone.id, NOW), true)
    assert.equal(await collections.remove(gone.id, NOW), false)
    assert.equal(await collections.get(gone.id), undefined)
    assert.equal(await knowledge.put(sampleText(gone.id)), 'gone')
    await sweepAll(store)
    for (const { content } of [removed, replaced, late, ...others])
      assert.deepEqual(await knowledge.chunks(content, 0, 10), [])
    assert.equal((await knowledge.chunks(stays.content, 0, 10)).length, 2)
    assert.deepEqual(await countsOf(store, kept.id), { texts: 1, chunks: 2, revision: 4 })
    assert.equal(await knowledge.put(late), 'swept')
    assert.equal(await knowledge.put(underWay), 'done')
    assert.equal(await collections.create({ ...gone, id: sampleId() }), 'done')
  })
}
