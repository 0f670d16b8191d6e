import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { type ApiClient, type FlowBody, problemOf } from './support/api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './support/child-service.ts'
import { anythingFlow } from './support/documents.ts'

const ENV = { MILLRACE_API_KEY: CHILD_KEY }
/** Room for a new store and some dozens of requests. A block of the shell's limit is 512 bytes. */
const LIMIT = 'ulimit -S -f 1200'
const BODY = JSON.stringify('x'.repeat(20_000))
const MAX_REQUESTS = 200

describe('a store that cannot be written', () => {
  it('refuses with 503, tells it once, keeps nothing by halves and loses nothing', async (t) => {
    const { service, client, flow } = await startLimited(t)
    const accepted = await fillStore(client, flow)
    assert.ok(accepted.length > 0, 'some requests were taken')
    for (let n = 0; n < 20; n++) assertUnwritable(await client.webhook(flow.slug, BODY))
    const lines = service.stderr.split('\n').filter((line) => line.includes('store_unwritable'))
    assert.equal(lines.length, 1, service.stderr)
    const { level, msg } = JSON.parse(lines[0]!)
    assert.ok(level >= 50 && msg.length > 20, lines[0])
    assert.ok(msg.includes(service.home), 'it says which folder')
    assert.deepEqual(await allRunIds(client), accepted, 'nothing is there of what was refused')
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })

    const again = await spawnService(t, { home: service.home, env: ENV })
    const later = await again.client(CHILD_KEY)
    for (const id of accepted) assert.equal((await later.waitForRun(id)).status, 'succeeded')
    assert.deepEqual(await allRunIds(later), accepted)
    assert.equal((await later.webhook(flow.slug, BODY)).status, 202)
  })

  it('is not ready, is alive, and can still be read', async (t) => {
    const { client, flow } = await startLimited(t)
    const accepted = await fillStore(client, flow)
    // A probe is smaller than a request: it may still fit a few times.
    let ready = await client.get('/readyz', { key: null })
    for (let n = 0; ready.status === 200 && n < MAX_REQUESTS; n++) ready = await client.get('/readyz')
    problemOf(ready, 503, 'store_unwritable')
    assert.ok(Number(ready.headers.get('retry-after')) >= 1)
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
  })

  const skip = process.platform === 'linux' ? false : 'only Linux can lift the limit of a running process'
  it('is taken up again as soon as there is room, without a restart', { skip }, async (t) => {
    const { service, client, flow } = await startLimited(t)
    const accepted = await fillStore(client, flow)
    await promisify(execFile)('prlimit', ['--pid', String(service.child.pid), '--fsize=unlimited'])
    for (const id of accepted) assert.equal((await client.waitForRun(id)).status, 'succeeded')
    assert.equal((await client.run(flow.slug, BODY)).status, 'succeeded')
    assert.equal((await client.get('/readyz')).status, 200)
    const { text } = await client.get('/metrics')
    assert.match(text, /^millrace_backlog_runs 0$/m)
  })

  it('loses nothing even when the process is killed meanwhile', async (t) => {
    const { service, client, flow } = await startLimited(t)
    const accepted = await fillStore(client, flow)
    await service.end('SIGKILL')
    const again = await spawnService(t, { home: service.home, env: ENV })
    const later = await again.client(CHILD_KEY)
    for (const id of accepted) assert.equal((await later.waitForRun(id)).status, 'succeeded')
    assert.deepEqual(await allRunIds(later), accepted)
  })
})

async function startLimited(
  test: TestContext
): Promise<{ service: ChildService; client: ApiClient; flow: FlowBody }> {
  const service = await spawnService(test, { env: ENV, shell: LIMIT })
  const client = await service.client(CHILD_KEY)
  return { service, client, flow: await client.createFlow(anythingFlow()) }
}

/** Sends requests until one is refused; returns those that were accepted, newest first. */
async function fillStore(client: ApiClient, flow: FlowBody): Promise<string[]> {
  const accepted: string[] = []
  for (let n = 0; n < MAX_REQUESTS; n++) {
    const answer = await client.webhook(flow.slug, BODY)
    if (answer.status !== 202) {
      assertUnwritable(answer)
      return accepted
    }
    accepted.unshift(answer.json<{ run_id: string }>().run_id)
  }
  return assert.fail('the store never became full')
}

function assertUnwritable(answer: Awaited<ReturnType<ApiClient['get']>>): void {
  problemOf(answer, 503, 'store_unwritable')
  const seconds = Number(answer.headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds >= 1, `Retry-After: ${answer.headers.get('retry-after')}`)
}

async function allRunIds(client: ApiClient): Promise<string[]> {
  const answer = await client.get('/api/v1/runs?limit=500')
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
}
