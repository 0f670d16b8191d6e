import assert from 'node:assert/strict'
import type { NewFlow, SaveResult, Store } from '../store.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

function rename({ flows }: Store, flow: NewFlow, baseVersion: number, slug: string, keepsSlug?: true) {
  const { id, context, document } = flow
  return flows.save({
    id,
    baseVersion,
    slug,
    context,
    document,
    at: 1000 + baseVersion,
    ...(keepsSlug && { keepsSlug })
  })
}

function slugsOf(result: SaveResult): readonly string[] {
  assert.ok(result.won, JSON.stringify(result))
  return [result.flow.slug, ...result.flow.aliases]
}

const taken = { won: false, because: 'slug_taken' } as const
const unused = { calls: 0, lastCalledAt: null, callers: '[]' }

export function aliasContract(open: OpenSubject): void {
  storeTest(open, 'a slug of before is kept where that is asked for, oldest first', async (subject) => {
    const { store } = subject
    const flow = sampleFlow({ slug: 'a' })
    assert.deepEqual(slugsOf(await store.flows.create(flow)), ['a'])
    assert.deepEqual(slugsOf(await rename(store, flow, 1, 'b', true)), ['b', 'a'])
    assert.deepEqual(slugsOf(await rename(store, flow, 2, 'c', true)), ['c', 'a', 'b'])
    assert.deepEqual(slugsOf(await rename(store, flow, 3, 'd')), ['d', 'a', 'b'])
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual((await each.flows.live())[0]?.aliases, ['a', 'b'])
      assert.deepEqual(await each.flows.aliases(flow.id), [
        { slug: 'a', since: 1001, ...unused },
        { slug: 'b', since: 1002, ...unused }
      ])
    }
  })

  storeTest(open, 'an alias that becomes the slug again is none any more', async ({ store }) => {
    const flow = sampleFlow({ slug: 'a' })
    await store.flows.create(flow)
    await rename(store, flow, 1, 'b', true)
    assert.deepEqual(slugsOf(await rename(store, flow, 2, 'a', true)), ['a', 'b'])
    assert.deepEqual(slugsOf(await rename(store, flow, 3, 'b')), ['b'])
  })

  storeTest(open, 'an alias of one live flow is no slug of another', async ({ store }) => {
    const [one, other] = [sampleFlow({ slug: 'a' }), sampleFlow({ slug: 'x' })]
    await store.flows.create(one)
    await rename(store, one, 1, 'b', true)
    await store.flows.create(other)
    assert.deepEqual(await rename(store, other, 1, 'a'), taken)
    assert.deepEqual(await rename(store, other, 1, 'a', true), taken)
    assert.deepEqual(await store.flows.create(sampleFlow({ slug: 'a' })), taken)
    assert.deepEqual((await store.flows.removeAlias(one.id, 'a'))?.aliases, [])
    assert.equal(await store.flows.removeAlias(one.id, 'a'), undefined)
    assert.equal(await store.flows.removeAlias('nobody', 'a'), undefined)
    assert.deepEqual(slugsOf(await rename(store, other, 1, 'a')), ['a'])
  })

  storeTest(
    open,
    'a removed flow keeps its aliases, but for those that others take meanwhile',
    async ({ store }) => {
      const flow = sampleFlow({ slug: 'a' })
      await store.flows.create(flow)
      await rename(store, flow, 1, 'b', true)
      await rename(store, flow, 2, 'c', true)
      await store.flows.remove(flow.id, 5000)
      assert.deepEqual((await store.flows.removed(flow.id))?.aliases, ['a', 'b'])
      assert.equal(await store.flows.removeAlias(flow.id, 'a'), undefined)
      const other = sampleFlow({ slug: 'b' })
      assert.deepEqual(slugsOf(await store.flows.create(other)), ['b'])
      await rename(store, other, 1, 'd', true)
      assert.deepEqual(slugsOf(await store.flows.undelete(flow.id, { at: 6000 })), ['c', 'a'])
      assert.deepEqual(await store.flows.create(sampleFlow({ slug: 'a' })), taken)
    }
  )

  storeTest(open, 'calls by an alias add up, with those who called last', async ({ store }) => {
    const flow = sampleFlow({ slug: 'a' })
    await store.flows.create(flow)
    await rename(store, flow, 1, 'b', true)
    const shop = { key: 'Shop', address: '10.0.0.1' }
    const calls = { flowId: flow.id, slug: 'a' }
    await store.flows.addAliasCalls([
      { ...calls, calls: 2, lastCalledAt: 2000, callers: [{ ...shop, calls: 2, lastCalledAt: 2000 }] },
      { ...calls, slug: 'gone', calls: 1, lastCalledAt: 2000, callers: [] }
    ])
    const crowd = Array.from({ length: 30 }, (_, n) => {
      return { key: null, address: `10.0.1.${n}`, calls: 1, lastCalledAt: 3000 + n }
    })
    const again = [{ ...shop, calls: 1, lastCalledAt: 4000 }, ...crowd]
    await store.flows.addAliasCalls([{ ...calls, calls: 31, lastCalledAt: 4000, callers: again }])
    const [alias] = await store.flows.aliases(flow.id)
    assert.deepEqual([alias?.calls, alias?.lastCalledAt], [33, 4000])
    const callers = JSON.parse(alias!.callers) as unknown[]
    assert.deepEqual(callers.slice(0, 2), [{ ...shop, calls: 3, lastCalledAt: 4000 }, crowd.at(-1)])
    assert.equal(callers.length, 20)
  })
}
