import assert from 'node:assert/strict'
import type { SignInLink } from '../credentials.ts'
import { beforeAndAfterRestart, type OpenSubject, storeTest } from './subject.test-kit.ts'

function link(hash: string, more: Partial<SignInLink> = {}): SignInLink {
  return { hash, keyId: 'key-1', expiresAt: 5000, ...more }
}

export function signInContract(open: OpenSubject): void {
  storeTest(
    open,
    'one of two secrets that are proposed at once is the secret, also over a restart',
    async (subject) => {
      const secrets = ['one', 'other']
      const [secret, ...rest] = new Set(
        await Promise.all(secrets.map((each) => subject.store.signIns.secret(each)))
      )
      assert.deepEqual(rest, [])
      assert.ok(secrets.includes(secret!))
      for await (const store of beforeAndAfterRestart(subject)) {
        assert.equal(await store.signIns.secret('a third'), secret)
      }
    }
  )

  storeTest(open, 'a link is kept, also over a restart, and taken once', async ({ store, reopen }) => {
    const [mine, other] = [link('a'.repeat(64), { keyId: 'key-2', expiresAt: 7000 }), link('b'.repeat(64))]
    await store.signIns.put(mine, 0)
    await store.signIns.put(other, 0)
    const { signIns } = await reopen()
    assert.equal(await signIns.take('c'.repeat(64)), undefined)
    assert.deepEqual(await signIns.take(mine.hash), mine)
    assert.equal(await signIns.take(mine.hash), undefined)
    assert.deepEqual(await signIns.take(other.hash), other)
  })

  storeTest(open, 'of many who take a link at once, one gets it', async ({ store }) => {
    await store.signIns.put(link('a'), 0)
    const taken = await Promise.all(Array.from({ length: 10 }, () => store.signIns.take('a')))
    assert.deepEqual(
      taken.filter((each) => each !== undefined),
      [link('a')]
    )
  })

  storeTest(open, 'links that expired long ago are forgotten when a new one is put', async ({ store }) => {
    await store.signIns.put(link('old', { expiresAt: 999 }), 0)
    await store.signIns.put(link('recent', { expiresAt: 1000 }), 0)
    await store.signIns.put(link('new', { expiresAt: 2000 }), 1000)
    assert.equal(await store.signIns.take('old'), undefined)
    assert.equal((await store.signIns.take('recent'))?.expiresAt, 1000)
    assert.equal((await store.signIns.take('new'))?.expiresAt, 2000)
  })

  storeTest(open, 'sessions that were ended are known until they expire', async (subject) => {
    const { signIns } = subject.store
    assert.deepEqual(await signIns.endedSessions(), [])
    await signIns.endSession({ id: 'one', expiresAt: 999 }, 0)
    await signIns.endSession({ id: 'two', expiresAt: 1000 }, 0)
    await signIns.endSession({ id: 'two', expiresAt: 1000 }, 0)
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual((await store.signIns.endedSessions()).toSorted(), ['one', 'two'])
    }
    const { signIns: again } = await subject.reopen()
    await again.endSession({ id: 'three', expiresAt: 2000 }, 1000)
    assert.deepEqual((await again.endedSessions()).toSorted(), ['three', 'two'])
  })
}
