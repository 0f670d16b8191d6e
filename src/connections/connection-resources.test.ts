import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { ConnectionResource, OpenConnection } from '../flows/step/step-connection.ts'
import { ConnectionResources } from './connection-resources.ts'

const OPEN = {} as OpenConnection

function setUp() {
  const clock = manualClock()
  const errors: unknown[] = []
  const resources = new ConnectionResources(clock, (error) => errors.push(error))
  const log: string[] = []
  let made = 0
  const pool: ConnectionResource<string> = {
    open: () => {
      log.push(`open ${++made}`)
      return `pool ${made}`
    },
    close: (opened) => void log.push(`close ${opened}`)
  }
  const use = <R>(revision: number, work: (opened: string) => R | Promise<R>, id = 'c1') =>
    resources.use({ id, revision }, pool, { open: OPEN, work })
  return { clock, resources, log, pool, use, errors }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('what is costly to make for a connection', () => {
  it('is made once for all who use it, also at the same time', async () => {
    const { use, log } = setUp()
    const got = await Promise.all([use(1, (pool) => pool), use(1, (pool) => pool)])
    assert.deepEqual([...got, await use(1, (pool) => pool)], ['pool 1', 'pool 1', 'pool 1'])
    assert.deepEqual(log, ['open 1'])
  })

  it('is let go when nobody has used it for a minute', async () => {
    const { use, log, clock } = setUp()
    await use(1, () => undefined)
    clock.advance(59_000)
    await use(1, () => undefined)
    clock.advance(59_000)
    await settle()
    assert.deepEqual(log, ['open 1'])
    clock.advance(1_000)
    await settle()
    assert.deepEqual(log, ['open 1', 'close pool 1'])
    assert.equal(await use(1, (pool) => pool), 'pool 2')
  })

  it('stays open however long somebody uses it', async () => {
    const { use, log, clock } = setUp()
    const work = Promise.withResolvers<void>()
    const used = use(1, () => work.promise)
    await use(1, () => undefined)
    clock.advance(120_000)
    await settle()
    assert.deepEqual(log, ['open 1'])
    work.resolve()
    await used
  })

  it('is made anew when the connection has changed, and the old one goes with its last user', async () => {
    const { use, log } = setUp()
    const work = Promise.withResolvers<void>()
    const used = use(1, () => work.promise)
    assert.equal(await use(2, (pool) => pool), 'pool 2')
    assert.deepEqual(log, ['open 1', 'open 2'])
    work.resolve()
    await used
    await settle()
    assert.deepEqual(log, ['open 1', 'open 2', 'close pool 1'])
  })

  it('is one for each connection', async () => {
    const { use } = setUp()
    assert.deepEqual([await use(1, (pool) => pool), await use(1, (pool) => pool, 'c2')], ['pool 1', 'pool 2'])
  })

  it('that could not be opened is tried anew', async () => {
    const { resources, clock, errors } = setUp()
    let tries = 0
    const pool: ConnectionResource<string> = {
      open: () => {
        if (++tries === 1) throw new Error('unreachable')
        return 'open'
      },
      close: () => assert.fail('it was never open')
    }
    const use = () => resources.use({ id: 'c1', revision: 1 }, pool, { open: OPEN, work: (opened) => opened })
    await assert.rejects(use(), /unreachable/)
    clock.advance(120_000)
    assert.equal(await use(), 'open')
    assert.deepEqual(errors, [])
  })

  it('is closed at the stop, once, also where it is in use', async () => {
    const { use, log, resources } = setUp()
    const work = Promise.withResolvers<void>()
    const used = use(1, () => work.promise)
    await use(1, () => undefined, 'c2')
    await resources.close()
    assert.deepEqual(log.slice(2).sort(), ['close pool 1', 'close pool 2'])
    work.resolve()
    await used
    await settle()
    assert.equal(log.length, 4)
  })

  it('that cannot be closed is told of and forgotten', async () => {
    const { resources, errors } = setUp()
    const pool = { open: () => 1, close: () => Promise.reject(new Error('stuck')) }
    await resources.use({ id: 'c1', revision: 1 }, pool, { open: OPEN, work: () => undefined })
    await resources.close()
    assert.match(String(errors[0]), /stuck/)
  })
})
