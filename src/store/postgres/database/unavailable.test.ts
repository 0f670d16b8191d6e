import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { ownPostgres } from '../../../../test/support/postgres.ts'
import { acceptAndEnd, acceptMany, sampleRun } from '../../contract/subject.test-kit.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { withoutPassword } from './database.ts'
import { isCollision, isUnavailable, storeUnwritable } from './unavailable.ts'

const postgres = ownPostgres()
const withCode = (code: string) => Object.assign(new Error('from PostgreSQL'), { code })

test('the message says what is wrong and what to do', () => {
  const cases: [string, RegExp][] = [
    ['ECONNREFUSED', /nobody answers there\. Start PostgreSQL, or correct DATABASE_URL/],
    ['ENOTFOUND', /name of the host is not known/],
    ['28P01', /refuses this user or password\. Correct DATABASE_URL/],
    ['3D000', /no such database\. Create it/],
    ['57P01', /starting or stopping\. Millrace goes on by itself/],
    ['57P03', /starting or stopping/],
    ['53100', /lacks disk, memory or free connections/],
    ['53300', /free connections/],
    ['25006', /takes no writes.*Point DATABASE_URL to the primary/],
    ['08006', /connection to PostgreSQL broke/],
    ['25P03', /stood still in the middle of a transaction.*goes on by itself/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate is not trusted\. .*sslrootcert=/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /certificate is for another name/]
  ]
  for (const [code, words] of cases) {
    const error = storeUnwritable('postgres://db/millrace', withCode(code))
    assert.match(error.message, words)
    assert.match(error.message, new RegExp(`postgres://db/millrace.*code ${code}`))
    assert.ok(isUnavailable(withCode(code)))
  }
  const several = new AggregateError([withCode('ECONNREFUSED')], '')
  assert.match(storeUnwritable('x', several).message, /nobody answers/)
})

test('an address that cannot be used says why, before anybody looks for the server', async (t) => {
  const server = await postgres.server()
  const db = server.url('postgres')
  const cases: [url: string, words: RegExp][] = [
    [`${db}?sslmode=verify-full`, /does not speak TLS\. Set it up there, or leave sslmode out/],
    [`${db}?sslmode=verify-full&sslrootcert=/no/such.crt`, /a file that DATABASE_URL names .* is not there/],
    [db.replace('millrace@', 'millrace:a#b@'), /cannot be read\. In user and password write %23 for #/]
  ]
  for (const [url, words] of cases) {
    await t.test(url, () =>
      assert.rejects(openPostgresStore({ processId: 'test', url }), {
        code: 'store_unwritable',
        message: words
      })
    )
  }
})

test('faults of one write are not faults of the database', () => {
  for (const error of [withCode('23505'), withCode('22021'), withCode('42601'), new TypeError('x'), 'x']) {
    assert.equal(isUnavailable(error), false)
  }
  assert.ok(isCollision(withCode('40P01')) && !isUnavailable(withCode('40P01')))
})

test('a password is never told', () => {
  const told = withoutPassword(
    'postgres://ann:s3cret@db.example:5433/millrace?sslmode=require&password=s3cret'
  )
  assert.equal(told, 'postgres://ann@db.example:5433/millrace')
  assert.equal(withoutPassword('not an address with s3cret'), 'DATABASE_URL')
})

test('a database that is not there is refused at the start', async () => {
  const server = await postgres.server()
  await assert.rejects(openPostgresStore({ processId: 'test', url: server.url('nowhere') }), {
    code: 'store_unwritable',
    message: /no such database/
  })
  await assert.rejects(
    openPostgresStore({ processId: 'test', url: 'postgres://ann:s3cret@127.0.0.1:1/x' }),
    (error: Error) => {
      assert.match(error.message, /nobody answers there/)
      assert.doesNotMatch(error.message, /s3cret/)
      return true
    }
  )
})

for (const how of ['fast', 'crash'] as const) {
  test(`while the database is away writes are refused, and it goes on by itself (${how})`, async (t) => {
    const server = await postgres.server()
    const told: string[] = []
    const url = await postgres.database()
    const store = await openPostgresStore({
      processId: 'test',
      url,
      onUnwritable: ({ code }) => told.push(code)
    })
    cleanUp(t, () => store.close())
    const kept = await acceptMany(store, 20)
    await server.halt(how)
    const refused = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => store.runs.accept(sampleRun())),
      store.runs.acceptEvent(sampleRun(), { node: 'ticks', mark: 1 }),
      // Of a flow whose queue this process has not made yet.
      store.runs.acceptTest(sampleRun({ flowId: 'flow-b' }), '{}'),
      store.runs.get(kept[0]!.id),
      store.flows.live(),
      store.keys.remove('x')
    ])
    for (const each of refused) {
      assert.ok(each.status === 'rejected')
      assert.equal(each.reason.code, 'store_unwritable')
    }
    assert.ok(told.length >= 1)
    // After a refused write a probe is a real one again.
    await assert.rejects(store.probe(), { code: 'store_unwritable' })
    await server.start()
    await store.probe()
    const run = await acceptAndEnd(store)
    assert.ok(run.seq > kept.at(-1)!.seq)
    assert.equal((await store.runs.get(kept[0]!.id))?.seq, kept[0]!.seq)
    assert.deepEqual(await store.runs.backlog(), new Map([['flow-a', 20]]))
  })
}

test('a database that is restarted under load loses nothing that was accepted', async (t) => {
  const server = await postgres.server()
  const store = await openPostgresStore({ processId: 'test', url: await postgres.database() })
  cleanUp(t, () => store.close())
  const accepted: string[] = []
  let isOver = false
  const senders = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const run = sampleRun()
      await store.runs.accept(run).then(
        ({ id }) => accepted.push(id),
        (error) => assert.equal(error.code, 'store_unwritable')
      )
    }
  })
  for (let restarts = 0; restarts < 3; restarts++) {
    const before = accepted.length
    while (accepted.length < before + 50) await new Promise((resolve) => setImmediate(resolve))
    await server.restart('crash')
  }
  isOver = true
  await Promise.all(senders)
  await store.probe()
  for (const id of accepted) assert.ok(await store.runs.get(id), `${id} was accepted and is gone`)
})
