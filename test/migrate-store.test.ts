import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { createDatabasePlace } from '../src/files/database-place.ts'
import { FileMissing } from '../src/files/file-place.ts'
import { createFolderPlace } from '../src/files/folder-place.ts'
import { acceptWithFile } from '../src/files/stored-files.test-kit.ts'
import { fillStore } from '../src/store/copy/filled-store.test-kit.ts'
import { assertSameStores } from '../src/store/copy/same-stores.test-kit.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import { makeFolder } from '../src/store/sqlite/file/make-folder.ts'
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
    const gate = await holdTable(t, env.DATABASE_URL, 'outcomes')

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

  it('copies the bytes of files, goes on after kill -9 in the midst of them, and reads all of them again', async (t) => {
    const { folder, files, lost } = await folderWithFiles(t)
    const env = { MILLRACE_HOME: folder, DATABASE_URL: await postgres.database() }
    const gate = await holdTable(t, env.DATABASE_URL, 'file_parts')
    const killed = startMillrace(t, ['migrate-store'], { env })
    await gate.isWaitedFor()
    assert.deepEqual(await killed.end('SIGKILL'), { code: null, signal: 'SIGKILL' })
    await gate.open()
    // As of a write that was cut off.
    await gate.sql('INSERT INTO millrace.file_parts VALUES ($1, 0, 1, $2)', [
      files[1]!.name,
      Buffer.alloc(1_000)
    ])

    const { code, stdout, stderr } = await runMillrace(t, ['migrate-store'], { env })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /The bytes of 3 files were copied and read again: each has the digest/)
    assert.match(stdout, /^1 file could not be copied: the bytes are missing or damaged/m)
    assert.match(stderr, /^checking file bytes +100 % {2}4 of 4$/m)
    const store = await openPostgresStore({ url: env.DATABASE_URL, processId: 'test' })
    cleanUp(t, () => store.close())
    const place = createDatabasePlace(store.fileParts)
    for (const { id, bytes } of files) {
      const { name } = (await store.files.get(id))!
      assert.ok((await buffer(await place.read(name))).equals(bytes))
    }
    await assert.rejects(place.read(lost.name), FileMissing)
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
    replayOf: null,
    context: null
  })
  await store.close()
  return id
}

/** A store with three files, and a fourth whose bytes are gone. */
async function folderWithFiles(t: TestContext) {
  const folder = await temporaryFolder(t)
  const store = await openSqliteStore({ folder })
  makeFolder(join(folder, 'files'))
  const place = createFolderPlace(join(folder, 'files'))
  const files = []
  for (let n = 0; n < 3; n++) {
    const bytes = randomBytes(1_500_000)
    const { file } = await acceptWithFile(store, place, bytes)
    files.push({ ...file, bytes })
  }
  const { file: lost } = await acceptWithFile(store, place, Buffer.from('lost'))
  await place.remove(lost.name)
  await store.close()
  return { folder, files, lost }
}

/** Whoever writes to the table waits until this is opened. */
async function holdTable(t: TestContext, url: string, table: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  cleanUp(t, () => client.end())
  await client.query('BEGIN')
  await client.query(`LOCK TABLE millrace.${table} IN SHARE MODE`)
  const waiting =
    'SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())'
  return {
    open: async () => void (await client.query('ROLLBACK')),
    sql: (text: string, values: unknown[]) => client.query(text, values),
    isWaitedFor: async () => {
      while ((await client.query(waiting)).rows.length === 0);
    }
  }
}
