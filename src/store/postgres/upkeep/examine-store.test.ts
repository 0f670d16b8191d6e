import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { startPostgresServer } from '../../../../test/support/postgres-server.ts'
import { acceptMany, sampleRun } from '../../contract/subject.test-kit.ts'
import type { Finding } from '../../finding.ts'
import type { SharedStore } from '../../shared-store.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { examinePostgresStore } from './examine-store.ts'

const postgres = sharedPostgres()
const worker = { id: 'w', role: 'worker', host: 'here', pid: 1, version: '1.0.0' }

describe('examining a PostgreSQL store', () => {
  it('finds a store that is in use sound', async (t) => {
    const { store, look } = await openedStore(t)
    await acceptMany(store, 20)
    await store.processes.pulse({ ...worker, id: 'a', role: 'all' })
    const findings = await look()
    assert.deepEqual(verdicts(findings), {
      connection: 'ok',
      version: 'ok',
      rights: 'ok',
      connections: 'ok',
      clock: 'ok',
      migrations: 'ok',
      queue: 'ok',
      jobs: 'ok',
      'stuck runs': 'ok',
      waits: 'ok',
      processes: 'ok'
    })
    assert.match(saysOf(findings, 'jobs'), /^20 unfinished runs/)
    assert.match(saysOf(findings, 'processes'), /1 × all 1\.0\.0/)
  })

  it('takes a database that nobody has used yet for what it is, and leaves it so', async () => {
    const url = await postgres.emptyDatabase()
    const findings = await examinePostgresStore({ url, now: Date.now })
    assert.equal(verdicts(findings).migrations, 'ok')
    assert.ok(findings.every(({ verdict }) => verdict === 'ok'))
    assert.equal((await sql(url, "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'millrace%'")).length, 0)
  })

  it('says that nobody answers, and stops there', async () => {
    const server = await startPostgresServer()
    const url = server.url('postgres')
    await server.stop()
    const findings = await examinePostgresStore({ url, now: Date.now })
    assert.deepEqual(verdicts(findings), { connection: 'fault' })
    assert.match(saysOf(findings, 'connection'), /nobody answers/)
  })

  it('finds a newer schema, an older one, and a copy that is not finished', async (t) => {
    const { url, look } = await openedStore(t)
    await sql(url, "INSERT INTO millrace.migrations (version, name) VALUES (9999, 'later')")
    assert.equal(verdicts(await look()).migrations, 'fault')
    await sql(url, 'DELETE FROM millrace.migrations')
    assert.equal(verdicts(await look()).migrations, 'warning')
    await sql(url, 'CREATE TABLE millrace.copying (part text)')
    assert.match(saysOf(await look(), 'migrations'), /unfinished copy/)
  })

  it('finds clocks that differ', async (t) => {
    const { url } = await openedStore(t)
    const at = async (skew: number) =>
      verdicts(await examinePostgresStore({ url, now: () => Date.now() + skew })).clock
    assert.deepEqual([await at(5_000), await at(-5_000), await at(90_000)], ['warning', 'warning', 'fault'])
  })

  it('finds runs without a job, and jobs without a run', async (t) => {
    const { store, url, look } = await openedStore(t)
    await acceptMany(store, 3)
    await sql(
      url,
      'DELETE FROM millrace_queue.job WHERE id = (SELECT min(id::text)::uuid FROM millrace_queue.job)'
    )
    await sql(url, 'DELETE FROM millrace.runs WHERE seq = (SELECT max(seq) FROM millrace.runs)')
    const findings = await look()
    assert.equal(verdicts(findings).jobs, 'fault')
    assert.match(saysOf(findings, 'jobs'), /^1 unfinished runs have no job, 1 jobs have no unfinished run/)
  })

  it('finds runs that nobody takes up', async (t) => {
    const { store, url, look } = await openedStore(t)
    await acceptMany(store, 4)
    await store.queue.claim([{ flowId: 'flow-a', most: 1, limit: null }])
    await sql(
      url,
      "UPDATE millrace_queue.job SET heartbeat_on = now() - interval '5 minutes' WHERE state = 'active'"
    )
    await sql(url, "UPDATE millrace_queue.job SET start_after = now() - interval '5 minutes'")
    await store.processes.pulse({ ...worker, id: 'v', role: 'web' })
    const alone = await look()
    assert.equal(verdicts(alone)['stuck runs'], 'fault')
    assert.match(saysOf(alone, 'stuck runs'), /^1 runs are claimed .* 3 have waited .* no worker is alive/)
    assert.equal(verdicts(alone).processes, 'warning', 'a web process without a worker')
    await store.processes.pulse(worker)
    await store.processes.pulse({ ...worker, id: 'x', version: '1.1.0' })
    const helped = verdicts(await look())
    assert.deepEqual([helped['stuck runs'], helped.processes, helped.versions], ['warning', 'ok', 'warning'])
  })

  it('counts runs that wait, and finds those that wait for nothing', async (t) => {
    const { store, url, look } = await openedStore(t)
    const run = await store.runs.accept(sampleRun())
    assert.equal(saysOf(await look(), 'waits'), '0 runs wait')
    const wait = { id: 'w', node: 'A', kind: 'call', createdAt: 1, expiresAt: null, question: null } as const
    await store.runs.openWait(run, '"waits"', wait)
    await store.runs.park(run, '"parked"', null, ['A'])
    assert.equal(saysOf(await look(), 'waits'), '1 run waits')
    await sql(url, 'DELETE FROM millrace.waits')
    const found = (await look()).find(({ check }) => check === 'waits')!
    assert.deepEqual(
      [found.verdict, found.says],
      ['fault', '1 runs wait for nothing, 0 for a turn that nobody gives them']
    )
  })

  it('finds a user without rights, a queue that is gone and connections that run out', async (t) => {
    const { url, look } = await openedStore(t)
    await sql(url, 'CREATE ROLE reader LOGIN')
    const asReader = url.replace('//millrace@', '//reader@')
    const rights = async () => verdicts(await examinePostgresStore({ url: asReader, now: Date.now })).rights
    const everything = 'IN SCHEMA millrace, millrace_queue TO reader'
    assert.equal(await rights(), 'fault')
    await sql(url, `GRANT SELECT, UPDATE, DELETE ON ALL TABLES ${everything}`)
    await sql(url, `GRANT ALL ON ALL SEQUENCES ${everything}`)
    await sql(url, 'GRANT USAGE ON SCHEMA millrace, millrace_queue TO reader')
    assert.equal(await rights(), 'fault', 'it may not insert')
    await sql(url, `GRANT ALL ON ALL TABLES ${everything}`)
    assert.equal(await rights(), 'ok')
    await sql(url, 'REVOKE ALL ON SEQUENCE millrace.changes FROM reader')
    assert.equal(await rights(), 'fault', 'it may not number changes')
    await sql(url, `GRANT ALL ON ALL SEQUENCES ${everything}`)
    await sql(url, 'REVOKE USAGE ON SCHEMA millrace_queue FROM reader')
    assert.equal(await rights(), 'fault', 'it may not use the queue')
    const few = await startPostgresServer({ settings: ['fsync=off', 'max_connections=12'] })
    cleanUp(t, () => few.stop())
    const clients = Array.from({ length: 7 }, () => new Client({ connectionString: few.url('postgres') }))
    for (const client of clients) await client.connect()
    const { connections } = verdicts(await examinePostgresStore({ url: few.url('postgres'), now: Date.now }))
    for (const client of clients) await client.end()
    assert.equal(connections, 'warning')
    await sql(url, 'DROP SCHEMA millrace_queue CASCADE')
    assert.equal(verdicts(await look()).queue, 'fault')
  })
})

interface Opened {
  readonly store: SharedStore
  readonly url: string
  look(): Promise<Finding[]>
}

async function openedStore(t: TestContext): Promise<Opened> {
  const url = await postgres.database()
  const store = await openPostgresStore({ url, processId: 'test', connections: 4 })
  cleanUp(t, () => store.close())
  return { store, url, look: () => examinePostgresStore({ url, now: Date.now }) }
}

async function sql(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function verdicts(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))
}

function saysOf(findings: readonly Finding[], check: string): string {
  return findings.find((finding) => finding.check === check)!.says
}
