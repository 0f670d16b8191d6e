import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { fillStore } from '../src/store/copy/filled-store.test-kit.ts'
import { assertSameStores } from '../src/store/copy/same-stores.test-kit.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { runMillrace, startMillrace } from './support/millrace-command.ts'
import { sharedPostgres } from './support/postgres.ts'
import { temporaryFolder } from './support/service.ts'

const postgres = sharedPostgres()

describe('millrace migrate-store', () => {
  it('goes on after kill -9 and after Ctrl-C, and says that both stores are alike', async (t) => {
    const env = { MILLRACE_HOME: await filledFolder(t, 1_500), DATABASE_URL: await postgres.database() }
    const gate = await holdOutcomes(t, env.DATABASE_URL)

    const killed = startMillrace(t, ['migrate-store'], { env })
    await killed.printed('stderr', /^copying outcomes +0 %/m)
    assert.deepEqual(await killed.end('SIGKILL'), { code: null, signal: 'SIGKILL' })

    const stopped = startMillrace(t, ['migrate-store'], { env })
    await stopped.printed('stderr', /^copying outcomes +0 %/m)
    assert.match(stopped.stderr, /^copying runs +100 % {2}1,500 of 1,500$/m)
    stopped.child.kill('SIGINT')
    await gate.open()
    assert.deepEqual(await stopped.ended, { code: 1, signal: null })
    assert.match(stopped.stderr, /^Stopped\. [^\n]*the same command goes on from there\.\n$/m)

    const { code, stdout, stderr } = await runMillrace(t, ['migrate-store'], { env })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /[\d,]+ rows were there from an earlier attempt/)
    assert.match(stdout, /the same counts, the same checksums/)
    assert.match(stdout, /^ {2}runs +1,500 {3}[0-9a-f]{16}$/m)
    await assertSameStores(t, env.MILLRACE_HOME, env.DATABASE_URL)

    const again = await runMillrace(t, ['migrate-store'], { env })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /is in use already: it holds [^\n]*there is nothing left to do/)
  })

  it('moves a service: its keys, flows and runs are there, and what was unfinished runs', async (t) => {
    const home = join(await temporaryFolder(t), 'home')
    const before = await spawnService(t, { home, env: { MILLRACE_API_KEY: CHILD_KEY } })
    const client = await before.client(CHILD_KEY)
    const { run_id: done } = (await client.webhook('orders', '{"order_id":7,"customer":"Ann"}')).json<{
      run_id: string
    }>()
    const finished = await client.waitForRun(done)
    const busy = await runMillrace(t, ['migrate-store'], {
      env: { MILLRACE_HOME: home, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    })
    assert.deepEqual([busy.code, busy.stdout], [1, ''])
    assert.match(busy.stderr, /is in use by process/)
    await before.end('SIGTERM')
    const open = await acceptedBehindItsBack(home, finished.flow_id)

    const env = { MILLRACE_HOME: home, DATABASE_URL: await postgres.emptyDatabase() }
    const moved = await runMillrace(t, ['migrate-store'], { env })
    assert.equal(moved.code, 0, moved.stderr)
    const after = await spawnService(t, {
      home: join(home, 'unused'),
      env: { DATABASE_URL: env.DATABASE_URL }
    })
    const later = await after.client(CHILD_KEY)
    assert.deepEqual(await later.waitForRun(done), finished)
    assert.equal((await later.waitForRun(open)).status, 'succeeded')
    const { flows } = (await later.get('/api/v1/flows')).json<{ flows: unknown[] }>()
    assert.equal(flows.length, 1, 'no second example')
  })

  it('says what it needs', async (t) => {
    const folder = await temporaryFolder(t)
    const without = await runMillrace(t, ['migrate-store'], { env: { MILLRACE_HOME: folder } })
    assert.deepEqual([without.code, without.stdout], [1, ''])
    assert.match(without.stderr, /^Set DATABASE_URL to the empty database[^\n]+\n$/)
    const empty = await runMillrace(t, ['migrate-store'], {
      env: { MILLRACE_HOME: folder, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    })
    assert.match(empty.stderr, /^There is no store in [^\n]+\n$/)
  })
})

async function filledFolder(t: TestContext, runs: number): Promise<string> {
  const folder = await temporaryFolder(t)
  const store = await openSqliteStore({ folder })
  await fillStore(store, runs)
  await store.close()
  return folder
}

/** A run that the service had accepted and not begun when it was stopped. */
async function acceptedBehindItsBack(folder: string, flowId: string): Promise<string> {
  const store = await openSqliteStore({ folder })
  const id = '01980000-0000-7000-8000-000000000001'
  const input = Buffer.from('{"order_id":8,"customer":"Bob"}')
  await store.runs.accept({
    id,
    flowId,
    flowVersion: 1,
    trigger: 'webhook',
    session: 'x',
    createdAt: Date.now(),
    input,
    request: null,
    replayOf: null
  })
  await store.close()
  return id
}

/** Whoever writes an outcome waits until this is opened. */
async function holdOutcomes(t: TestContext, url: string): Promise<{ open(): Promise<void> }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanUp(t, () => client.end())
  await client.query('BEGIN')
  await client.query('LOCK TABLE millrace.outcomes IN SHARE MODE')
  return { open: async () => void (await client.query('ROLLBACK')) }
}
