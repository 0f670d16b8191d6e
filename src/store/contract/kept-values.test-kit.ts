import assert from 'node:assert/strict'
import type { KeptChange, KeptStore } from '../kept-values.ts'
import {
  beforeAndAfterRestart,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const NOW = 1_700_000_000_000
const place = { context: '/shop', key: 'last order', at: NOW }
const count = (given: Partial<Extract<KeptChange, { kind: 'increment' }>> = {}) =>
  ({ ...place, kind: 'increment', by: 1, expiresAt: null, ...given }) as const
const set = (value: string, given: Partial<Extract<KeptChange, { kind: 'set' }>> = {}) =>
  ({ ...place, kind: 'set', value, expiresAt: null, ...given }) as const

const keptNow = async (kept: KeptStore, now = NOW) => (await kept.get('/shop', 'last order', now))?.value

export function keptContract(open: OpenSubject): void {
  storeTest(open, 'a value is kept by context and key, until it is set anew or removed', async (subject) => {
    const { kept } = subject.store
    assert.equal(await kept.get('/shop', 'last order', NOW), undefined)
    assert.deepEqual(await kept.change(set('{"id":"Ünïcode"}')), { won: true, value: '{"id":"Ünïcode"}' })
    assert.equal(await kept.get('/', 'last order', NOW), undefined)
    await kept.change(set('[1]', { at: NOW + 1, expiresAt: NOW + 100 }))
    const last = {
      context: '/shop',
      key: 'last order',
      value: '[1]',
      updatedAt: NOW + 1,
      expiresAt: NOW + 100
    }
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.kept.get('/shop', 'last order', NOW + 99), last)
    }
  })

  storeTest(open, 'removing tells what was there', async ({ store: { kept } }) => {
    await kept.change(set('"x"'))
    assert.deepEqual(await kept.change({ ...place, kind: 'remove' }), { won: true, value: '"x"' })
    assert.deepEqual(await kept.change({ ...place, kind: 'remove' }), { won: true, value: null })
    assert.equal(await keptNow(kept), undefined)
  })

  storeTest(open, 'of increments at the same moment none is lost', async ({ store: { kept } }) => {
    const results = await Promise.all(Array.from({ length: 30 }, () => kept.change(count({ by: 2 }))))
    const values = results.map((result) => (result.won ? Number(result.value) : NaN))
    assert.deepEqual(
      values.sort((a, b) => a - b),
      Array.from({ length: 30 }, (_, index) => 2 * (index + 1))
    )
    assert.equal(await keptNow(kept), '60')
  })

  storeTest(open, 'a count goes down and by parts; only numbers are counted', async ({ store: { kept } }) => {
    assert.deepEqual(await kept.change(count({ by: -0.5 })), { won: true, value: '-0.5' })
    await kept.change(set(String(Number.MAX_SAFE_INTEGER)))
    assert.deepEqual(await kept.change(count()), { won: false, because: 'number_too_large' })
    for (const value of ['"7"', 'null', '[1]', '{}', 'true']) {
      await kept.change(set(value))
      assert.deepEqual(await kept.change(count()), { won: false, because: 'no_number' })
      assert.equal(await keptNow(kept), value)
    }
  })

  storeTest(
    open,
    'a value whose time is over is not there, and a count begins anew',
    async ({ store: { kept } }) => {
      await kept.change(count({ expiresAt: NOW + 10 }))
      await kept.change(count({ at: NOW + 5, expiresAt: NOW + 15 }))
      assert.equal(await keptNow(kept, NOW + 9), '2')
      assert.equal(await keptNow(kept, NOW + 10), undefined)
      assert.deepEqual(await kept.change(count({ at: NOW + 10, expiresAt: NOW + 20 })), {
        won: true,
        value: '1'
      })
      assert.equal((await kept.get('/shop', 'last order', NOW + 19))?.expiresAt, NOW + 20)
      assert.deepEqual(await kept.change({ ...place, kind: 'remove', at: NOW + 20 }), {
        won: true,
        value: null
      })
    }
  )

  storeTest(open, 'values whose time is over are deleted in slices', async ({ store: { kept } }) => {
    for (const key of ['a', 'b', 'c']) await kept.change(set('1', { key, expiresAt: NOW + 1 }))
    await kept.change(set('1', { key: 'later', expiresAt: NOW + 2 }))
    await kept.change(set('1', { key: 'stays' }))
    assert.equal(await kept.removeExpired(NOW + 1, 2), 2)
    assert.equal(await kept.removeExpired(NOW + 1, 2), 1)
    assert.equal(await kept.removeExpired(NOW + 1, 2), 0)
    const { values } = await kept.list({ context: '/shop', limit: 10, now: NOW })
    assert.deepEqual(
      values.map(({ key }) => key),
      ['later', 'stays']
    )
  })

  storeTest(open, 'a step that is tried again changes nothing twice', async ({ store }) => {
    const { kept, runs } = store
    const run = await runs.accept(sampleRun())
    const origin = { runSeq: run.seq, node: 'keep-1', change: 'first' }
    assert.deepEqual(await kept.change(count(), origin), { won: true, value: '1' })
    await kept.change(count())
    assert.deepEqual(await kept.change(count(), origin), { won: true, value: '1' })
    assert.deepEqual(await kept.change(count(), { ...origin, change: 'second' }), { won: true, value: '3' })

    const setting = { ...origin, node: 'keep-2' }
    await kept.change(set('"mine"'), setting)
    await kept.change(set('"of another"'))
    assert.deepEqual(await kept.change(set('"mine"'), setting), { won: true, value: '"mine"' })
    assert.equal(await keptNow(kept), '"of another"')

    const removing = { ...origin, node: 'keep-3' }
    await kept.change({ ...place, kind: 'remove' }, removing)
    assert.deepEqual(await kept.change({ ...place, kind: 'remove' }, removing), {
      won: true,
      value: '"of another"'
    })
    assert.equal(await keptNow(kept), undefined)
  })

  storeTest(
    open,
    'what a run has changed is forgotten with the run; what it kept stays',
    async ({ store }) => {
      const { kept, runs } = store
      const run = await runs.accept(sampleRun())
      const origin = { runSeq: run.seq, node: 'keep-1', change: 'first' }
      await kept.change(count(), origin)
      await runs.end(run, sampleOutcome())
      assert.equal(await runs.prune({ keep: 0, slice: 10 }), 1)
      assert.deepEqual(await kept.change(count(), origin), { won: true, value: '2' })
    }
  )

  storeTest(open, 'lists are in the order of keys, by page and by prefix', async ({ store: { kept } }) => {
    for (const key of ['order:2', 'order:1', 'order', 'Order:3', 'ordes', '🙂', 'a'])
      await kept.change(set(key === 'a' ? `"${'x'.repeat(1000)}"` : '1', { key }))
    await kept.change(set('1', { key: 'over', expiresAt: NOW }))
    await kept.change(set('1', { context: '/shop/b', key: 'below' }))
    const keysOf = async (prefix: string, limit: number, after?: string) => {
      const question = { context: '/shop', now: NOW, prefix, limit, ...(after !== undefined && { after }) }
      const { values, next } = await kept.list(question)
      return { keys: values.map(({ key }) => key), next }
    }
    const all = ['Order:3', 'a', 'order', 'order:1', 'order:2', 'ordes', '🙂']
    assert.deepEqual(await keysOf('', 10), { keys: all, next: null })
    assert.deepEqual(await keysOf('', 7), { keys: all, next: null })
    assert.deepEqual(await keysOf('order', 2), { keys: ['order', 'order:1'], next: 'order:1' })
    assert.deepEqual(await keysOf('order', 2, 'order:1'), { keys: ['order:2'], next: null })
    const [long] = (await kept.list({ context: '/shop', prefix: 'a', limit: 1, now: NOW })).values
    assert.deepEqual([long!.valueStart.length, long!.valueLength], [200, 1002])
  })

  storeTest(open, 'values go with their context, and follow it to another path', async ({ store }) => {
    const { kept, contexts } = store
    const shop = { id: 'c1', path: '/shop', variables: '{}', settings: '{}', createdAt: 1 }
    await contexts.put([shop])
    await kept.change(set('1'))
    await kept.change(set('2', { context: '/sales' }))
    await contexts.put([{ ...shop, path: '/sales' }])
    assert.equal(await keptNow(kept), undefined)
    assert.equal((await kept.get('/sales', 'last order', NOW))?.value, '1')
    await contexts.remove('c1')
    assert.equal(await kept.get('/sales', 'last order', NOW), undefined)
  })
}
