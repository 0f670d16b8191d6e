import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { cleanUp } from './support/clean-up.ts'
import { callFlow, deadlyFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { refusesConnections } from './support/refuses-connections.ts'
import { pluginPaths, startService } from './support/service.ts'

const KEY = { MILLRACE_API_KEY: CHILD_KEY }
const WITH_CALL = { ...KEY, MILLRACE_PLUGINS: pluginPaths(['call.ts']) }

describe('a stop', { concurrency: 3 }, () => {
  it('lets a running step come to its end and keeps its result', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const running = await client.start(flow.slug, '1')
    const queued = await client.start(flow.slug, '2')
    const call = await outside.next()
    const ended = service.end('SIGTERM')
    await refusesConnections(client.address)
    call.answer({ kept: true })
    assert.deepEqual(await ended, { code: 0, signal: null })
    assert.equal(outside.calls.length, 1, 'no further run began')
    outside.answerAll(() => ({ body: { kept: false } }))
    const later = await startService(t, { home: service.home, plugins: ['call.ts'] })
    const [first, second] = [await later.waitForRun(running), await later.waitForRun(queued)]
    assert.deepEqual([first.status, second.status], ['succeeded', 'succeeded'])
    assert.deepEqual(first.steps[1]!.outputs, { data: { kept: true } })
    assert.deepEqual(
      outside.calls.map(({ body }) => body),
      ['1', '2'],
      'the step that ended is not run again'
    )
  })

  it('does not wait longer than 10 s for a step, which the next start repeats', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url()))
    const id = await client.start(flow.slug)
    const held = await outside.next()
    const since = performance.now()
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    assert.ok(performance.now() - since < 10_000, `it took ${performance.now() - since} ms`)
    outside.answerAll(() => ({}))
    const later = await startService(t, { home: service.home, plugins: ['call.ts'] })
    assert.equal((await later.waitForRun(id)).status, 'succeeded')
    const keys = outside.calls.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual(keys, [held.headers['idempotency-key'], held.headers['idempotency-key']])
  })

  it('waits for less than 10 s, whatever it waits for', async (t) => {
    const waits: number[] = []
    const after = async (ms: number) => void waits.push(ms)
    const clock = { ...systemClock(), after }
    const service = await startService(t, { plugins: ['call.ts'], clock })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const caller = service.webhook(flow.slug, '{}', { headers: { prefer: 'wait=300' } })
    await outside.next()
    await service.stop()
    await caller
    const sum = waits.reduce((total, ms) => total + ms, 0)
    assert.ok(sum > 0 && sum < 10_000, `it would have waited for ${waits.join(' + ')} ms`)
  })

  it('is in order although a step waits for nothing that keeps the process alive', async (t) => {
    const env = { ...KEY, MILLRACE_PLUGINS: pluginPaths(['deadly.ts']) }
    const service = await spawnService(t, { env })
    const client = await service.client(CHILD_KEY)
    const flow = await client.createFlow(deadlyFlow())
    const id = await client.start(flow.slug, '{"endless":true}')
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
    const store = await openSqliteStore({ folder: service.home })
    cleanUp(t, () => store.close())
    assert.equal(store.uncleanEnds, 0)
    assert.equal((await store.runs.get(id))!.outcome, null)
  })

  it('by SIGHUP is not held back by connections that say nothing, nor by those that are kept alive', async (t) => {
    const service = await spawnService(t, { env: KEY })
    const client = await service.client(CHILD_KEY)
    const { hostname, port } = new URL(client.address)
    const silent = connect(Number(port), hostname)
    await new Promise((resolve) => silent.once('connect', resolve))
    silent.on('error', () => {})
    await (await fetch(`${client.address}/livez`)).text()
    const since = performance.now()
    assert.deepEqual(await service.end('SIGHUP'), { code: 0, signal: null })
    assert.ok(performance.now() - since < 5_000, `it took ${performance.now() - since} ms`)
    silent.destroy()
  })

  it('by SIGINT answers callers that wait, and logs no error', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url()))
    const waiting = client.webhook(flow.slug, '{}', { headers: { prefer: 'wait=300' } })
    const call = await outside.next()
    const ended = service.end('SIGINT')
    const answer = await waiting
    assert.equal(answer.status, 202)
    assert.equal(answer.json().status, 'in progress')
    call.answer()
    assert.deepEqual(await ended, { code: 0, signal: null })
    assert.doesNotMatch(service.stderr, /"level":(?:50|60)/)
  })
})

describe('a kill', () => {
  it('loses nothing that was accepted and repeats only the step that was in flight', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const document = callFlow(outside.url('/a'))
    const flow = await client.createFlow({
      ...document,
      nodes: [...document.nodes, { id: 'call-2', type: 'call', fields: { url: outside.url('/b') } }],
      edges: [...document.edges, { from: 'parser-1.parsed_text', to: 'call-2.data' }]
    })
    const id = await client.start(flow.slug, '{"n":12345678901234567890}')
    const first = await outside.next()
    assert.equal(first.path, '/a')
    first.answer({ a: 1 })
    const second = await outside.next()
    assert.equal(second.path, '/b')
    const more = await Promise.all([1, 2, 3, 4, 5].map((n) => client.start(flow.slug, String(n))))
    await service.end('SIGKILL')
    outside.answerAll(() => ({ body: { again: true } }))
    const later = await startService(t, { home: service.home, plugins: ['call.ts'] })
    for (const run of [id, ...more]) assert.equal((await later.waitForRun(run)).status, 'succeeded')
    const ofFirst = outside.calls.filter(({ headers }) => String(headers['idempotency-key']).startsWith(id))
    assert.deepEqual(
      ofFirst.map(({ path }) => path),
      ['/a', '/b', '/b']
    )
    const { text } = await later.get(`/api/v1/runs/${id}`)
    assert.ok(text.includes('"input":{"n":12345678901234567890}'), text)
  })

  it('leaves runs that are taken up before those that arrive at the next start', async (t) => {
    const service = await spawnService(t, { env: WITH_CALL })
    const client = await service.client(CHILD_KEY)
    const outside = await startOutside(t)
    const flow = await client.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const left: string[] = []
    for (const n of [1, 2, 3]) left.push(await client.start(flow.slug, String(n)))
    await outside.next()
    await service.end('SIGKILL')
    const later = await startService(t, { home: service.home, plugins: ['call.ts'] })
    const late = await later.start(flow.slug, '4')
    for (const n of [1, 2, 3, 4]) {
      const call = await outside.next()
      assert.equal(call.body, String(n))
      call.answer()
    }
    for (const id of [...left, late]) assert.equal((await later.waitForRun(id)).status, 'succeeded')
  })
})
