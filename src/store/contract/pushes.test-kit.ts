import assert from 'node:assert/strict'
import type { StoredContext } from '../contexts.ts'
import type { Push } from '../pushes.ts'
import type { Store } from '../store.ts'
import {
  beforeAndAfterRestart,
  type OpenSubject,
  sampleConnection,
  sampleFlow,
  sampleId,
  storeTest
} from './subject.test-kit.ts'

const NOTHING: Push = { contexts: [], connections: [], creates: [], saves: [], removals: [] }
const facts = { origin: 'pushed', author: 'ci', changes: 'Parser: template' } as const
const STALE = { won: false, because: 'stale' }

function sampleContext(path: string): StoredContext {
  return { id: sampleId(), path, variables: '{}', settings: '{}', createdAt: 1000 }
}

/** All that a push could change. */
async function stateOf({ flows, connections, contexts }: Store) {
  const live = (await flows.live()).map(({ slug, version, document }) => [slug, version, document])
  return { live: live.sort(), connections: await connections.list(), contexts: await contexts.list() }
}

export function pushContract(open: OpenSubject): void {
  storeTest(open, 'contexts, connections and flows are changed together', async (subject) => {
    const { store } = subject
    const [kept, gone] = [sampleFlow({ slug: 'kept' }), sampleFlow({ slug: 'gone' })]
    await store.flows.create(kept)
    await store.flows.create(gone)
    const [sales, shop] = [sampleContext('/sales'), sampleConnection({ context: '/sales' })]
    const made = sampleFlow({ slug: 'made', context: '/sales', isContextMade: true, facts })
    const save = {
      id: kept.id,
      baseVersion: 1,
      slug: 'kept',
      context: '/sales',
      document: '{"a":1}',
      at: 2000
    }
    const result = await store.pushes.apply({
      contexts: [{ context: sales }],
      connections: [{ connection: shop, isContextMade: true }],
      creates: [made, sampleFlow({ slug: 'gone' })],
      saves: [{ ...save, facts, isContextMade: true }],
      removals: [{ id: gone.id, version: 1, at: 2000, by: 'ci' }]
    })
    assert.ok(result.won)
    assert.deepEqual(
      result.flows.map(({ slug, version, origin }) => [slug, version, origin]),
      [
        ['made', 1, 'pushed'],
        ['gone', 1, null],
        ['kept', 2, 'pushed']
      ]
    )
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual((await each.flows.live()).map(({ slug }) => slug).sort(), ['gone', 'kept', 'made'])
      assert.deepEqual(
        (await each.flows.bin({ limit: 9 })).map(({ id, deletedBy }) => [id, deletedBy]),
        [[gone.id, 'ci']]
      )
      assert.deepEqual(await each.contexts.list(), [sales])
      assert.deepEqual(await each.connections.list(), [shop])
      assert.equal((await each.flows.version(kept.id, 2))?.changes, 'Parser: template')
    }
  })

  storeTest(open, 'a push of which anything has changed meanwhile does nothing', async ({ store }) => {
    const flow = sampleFlow({ slug: 'kept' })
    await store.flows.create(flow)
    const [sales, shop] = [sampleContext('/sales'), sampleConnection()]
    await store.contexts.put([sales])
    await store.connections.create(shop)
    const save = { id: flow.id, baseVersion: 1, slug: 'kept', context: '/', document: '{"a":1}', at: 2000 }
    const before = await stateOf(store)
    const good: Push = {
      ...NOTHING,
      creates: [sampleFlow()],
      saves: [save],
      contexts: [{ context: sampleContext('/new') }]
    }
    const stale: Partial<Push>[] = [
      { saves: [{ ...save, baseVersion: 2 }] },
      { saves: [{ ...save, id: 'unknown' }] },
      { removals: [{ id: flow.id, version: 7, at: 2000, by: null }], saves: [] },
      { contexts: [{ context: sampleContext('/sales') }] },
      {
        contexts: [
          { context: { ...sales, variables: '{"b":1}' }, before: { variables: '{"a":1}', settings: '{}' } }
        ]
      },
      { contexts: [{ context: sampleContext('/far/away'), within: '/far' }] },
      { connections: [{ connection: sampleConnection(), isContextMade: false }] },
      { connections: [{ connection: { ...shop, revision: 3 }, isContextMade: false }] },
      {
        connections: [{ connection: sampleConnection({ name: 'x', context: '/gone' }), isContextMade: true }]
      },
      { creates: [sampleFlow(), sampleFlow({ context: '/gone', isContextMade: true })] }
    ]
    for (const wrong of stale) {
      assert.deepEqual(await store.pushes.apply({ ...good, ...wrong }), STALE, JSON.stringify(wrong))
      assert.deepEqual(await stateOf(store), before)
    }
    const taken = await store.pushes.apply({ ...good, creates: [sampleFlow(), sampleFlow({ slug: 'kept' })] })
    assert.deepEqual(taken, { won: false, because: 'slug_taken', slug: 'kept' })
    assert.deepEqual(await stateOf(store), before)
    assert.equal((await store.pushes.apply(good)).won, true)
  })

  storeTest(
    open,
    'what somebody has signed in for goes with a push, and stays where it is refused',
    async ({ store }) => {
      const shop = sampleConnection()
      await store.connections.create(shop)
      const tokens = { connectionId: shop.id, tokens: 'x', holder: null, leasedUntil: 0, revision: 1 }
      await store.tokens.write(tokens)
      const changed = { connection: { ...shop, revision: 2 }, isContextMade: false, voidsTokens: true }
      const gone = { id: 'unknown', version: 1, at: 2000, by: null }
      assert.deepEqual(
        await store.pushes.apply({ ...NOTHING, connections: [changed], removals: [gone] }),
        STALE
      )
      assert.deepEqual(await store.tokens.find(shop.id), tokens)
      assert.equal((await store.pushes.apply({ ...NOTHING, connections: [changed] })).won, true)
      assert.equal((await store.tokens.find(shop.id))?.tokens, '')
    }
  )

  storeTest(open, 'of pushes that exclude each other one wins', async ({ store }) => {
    const flow = sampleFlow({ slug: 'kept' })
    await store.flows.create(flow)
    const push = (name: string): Push => ({
      ...NOTHING,
      creates: [sampleFlow({ slug: `${name}-1` }), sampleFlow({ slug: `${name}-2` })],
      saves: [{ id: flow.id, baseVersion: 1, slug: 'kept', context: '/', document: `"${name}"`, at: 2000 }]
    })
    const results = await Promise.all(['a', 'b', 'c'].map((name) => store.pushes.apply(push(name))))
    assert.equal(results.filter(({ won }) => won).length, 1)
    assert.equal((await store.flows.live()).length, 3)
  })

  storeTest(
    open,
    'settings of a context and of a connection are changed as they were read',
    async ({ store }) => {
      const [sales, shop] = [sampleContext('/sales'), sampleConnection()]
      await store.contexts.put([sales])
      await store.connections.create(shop)
      const changed = { ...sales, variables: '{"region":"eu"}' }
      const result = await store.pushes.apply({
        ...NOTHING,
        contexts: [{ context: changed, before: sales }],
        connections: [{ connection: { ...shop, settings: '{}', revision: 2 }, isContextMade: false }]
      })
      assert.deepEqual(result, { won: true, flows: [] })
      assert.deepEqual(await store.contexts.list(), [changed])
      assert.deepEqual(await store.connections.list(), [{ ...shop, settings: '{}', revision: 2 }])
    }
  )

  storeTest(open, 'a draft stays where it is', async ({ store }) => {
    const flow = sampleFlow({ slug: 'kept' })
    await store.flows.create(flow)
    const draft = {
      flowId: flow.id,
      revision: 0,
      baseVersion: 1,
      document: '{"mine":1}',
      author: 'Ann',
      at: 1500
    }
    await store.drafts.save(draft)
    const save = { id: flow.id, baseVersion: 1, slug: 'kept', context: '/', document: '{"a":1}', at: 2000 }
    await store.pushes.apply({ ...NOTHING, saves: [save] })
    const left = await store.drafts.find(flow.id)
    assert.deepEqual([left?.document, left?.baseVersion], ['{"mine":1}', 1])
  })
}
