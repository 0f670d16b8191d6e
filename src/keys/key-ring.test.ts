import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { MillraceError } from '../errors.ts'
import { type Made, make, news } from './key-ring.test-kit.ts'
import type { NewKey } from './key-ring.ts'
import { RIGHTS } from './rights.ts'

/** The ring of the next process on the same store. */
async function restarted({ store, clock }: Made): Promise<Made> {
  const next = make(store, clock)
  await next.ring.load()
  return next
}

describe('a key', () => {
  it('is shown once, and says who it belongs to', async () => {
    const { ring } = make()
    const { key, secret } = await ring.create({ ...news, flowId: 'f', context: '/sales' })
    assert.match(secret, /^mr_[\w-]{32}$/)
    const actor = ring.verify(secret)
    assert.deepEqual(actor, {
      keyId: key.id,
      name: 'CI',
      rights: new Set(['trigger']),
      flowId: 'f',
      context: '/sales'
    })
  })

  it('is kept as a hash only', async () => {
    const { ring, store } = make()
    const { secret } = await ring.create(news)
    const kept = JSON.stringify([...store.keys.values()])
    assert.ok(!kept.includes(secret) && !kept.includes(secret.slice(7)))
    assert.equal([...store.keys.values()][0]!.hash, createHash('sha256').update(secret).digest('hex'))
    assert.equal([...store.keys.values()][0]!.hint, secret.slice(0, 6))
  })

  it('is good in the next process', async () => {
    const made = make()
    const { key, secret } = await made.ring.create(news)
    assert.equal((await restarted(made)).ring.verify(secret)?.keyId, key.id)
  })

  it('that is absent, empty or another is not good', async () => {
    const { ring } = make()
    const { secret } = await ring.create(news)
    const changed = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`
    for (const wrong of [undefined, '', 'x', changed, `${secret} `, secret.toUpperCase()])
      assert.equal(ring.verify(wrong), undefined, String(wrong))
  })

  it('loses rights that this version does not know', async () => {
    const made = make()
    const { key, secret } = await made.ring.create(news)
    await made.store.put({ ...key, rights: ['read', 'fly'] })
    const { ring } = await restarted(made)
    assert.deepEqual(ring.verify(secret)?.rights, new Set(['read']))
  })
})

describe('expiry', () => {
  it('ends a key at its moment', async () => {
    const { ring, clock } = make()
    const { secret } = await ring.create({ ...news, expiresAt: clock.now() + 1_000 })
    clock.advance(999)
    assert.ok(ring.verify(secret))
    clock.advance(1)
    assert.equal(ring.verify(secret), undefined)
  })
})

describe('revoking', () => {
  it('ends a key at once and for good', async () => {
    const made = make()
    const { key, secret } = await made.ring.create(news)
    await made.ring.remove(key.id)
    assert.equal(made.ring.verify(secret), undefined)
    assert.deepEqual(made.ring.list(), [])
    assert.equal((await restarted(made)).ring.verify(secret), undefined)
  })

  it('is refused of the last key that may manage keys, or that may for longest', async () => {
    const { ring, clock } = make()
    const admin: NewKey = { ...news, rights: ['admin'] }
    const first = await ring.create(admin)
    const others = [{ ...admin, flowId: 'f' }, { ...admin, context: '/a' }, news]
    for (const other of others) await ring.create(other)
    await ring.create({ ...admin, expiresAt: clock.now() + 1_000 })
    const isRefused = (error: unknown) =>
      error instanceof MillraceError &&
      error.code === 'key_is_last_admin' &&
      /Make another/.test(error.message)
    await assert.rejects(ring.remove(first.key.id), isRefused)
    assert.ok(ring.verify(first.secret))
    const second = await ring.create(admin)
    const both = await Promise.allSettled([ring.remove(first.key.id), ring.remove(second.key.id)])
    assert.deepEqual(
      both.map(({ status }) => status),
      ['fulfilled', 'rejected']
    )
  })

  it('takes the only key that there is: the next start makes another one', async () => {
    const { ring } = make()
    const { key } = await ring.create({ ...news, rights: ['admin'] })
    await ring.remove(key.id)
    assert.deepEqual(ring.list(), [])
  })

  it('is refused of no key that another outlasts, nor of one that is over', async () => {
    const { ring, clock } = make()
    const admin: NewKey = { ...news, rights: ['admin'] }
    const brief = await ring.create({ ...admin, expiresAt: clock.now() + 1_000 })
    const longer = await ring.create({ ...admin, expiresAt: clock.now() + 2_000 })
    await ring.remove(brief.key.id)
    clock.advance(2_000)
    await ring.remove(longer.key.id)
    assert.deepEqual(ring.list(), [])
  })

  it('of an unknown key is refused, and says where keys are listed', async () => {
    const { ring } = make()
    await assert.rejects(ring.remove('x'), (error) => {
      return (
        error instanceof MillraceError &&
        error.code === 'key_not_found' &&
        /GET \/api\/v1\/keys/.test(error.message)
      )
    })
  })

  it('leaves other keys alone', async () => {
    const { ring } = make()
    const first = await ring.create(news)
    const second = await ring.create(news)
    await ring.remove(first.key.id)
    assert.ok(ring.verify(second.secret))
  })
})

describe('a key by its id', () => {
  it('is held while it is good, and that is a use of it', async () => {
    const { ring, clock } = make()
    const { key } = await ring.create({ ...news, expiresAt: clock.now() + 1_000 })
    clock.advance(999)
    assert.deepEqual(ring.get(key.id)?.actor.rights, new Set(['trigger']))
    assert.equal(ring.list()[0]!.lastUsedAt, clock.now())
    assert.equal(ring.get('nobody'), undefined)
    clock.advance(1)
    assert.equal(ring.get(key.id), undefined)
  })

  it('is watched until it is revoked or replaced', async () => {
    const { ring } = make()
    const told: string[] = []
    const [first, second] = [await ring.create(news), await ring.create(news)]
    await ring.configure('a-configured-key')
    for (const id of [first.key.id, second.key.id, 'configured']) ring.watch(id, () => told.push(id))
    const leave = ring.watch(first.key.id, () => told.push('left'))
    leave()
    await ring.remove(first.key.id)
    assert.deepEqual(told, [first.key.id])
    await ring.configure('a-configured-key')
    assert.deepEqual(told, [first.key.id])
    await ring.configure('another-configured-key')
    assert.deepEqual(told, [first.key.id, 'configured'])
  })
})

describe('the key of the configuration', () => {
  const OLD = 'old-configured-key'
  const NEW = 'new-configured-key'

  it('has every right', async () => {
    const { ring } = make()
    await ring.configure(OLD)
    const actor = ring.verify(OLD)
    assert.deepEqual(actor?.rights, new Set(RIGHTS))
    assert.deepEqual([actor?.flowId, actor?.context], [null, null])
  })

  it('is replaced by a new value: the old one is no longer good, now and later', async () => {
    const made = make()
    await made.ring.configure(OLD)
    const next = await restarted(made)
    await next.ring.configure(NEW)
    assert.ok(next.ring.verify(NEW))
    assert.equal(next.ring.verify(OLD), undefined)
    assert.equal(next.ring.list().length, 1)
    const last = await restarted(next)
    assert.equal(last.ring.verify(OLD), undefined)
  })

  it('stays as it is, last use included, when the value is the same', async () => {
    const made = make()
    await made.ring.configure(OLD)
    made.ring.verify(OLD)
    await made.ring.saveUses()
    const next = await restarted(made)
    await next.ring.configure(OLD)
    assert.equal(next.ring.list()[0]!.lastUsedAt, made.clock.now())
  })

  it('may be a key that was made before; replacing it then ends that one too', async () => {
    const made = make()
    const first = await made.ring.createFirst()
    await made.ring.configure(first)
    assert.equal(made.ring.list().length, 1)
    assert.deepEqual(made.ring.verify(first)?.rights, new Set(RIGHTS))
    const next = await restarted(made)
    await next.ring.configure(NEW)
    const last = await restarted(next)
    assert.equal(last.ring.verify(first), undefined)
    assert.ok(last.ring.verify(NEW))
  })
})

describe('a key of fewer rights that is set as the configured one', () => {
  for (const [what, limits] of Object.entries({
    'may only trigger': { rights: ['trigger'] },
    'is for one flow': { flowId: 'flow-1' },
    'is for one context': { context: '/sales' },
    expires: { expiresAt: 1 }
  })) {
    it(`is refused where it ${what}: it would gain all of them`, async () => {
      const { ring } = make()
      const full = { name: 'Ann', rights: [...RIGHTS], flowId: null, context: null, expiresAt: null }
      const { secret } = await ring.create({ ...full, ...limits } as never)
      await assert.rejects(ring.configure(secret), { code: 'config_invalid', message: /"Ann".*Unset it/ })
      assert.equal(ring.list().length, 1)
    })
  }
})

describe('the first key', () => {
  it('has every right', async () => {
    const { ring } = make()
    assert.deepEqual(ring.verify(await ring.createFirst())?.rights, new Set(RIGHTS))
  })
})

describe('the last use of a key', () => {
  it('is known at once and written down now and then, all in one', async () => {
    const { ring, store, clock } = make()
    const { key, secret } = await ring.create(news)
    clock.advance(5)
    for (let use = 0; use < 3; use++) ring.verify(secret)
    assert.equal(ring.list()[0]!.lastUsedAt, clock.now())
    assert.equal(store.keys.get(key.id)!.lastUsedAt, null)
    await ring.saveUses()
    await ring.saveUses()
    assert.equal(store.touches, 1)
    assert.equal(store.keys.get(key.id)!.lastUsedAt, clock.now())
    assert.equal(ring.list()[0]!.lastUsedAt, clock.now())
  })

  it('is not that of a refused one', async () => {
    const { ring, clock } = make()
    const { secret } = await ring.create({ ...news, expiresAt: clock.now() })
    ring.verify(secret)
    assert.equal(ring.list()[0]!.lastUsedAt, null)
  })

  it('of a key that was revoked meanwhile is forgotten', async () => {
    const { ring, store } = make()
    const { key, secret } = await ring.create(news)
    ring.verify(secret)
    await ring.remove(key.id)
    await ring.saveUses()
    assert.equal(store.touches, 0)
  })
})
