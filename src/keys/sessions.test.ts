import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ManualClock, manualClock } from '../clock.test-kit.ts'
import { KeyRing } from './key-ring.ts'
import { MemoryKeyStore } from './key-store.test-kit.ts'
import { SESSION_MS, Sessions } from './sessions.ts'
import { MemorySignInStore } from './sign-in-store.test-kit.ts'

const DAY_MS = 86_400_000
const news = { name: 'Ann', rights: ['read'], flowId: null, context: null, expiresAt: null } as const

interface Made {
  readonly sessions: Sessions
  readonly keys: KeyRing
  readonly clock: ManualClock
  readonly store: MemorySignInStore
}

async function make(store = new MemorySignInStore()): Promise<Made> {
  const clock = manualClock()
  const keys = new KeyRing({ store: new MemoryKeyStore(), newId: clock.newId, now: clock.now })
  return { sessions: await Sessions.open({ store, keys, now: clock.now }), keys, clock, store }
}

describe('a session', () => {
  it('is that of its key', async () => {
    const { sessions, keys } = await make()
    const { key } = await keys.create(news)
    const session = sessions.read(sessions.issue(key))
    assert.deepEqual([session?.actor.keyId, session?.actor.rights], [key.id, new Set(['read'])])
  })

  it('lasts so long and no longer', async () => {
    const { sessions, keys, clock } = await make()
    const token = sessions.issue((await keys.create(news)).key)
    clock.advance(SESSION_MS - 1)
    assert.ok(sessions.read(token))
    clock.advance(1)
    assert.equal(sessions.read(token), undefined)
  })

  it('is to be renewed after a day', async () => {
    const { sessions, keys, clock } = await make()
    const token = sessions.issue((await keys.create(news)).key)
    assert.equal(sessions.isToRenew(sessions.read(token)!), false)
    clock.advance(DAY_MS + 1)
    assert.equal(sessions.isToRenew(sessions.read(token)!), true)
  })

  it('ends when its key is revoked, expires or is replaced', async () => {
    const { sessions, keys, clock } = await make()
    const revoked = await keys.create(news)
    const expiring = await keys.create({ ...news, expiresAt: clock.now() + 1_000 })
    await keys.configure('a-configured-key')
    const tokens = [revoked.key, expiring.key, keys.get('configured')!.key].map((key) => sessions.issue(key))
    assert.ok(tokens.every((token) => sessions.read(token)))
    await keys.remove(revoked.key.id)
    await keys.configure('another-configured-key')
    clock.advance(1_000)
    assert.deepEqual(
      tokens.map((token) => sessions.read(token)),
      [undefined, undefined, undefined]
    )
  })

  it('is ended with every token of it, and no other session of its key', async () => {
    const { sessions, keys, clock, store } = await make()
    const { key } = await keys.create(news)
    const [token, other] = [sessions.issue(key), sessions.issue(key)]
    const copy = sessions.read(token)!
    clock.advance(DAY_MS + 1)
    const renewed = sessions.issue(copy.key, copy.id)
    await sessions.end(sessions.read(renewed)!)
    const restarted = await Sessions.open({ store, keys, now: clock.now })
    await restarted.refresh()
    for (const each of [sessions, restarted]) {
      assert.deepEqual([each.read(token), each.read(renewed)], [undefined, undefined])
      assert.ok(each.read(other))
    }
  })

  it('is ended for good where others are brought in meanwhile', async () => {
    const { keys, clock, store } = await make()
    const { key } = await keys.create(news)
    const sessions: Sessions = await Sessions.open({
      store: {
        secret: (proposed) => store.secret(proposed),
        endedSessions: () => store.endedSessions(),
        endSession: async (...ended) => {
          await sessions.refresh()
          await store.endSession(...ended)
        }
      },
      keys,
      now: clock.now
    })
    const token = sessions.issue(key)
    await sessions.end(sessions.read(token)!)
    assert.equal(sessions.read(token), undefined)
  })

  it('that was ended is remembered as long as a copy of its cookie would be good', async () => {
    const { sessions, keys, clock, store } = await make()
    const { key } = await keys.create(news)
    const end = () => sessions.end(sessions.read(sessions.issue(key))!)
    await end()
    clock.advance(SESSION_MS)
    await end()
    assert.equal(store.ended.size, 2)
    clock.advance(1)
    await end()
    assert.equal(store.ended.size, 2)
  })

  it('is good in every process that shares the store, and in no other service', async () => {
    const { sessions, keys, store } = await make()
    const token = sessions.issue((await keys.create(news)).key)
    const now = () => 0
    const sibling = await Sessions.open({ store, keys, now })
    assert.ok(sibling.read(token))
    assert.equal(sibling.cookieName, sessions.cookieName)
    const stranger = await Sessions.open({ store: new MemorySignInStore(), keys, now })
    assert.equal(stranger.read(token), undefined)
    assert.notEqual(stranger.cookieName, sessions.cookieName)
    assert.match(stranger.cookieName, /^millrace_[0-9a-f]{8}$/)
  })
})
