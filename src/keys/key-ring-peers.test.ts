import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../clock.test-kit.ts'
import { make, news } from './key-ring.test-kit.ts'
import { KeyRing } from './key-ring.ts'
import { MemoryKeyStore } from './key-store.test-kit.ts'

describe('the keys of two processes on one store', () => {
  it('do not come back when one revokes a key while the other hears late that it has made it', async () => {
    const store = new MemoryKeyStore()
    const [a, b] = [make(heldBack(store, 'put')), make(store)]
    const { answer } = a.store as HeldStore
    const making = a.ring.create(news)
    await turnOfTheLoop()
    await b.ring.refresh()
    await b.ring.remove(b.ring.list()[0]!.id)
    const bringing = a.ring.refresh()
    await turnOfTheLoop()
    answer.resolve()
    const { secret } = await making
    await bringing
    assert.equal(a.ring.verify(secret), undefined)
  })

  it('do not come back by a list that was read before one was revoked', async () => {
    const store = heldBack(new MemoryKeyStore(), 'list')
    const { ring } = make(store)
    const { key, secret } = await ring.create(news)
    const bringing = ring.refresh()
    await turnOfTheLoop()
    const removing = ring.remove(key.id)
    await turnOfTheLoop()
    store.answer.resolve()
    await Promise.all([bringing, removing])
    assert.equal(ring.verify(secret), undefined)
  })

  it('cannot be revoked so that none is left that may manage keys', async () => {
    const store = new MemoryKeyStore()
    const [a, b] = [make(store), make(store)]
    const admin = { ...news, rights: ['admin'] as const }
    const [one, other] = [await a.ring.create(admin), await a.ring.create(admin)]
    await a.ring.create(news)
    await b.ring.refresh()
    const both = await Promise.allSettled([a.ring.remove(one.key.id), b.ring.remove(other.key.id)])
    assert.deepEqual(
      both.map((each) => (each.status === 'rejected' ? each.reason.code : each.status)),
      ['fulfilled', 'key_is_last_admin']
    )
  })

  it('are good here before the other knows of them, and shown when it does', async () => {
    const confirmed = Promise.withResolvers<void>()
    const { newId, now } = manualClock()
    const ring = new KeyRing({ store: new MemoryKeyStore(), newId, now, confirmed: () => confirmed.promise })
    let isShown = false
    const configuring = ring.configure('secret-0123456789').then(() => {
      isShown = true
    })
    await turnOfTheLoop()
    assert.deepEqual([ring.verify('secret-0123456789') !== undefined, isShown], [true, false])
    confirmed.resolve()
    await configuring
  })
})

type HeldStore = MemoryKeyStore & { readonly answer: PromiseWithResolvers<void> }

/** The same store, whose answers to one kind of question stay on the way until they are let through. */
function heldBack(store: MemoryKeyStore, question: 'put' | 'list'): HeldStore {
  const answer = Promise.withResolvers<void>()
  const held = Object.assign(Object.create(store) as MemoryKeyStore, { answer })
  const ask = store[question].bind(store) as (key: never) => Promise<unknown>
  return Object.assign(held, {
    [question]: async (key: never) => {
      const told = await ask(key)
      await answer.promise
      return told
    }
  })
}
