import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { examineSqliteStore } from '../src/store/sqlite/upkeep/examine-store.ts'
import { type Answer, type ApiClient, type FlowBody, problemOf } from './support/api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './support/child-service.ts'
import { anythingFlow } from './support/documents.ts'
import { bytesIn } from './support/paper-flows.ts'
import { startService } from './support/service.ts'

const ENV = { MILLRACE_API_KEY: CHILD_KEY }
/** Room for a new store and some dozens of requests. A block of the shell's limit is 512 bytes. */
const LIMIT = 'ulimit -S -f 1600'
const BODY = JSON.stringify('x'.repeat(20_000))
const MAX_REQUESTS = 200
/** Writes of one moment share their fate: one that is refused may have fitted alone. So many in a row would not have. */
const SURELY_FULL = 3

describe('a store that cannot be written', () => {
  it('refuses with 503, tells it now and then, keeps nothing by halves and loses nothing', async (t) => {
    const { service, client, flow } = await startLimited(t)
    const accepted = await fillStore(client, flow)
    assert.ok(accepted.length > 0, 'some requests were taken')
    for (let n = 0; n < 20; n++) assertUnwritable(await client.webhook(flow.slug, BODY))
    const told = service.stderr
      .split('\n')
      .filter((line) => line.includes('store_unwritable'))
      .map((line) => JSON.parse(line) as { level: number; msg: string; time: number })
    const { level, msg } = told[0]!
    assert.ok(level >= 50 && msg.length > 20, msg)
    assert.ok(msg.includes(service.home), 'it says which folder')
    // A machine on which all of this takes long hears of it again, every five seconds.
    const pauses = told.slice(1).map(({ time }, at) => time - told[at]!.time)
    assert.ok(
      pauses.every((ms) => ms > 4_000),
      service.stderr
    )
    assert.deepEqual(await allRunIds(client), accepted, 'nothing is there of what was refused')
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })

    const later = await startService(t, { home: service.home })
    for (const id of accepted) assert.equal((await later.waitForRun(id)).status, 'succeeded')
    assert.deepEqual(await allRunIds(later), accepted)
    assert.equal((await later.webhook(flow.slug, BODY)).status, 202)
  })

  it('is not ready, is alive, can still be read, and loses nothing when its process is killed', async (t) => {
    const { service, client, flow } = await startLimited(t)
    const accepted = await fillStore(client, flow)
    // A probe is smaller than a request: it may still fit a few times.
    await untilRefused(() => client.get('/readyz', { key: null }), 200)
    assert.equal((await client.get('/livez', { key: null })).status, 200)
    assert.equal((await client.get(`/api/v1/runs/${accepted[0]}`)).status, 200)
    assert.equal((await client.get('/metrics')).status, 200)

    assertUnwritable(await client.post('/api/v1/flows', anythingFlow()))
    const body = { ...flow, name: 'Changed' }
    assertUnwritable(await client.request('PUT', `/api/v1/flows/${flow.id}`, { body }))
    assertUnwritable(await client.request('DELETE', `/api/v1/flows/${flow.id}`))
    assertUnwritable(await client.post('/api/v1/keys', { name: 'new' }))
    assertUnwritable(await client.post(`/api/v1/run/${flow.slug}`, { input: 1 }))
    assert.deepEqual((await client.get(`/api/v1/flows/${flow.id}`)).json(), flow)
    const { flows } = (await client.get('/api/v1/flows')).json<{ flows: unknown[] }>()
    assert.equal(flows.length, 2)
    const { keys } = (await client.get('/api/v1/keys')).json<{ keys: unknown[] }>()
    assert.equal(keys.length, 1)

    await service.end('SIGKILL')
    const later = await startService(t, { home: service.home })
    for (const id of accepted) assert.equal((await later.waitForRun(id)).status, 'succeeded')
    assert.deepEqual(await allRunIds(later), accepted)
  })

  it('keeps no bytes of files whose run or upload it refuses', async (t) => {
    const { service, client, flow } = await startLimited(t)
    await fillStore(client, flow)
    await untilRefused(() => client.webhook(flow.slug, '1'), 202)
    const before = (await bytesIn(service.home)).length
    const headers = { 'content-type': 'application/pdf' }
    for (let n = 0; n < 3; n++) {
      assertUnwritable(await client.webhook(flow.slug, randomBytes(500_000), { headers }))
      const named = { ...headers, 'idempotency-key': `key ${n}` }
      assertUnwritable(await client.webhook(flow.slug, randomBytes(500_000), { headers: named }))
      assertUnwritable(await client.request('POST', '/api/v1/files', { body: randomBytes(500_000) }))
    }
    assert.equal((await bytesIn(service.home)).length, before)
    await service.end('SIGKILL')
  })

  const skip = process.platform === 'linux' ? false : 'only Linux can lift the limit of a running process'
  it('is taken up again as soon as there is room, without a restart', { skip }, async (t) => {
    const { service, client, flow } = await startLimited(t)
    const file = randomBytes(1_000_000)
    const upload = () => client.request('POST', '/api/v1/files', { body: file })
    const refused = await upload()
    assertUnwritable(refused)
    assert.match(
      refused.text,
      /Files in \S+files cannot be used: the system lets nobody write files of that size/
    )
    assert.deepEqual(await bytesIn(service.home), [], 'nothing is left of it')
    const accepted = await fillStore(client, flow)
    await promisify(execFile)('prlimit', ['--pid', String(service.child.pid), '--fsize=unlimited'])
    for (const id of accepted) assert.equal((await client.waitForRun(id)).status, 'succeeded')
    assert.equal((await client.run(flow.slug, BODY)).status, 'succeeded')
    assert.equal((await upload()).status, 201)
    assert.equal((await client.get('/readyz')).status, 200)
    const { text } = await client.get('/metrics')
    assert.match(text, /^millrace_backlog_runs 0$/m)
  })
})

