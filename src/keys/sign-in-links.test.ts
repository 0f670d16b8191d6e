import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { StoredKey } from '../store/credentials.ts'
import { RIGHTS } from './rights.ts'
import { LINK_MS, operatorsKey, SignInLinks } from './sign-in-links.ts'
import { MemorySignInStore } from './sign-in-store.test-kit.ts'

function make() {
  const clock = manualClock()
  const store = new MemorySignInStore()
  return { clock, store, links: new SignInLinks({ store, now: clock.now }) }
}

describe('a sign-in link', () => {
  it('signs in with its key, once', async () => {
    const { links } = make()
    const token = await links.offer('key-1')
    assert.deepEqual(await links.follow(token), { isGood: true, keyId: 'key-1' })
    assert.deepEqual(await links.follow(token), { isGood: false, because: 'used' })
  })

  it('is good for a day', async () => {
    const { links, clock } = make()
    const [first, second] = [await links.offer('key-1'), await links.offer('key-1')]
    clock.advance(LINK_MS - 1)
    assert.equal((await links.follow(first)).isGood, true)
    clock.advance(1)
    assert.deepEqual(await links.follow(second), { isGood: false, because: 'expired' })
  })

  it('is kept as a hash only, and not for ever', async () => {
    const { links, store, clock } = make()
    const token = await links.offer('key-1')
    assert.ok(!JSON.stringify([...store.links]).includes(token))
    clock.advance(60 * 86_400_000)
    await links.offer('key-1')
    assert.equal(store.links.size, 1)
  })

  it('that nobody made is no better than a used one', async () => {
    const { links } = make()
    for (const token of ['', 'x', 'x'.repeat(10_000)]) {
      assert.deepEqual(await links.follow(token), { isGood: false, because: 'used' })
    }
  })
})

describe('the key of the operator', () => {
  const key = (id: string, more: Partial<StoredKey> = {}): StoredKey => ({
    id,
    name: id,
    hash: '',
    hint: '',
    rights: RIGHTS,
    flowId: null,
    context: null,
    createdAt: 1_000,
    expiresAt: null,
    lastUsedAt: null,
    ...more
  })

  it('is the oldest that may do everything, and is good', () => {
    const keys = [
      key('late', { createdAt: 3_000 }),
      key('first', { createdAt: 2_000, expiresAt: 6_000 }),
      key('lesser', { rights: ['read', 'write', 'trigger'] }),
      key('of a flow', { flowId: 'flow-1' }),
      key('of a context', { context: '/sales' }),
      key('expired', { expiresAt: 5_000 })
    ]
    assert.equal(operatorsKey(keys, 5_000)?.id, 'first')
    assert.equal(operatorsKey(keys, 6_000)?.id, 'late')
    assert.equal(operatorsKey([], 0), undefined)
  })
})
