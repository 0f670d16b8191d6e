import assert from 'node:assert/strict'
import type { NewFlow, SaveRefusal, Store } from '../store.ts'
import { type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

function edit(flow: NewFlow, baseVersion: number, given: { slug?: string; document?: string } = {}) {
  const { id, slug, context, document } = flow
  return { id, baseVersion, slug, context, document, at: 2000, ...given }
}

const refused = (because: SaveRefusal) => ({ won: false, because }) as const

const ALL = { limit: 100 }

async function liveSlugs(store: Store): Promise<string[]> {
  return (await store.flows.live()).map((flow) => flow.slug)
}

export function flowContract(open: OpenSubject): void {
  storeTest(open, 'a created flow is live at version 1, also after a restart', async ({ store, reopen }) => {
    const flow = sampleFlow({ slug: 'orders', createdAt: 5000 })
    const expected = {
      ...flow,
      version: 1,
      updatedAt: 5000,
      paused: null,
      triggersFrom: null,
      origin: null,
      aliases: []
    }
    assert.deepEqual(await store.flows.create(flow), { won: true, flow: expected })
    assert.deepEqual(await store.flows.live(), [expected])
    assert.deepEqual(await (await reopen()).flows.live(), [expected])
  })

  storeTest(open, 'a slug belongs to one live flow', async ({ store }) => {
    await store.flows.create(sampleFlow({ slug: 'orders' }))
    assert.deepEqual(await store.flows.create(sampleFlow({ slug: 'orders' })), refused('slug_taken'))
    assert.equal((await store.flows.live()).length, 1)
  })

  storeTest(open, 'an id is given once, also after its flow is gone', async ({ store }) => {
    const flow = sampleFlow()
    await store.flows.create(flow)
    assert.deepEqual(await store.flows.create({ ...flow, slug: 'other' }), refused('stale'))
    await store.flows.remove(flow.id, 2000)
    assert.deepEqual(await store.flows.create({ ...flow, slug: 'other' }), refused('gone'))
  })

  storeTest(open, 'a save makes the next version and keeps the earlier ones', async ({ store }) => {
    const flow = sampleFlow({ document: '1' })
    await store.flows.create(flow)
    const saved = await store.flows.save(edit(flow, 1, { document: '2', slug: 'renamed' }))
    const expected = {
      ...flow,
      slug: 'renamed',
      document: '2',
      version: 2,
      updatedAt: 2000,
      paused: null,
      triggersFrom: null,
      origin: null,
      aliases: []
    }
    assert.deepEqual(saved, { won: true, flow: expected })
    assert.deepEqual(await store.flows.live(), [expected])
    const facts = { origin: null, author: null, name: null, note: null, changes: null }
    assert.deepEqual(await store.flows.versions(flow.id, ALL), {
      versions: [
        { version: 2, createdAt: 2000, ...facts },
        { version: 1, createdAt: 1000, ...facts }
      ],
      next: null
    })
    const first = { version: 1, document: '1', createdAt: 1000, ...facts }
    assert.deepEqual(await store.flows.version(flow.id, 1), first)
    assert.equal(await store.flows.version(flow.id, 3), undefined)
    assert.equal(await store.flows.version('nobody', 1), undefined)
    assert.deepEqual(await store.flows.versions('nobody', ALL), { versions: [], next: null })
  })

  storeTest(open, 'of two saves of one version exactly one wins', async ({ store }) => {
    const flow = sampleFlow()
    await store.flows.create(flow)
    const results = await Promise.all([
      store.flows.save(edit(flow, 1, { document: 'a' })),
      store.flows.save(edit(flow, 1, { document: 'b' }))
    ])
    assert.deepEqual(results.map((result) => result.won).sort(), [false, true])
    assert.deepEqual(
      results.find((result) => !result.won),
      refused('stale')
    )
    assert.equal((await store.flows.versions(flow.id, ALL)).versions.length, 2)
  })

  storeTest(
    open,
    'versions are kept with who made them and what they are called',
    async ({ store, reopen }) => {
      const made = { origin: 'created', author: 'Ann' } as const
      const flow = sampleFlow({ document: '1' })
      await store.flows.create({ ...flow, facts: made })
      const facts = {
        origin: 'published',
        author: 'Bob',
        name: 'Spring',
        note: 'Why',
        changes: 'Parser'
      } as const
      for (const version of [1, 2, 3, 4]) {
        await store.flows.save({ ...edit(flow, version), ...(version % 2 === 0 ? { facts } : {}) })
      }
      const again = await reopen()
      const numbers = async (question: object) => {
        const { versions, next } = await again.flows.versions(flow.id, { limit: 2, ...question })
        return [...versions.map(({ version }) => version), next]
      }
      assert.deepEqual(await numbers({}), [5, 4, 4])
      assert.deepEqual(await numbers({ before: 4 }), [3, 2, 2])
      assert.deepEqual(await numbers({ before: 2 }), [1, null])
      assert.deepEqual(await numbers({ isNamed: true }), [5, 3, null])
      assert.deepEqual(await numbers({ isNamed: true, limit: 1 }), [5, 5])
      const { versions } = await again.flows.versions(flow.id, { limit: 1, isNamed: true })
      assert.deepEqual(versions, [{ version: 5, createdAt: 2000, ...facts }])
      const first = await again.flows.version(flow.id, 1)
      assert.deepEqual([first?.origin, first?.author, first?.name], ['created', 'Ann', null])
    }
  )

  storeTest(open, 'a save cannot take the slug of another flow', async ({ store }) => {
    const flow = sampleFlow({ slug: 'mine' })
    await store.flows.create(flow)
    await store.flows.create(sampleFlow({ slug: 'theirs' }))
    assert.deepEqual(await store.flows.save(edit(flow, 1, { slug: 'theirs' })), refused('slug_taken'))
    assert.deepEqual((await liveSlugs(store)).sort(), ['mine', 'theirs'])
  })

  storeTest(
    open,
    'a removed flow is not live, its slug is free and its versions stay',
    async ({ store, reopen }) => {
      const flow = sampleFlow({ slug: 'orders' })
      await store.flows.create(flow)
      assert.equal(await store.flows.remove(flow.id, 3000), true)
      assert.equal(await store.flows.remove(flow.id, 3001), false)
      assert.equal(await store.flows.remove('nobody', 3001), false)
      assert.deepEqual(await store.flows.live(), [])
      assert.deepEqual(await store.flows.save(edit(flow, 1)), refused('gone'))
      assert.deepEqual(await store.flows.save(edit(sampleFlow(), 1)), refused('gone'))
      const next = await store.flows.create(sampleFlow({ slug: 'orders' }))
      assert.equal(next.won, true)
      const again = await reopen()
      assert.deepEqual(await liveSlugs(again), ['orders'])
      assert.equal((await again.flows.version(flow.id, 1))?.document, flow.document)
    }
  )

  storeTest(
    open,
    'a removed flow is live again as it was last, when it is undeleted',
    async ({ store, reopen }) => {
      const flow = sampleFlow({ slug: 'orders', document: '1' })
      await store.flows.create(flow)
      await store.flows.save(edit(flow, 1, { document: '2' }))
      const last = {
        ...flow,
        document: '2',
        version: 2,
        updatedAt: 2000,
        paused: null,
        triggersFrom: null,
        origin: null,
        aliases: []
      }
      assert.equal(await store.flows.removed(flow.id), undefined)
      assert.deepEqual(await store.flows.undelete(flow.id, { at: 4000 }), refused('stale'))
      await store.flows.remove(flow.id, 3000)
      assert.deepEqual(await store.flows.removed(flow.id), last)
      const back = { ...last, triggersFrom: 4000 }
      assert.deepEqual(await store.flows.undelete(flow.id, { at: 4000 }), { won: true, flow: back })
      assert.equal(await store.flows.removed(flow.id), undefined)
      assert.deepEqual(await (await reopen()).flows.live(), [back])
    }
  )

  storeTest(open, 'a flow whose slug was taken meanwhile stays removed', async ({ store }) => {
    const flow = sampleFlow({ slug: 'orders' })
    await store.flows.create(flow)
    await store.flows.remove(flow.id, 3000)
    await store.flows.create(sampleFlow({ slug: 'orders' }))
    assert.deepEqual(await store.flows.undelete(flow.id, { at: 4000 }), refused('slug_taken'))
    assert.equal((await store.flows.removed(flow.id))?.id, flow.id)
    assert.deepEqual(await store.flows.undelete('nobody', { at: 4000 }), refused('gone'))
    assert.equal(await store.flows.removed('nobody'), undefined)
  })

  storeTest(open, 'a flow gets into a made context only while that is there', async ({ store }) => {
    const made = { id: 'a', path: '/eu', variables: '{}', settings: '{}', createdAt: 1000 }
    const inEu = { context: '/eu', isContextMade: true }
    const flow = sampleFlow({ slug: 'orders' })
    await store.flows.create(flow)
    assert.deepEqual(await store.flows.create(sampleFlow(inEu)), refused('context_gone'))
    assert.deepEqual(await store.flows.save({ ...edit(flow, 1), ...inEu }), refused('context_gone'))
    await store.contexts.put([made])
    assert.equal((await store.flows.save({ ...edit(flow, 1), ...inEu })).won, true)
    await store.flows.remove(flow.id, 3000)
    await store.contexts.remove('a')
    assert.deepEqual(await store.flows.undelete(flow.id, { ...inEu, at: 4000 }), refused('context_gone'))
    await store.contexts.put([made])
    assert.equal((await store.flows.undelete(flow.id, { ...inEu, at: 4000 })).won, true)
  })
}
