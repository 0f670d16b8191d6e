import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConnectionPool, type Session } from './connection-pool.ts'

const { signal } = new AbortController()

function setUp(most: number) {
  let time = 0
  const opened: TestSession[] = []
  const pool = new ConnectionPool<TestSession>({
    most,
    now: () => time,
    open: async () => {
      const session = new TestSession()
      opened.push(session)
      return session
    }
  })
  return { pool, opened, pass: (ms: number) => (time += ms) }
}

class TestSession implements Session {
  isUsable = true
  isDestroyed = false

  destroy(): void {
    this.isDestroyed = true
  }
}

describe('a pool of sessions', () => {
  it('uses a session again, and lets go of one that is old or broken', async () => {
    const { pool, opened, pass } = setUp(2)
    const use = () => pool.withSession(signal, async (session) => session)
    const first = await use()
    assert.equal(await use(), first)
    pass(31_000)
    const second = await use()
    assert.notEqual(second, first)
    assert.ok(first.isDestroyed)
    second.isUsable = false
    assert.notEqual(await use(), second)
    pool.close()
    assert.ok(opened.every(({ isDestroyed }) => isDestroyed))
  })

  it('lets no more work at the same time than it may, in the order in which they came', async () => {
    const { pool, opened } = setUp(1)
    const order: number[] = []
    const gate = Promise.withResolvers<void>()
    const users = [1, 2, 3].map((user) =>
      pool.withSession(signal, async () => {
        if (user === 1) await gate.promise
        order.push(user)
      })
    )
    gate.resolve()
    await Promise.all(users)
    assert.deepEqual(order, [1, 2, 3])
    assert.equal(opened.length, 1)
  })

  it('lets go of whoever is aborted while they wait', async () => {
    const { pool } = setUp(1)
    const gate = Promise.withResolvers<void>()
    const first = pool.withSession(signal, () => gate.promise)
    const end = new AbortController()
    const second = pool.withSession(end.signal, async () => assert.fail('it had no turn'))
    const third = pool.withSession(signal, async () => 'third')
    end.abort(new Error('over'))
    await assert.rejects(second, /over/)
    gate.resolve()
    await first
    assert.equal(await third, 'third')
  })

  it('lets the next one use a session that is handed on, and keeps it until both are done', async () => {
    const { pool, opened } = setUp(1)
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const handedOn: boolean[] = []
    const [first, second] = gates.map(({ promise }) =>
      pool.withSession(signal, async (session, { handOn }) => {
        handedOn.push(handOn())
        await promise
        return session
      })
    )
    const third = pool.withSession(signal, async (session) => session)
    const session = await third
    session.isUsable = false
    gates[1]!.resolve()
    assert.equal(await second, session)
    assert.equal(session.isDestroyed, false)
    gates[0]!.resolve()
    assert.equal(await first, session)
    assert.ok(session.isDestroyed)
    assert.deepEqual([handedOn, opened.length], [[true, true], 1])
  })
})
