import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWatched } from './is-watched.ts'

const failed = { id: 'id-1', slug: 'orders', aliases: ['bestellungen'], context: '/sales/eu' }
const watch = (context: string, flows: readonly string[] = [], id = 'id-2') => ({
  flow: { id, context },
  flows
})

test('without names, all that its context and those below hold, but not itself', () => {
  const seen = ['/', '/sales', '/sales/eu'].map((context) => isWatched(watch(context), failed))
  assert.deepEqual(seen, [true, true, true])
  const hidden = ['/sales/eu/west', '/stock', '/sale'].map((context) => isWatched(watch(context), failed))
  assert.deepEqual(hidden, [false, false, false])
  assert.equal(isWatched(watch('/sales/eu', [], 'id-1'), failed), false)
})

test('with names, those of them that lie there, by slug, alias or id', () => {
  for (const name of ['orders', ' bestellungen ', 'id-1']) {
    assert.equal(isWatched(watch('/sales', ['other', name]), failed), true, name)
    assert.equal(isWatched(watch('/stock', [name]), failed), false)
  }
  assert.equal(isWatched(watch('/', ['order']), failed), false)
  assert.equal(isWatched(watch('/sales/eu', ['orders'], 'id-1'), failed), true, 'itself, where it is named')
})