describe('a store whose file is not what it was', () => {
  it('refuses while its file is elsewhere, says so, and goes on when it is back', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    const first = await service.start(slug)
    await service.waitForRun(first)
    const path = join(service.home, 'millrace.db')
    await rename(path, `${path}.aside`)
    const refused = await service.webhook(slug)
    assertUnwritable(refused)
    assertUnwritable(await service.get('/readyz', { key: null }))
    assert.equal((await service.get('/livez', { key: null })).status, 200)
    assert.equal((await service.get(`/api/v1/runs/${first}`)).status, 200)
    await rename(`${path}.aside`, path)
    assert.equal((await service.run(slug)).status, 'succeeded')
    assert.equal((await service.get('/readyz')).status, 200)
  })

  it('is damaged: it starts, is not ready, takes nothing, and answers no 500', async (t) => {
    const before = await startService(t)
    const flow = await before.createFlow(anythingFlow())
    for (let n = 0; n < 40; n++) await before.run(flow.slug, BODY)
    await before.stop()
    await damageTable(join(before.home, 'millrace.db'), 'outcomes')
    const service = await startService(t, { home: before.home })
    const ready = await service.get('/readyz', { key: null })
    assertUnwritable(ready)
    assert.match(ready.text, /damaged/)
    assertUnwritable(await service.webhook(flow.slug))
    assert.equal((await service.get('/api/v1/flows')).status, 200)
    const looks = [
      `/api/v1/runs?flow_id=${flow.id}`,
      '/api/v1/runs/stats',
      '/api/v1/flows?recent=5',
      '/metrics'
    ]
    for (const path of looks) assert.notEqual((await service.get(path)).status, 500, path)
    const findings = examineSqliteStore({ folder: before.home })
    assert.equal(findings.find(({ check }) => check === 'integrity')?.verdict, 'fault')
  })
})

/** Overwrites the pages that a table begins with, as a disk that fails does. */
async function damageTable(path: string, table: string): Promise<void> {
  const db = new DatabaseSync(path)
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number
  }
  db.close()
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (rootpage - 1) * 4096)
  await file.close()
}

async function startLimited(
  test: TestContext
): Promise<{ service: ChildService; client: ApiClient; flow: FlowBody }> {
  const service = await spawnService(test, { env: ENV, shell: LIMIT })
  const client = await service.client(CHILD_KEY)
  return { service, client, flow: await client.createFlow(anythingFlow()) }
}

/** Sends requests until they are refused; returns those that were accepted, newest first. */
async function fillStore(client: ApiClient, flow: FlowBody): Promise<string[]> {
  const answers = await untilRefused(() => client.webhook(flow.slug, BODY), 202)
  return answers.map((answer) => answer.json<{ run_id: string }>().run_id).reverse()
}

/** Returns the answers with this status; those with another one are refusals. */
async function untilRefused(send: () => Promise<Answer>, status: number): Promise<Answer[]> {
  const passed: Answer[] = []
  let refused = 0
  for (let n = 0; n < MAX_REQUESTS; n++) {
    const answer = await send()
    if (answer.status === status) {
      passed.push(answer)
      refused = 0
      continue
    }
    assertUnwritable(answer)
    if (++refused === SURELY_FULL) return passed
  }
  return assert.fail('the store never became full')
}

function assertUnwritable(answer: Answer): void {
  problemOf(answer, 503, 'store_unwritable')
  const seconds = Number(answer.headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds >= 1, `Retry-After: ${answer.headers.get('retry-after')}`)
}

async function allRunIds(client: ApiClient): Promise<string[]> {
  const answer = await client.get('/api/v1/runs?limit=500')
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
}
