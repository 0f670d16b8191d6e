import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { anythingFlow, callFlow, chatFlow } from './support/documents.ts'
import { type Outside, startOutside } from './support/outside.ts'
import { serviceOfFile, startService } from './support/service.ts'

async function pause(service: ApiClient, id: string, mode: 'hold' | 'refuse' = 'hold'): Promise<FlowBody> {
  const answer = await service.post(`/api/v1/flows/${id}/pause`, { mode })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<FlowBody>()
}

async function resume(service: ApiClient, id: string): Promise<FlowBody> {
  const answer = await service.post(`/api/v1/flows/${id}/resume`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<FlowBody>()
}

async function heldState(service: ApiClient, id: string): Promise<unknown[]> {
  const { status, held } = (await service.readRun(id)) as RunBody & { held?: boolean }
  return [status, held]
}

/** A flow whose runs go one after the other and tell the outside which one they are. */
async function callingFlow(t: Parameters<typeof startOutside>[0], env: Record<string, string> = {}) {
  const service = await startService(t, { plugins: ['call.ts'], env })
  const outside = await startOutside(t)
  const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
  return { service, outside, flow }
}

async function heldRuns(service: ApiClient, key = service.key): Promise<unknown> {
  return (await service.get('/api/v1/runs/held', { key })).json<{ flows: unknown }>().flows
}

const shared = serviceOfFile()

function runsThatCalled({ calls }: Outside): string[] {
  return calls.map(({ headers }) => String(headers['idempotency-key']).split('/')[0]!)
}

describe('a flow that is paused and holds what arrives', () => {
  it('accepts it, and runs it after resume in the order of arrival, also over a restart', async (t) => {
    const { service, outside, flow } = await callingFlow(t)
    const underWay = await service.start(flow.slug)
    const call = await outside.next()
    const queued = await service.start(flow.slug)
    const paused = await pause(service, flow.id)
    assert.deepEqual([paused.paused?.mode, paused.version], ['hold', flow.version])
    const arrived: string[] = []
    for (let n = 0; n < 3; n++) arrived.push(await service.start(flow.slug))
    call.answer()
    assert.equal((await service.waitForRun(underWay)).status, 'succeeded', 'what has begun goes on')
    for (const id of [queued, ...arrived]) assert.deepEqual(await heldState(service, id), ['queued', true])
    assert.deepEqual(await heldRuns(service), [{ flow_id: flow.id, held: 4 }])
    const { key } = await service.createKey({ rights: ['read'], flow: 'orders' })
    assert.deepEqual(await heldRuns(service, key), [], 'of a flow that the key does not see')
    await service.stop()
    outside.answerAll(() => ({}))
    const again = await startService(t, { home: service.home, plugins: ['call.ts'] })
    assert.deepEqual((await again.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>().paused, paused.paused)
    for (const id of [queued, ...arrived]) assert.deepEqual(await heldState(again, id), ['queued', true])
    const last = await again.start(flow.slug)
    assert.equal((await resume(again, flow.id)).paused, null)
    assert.deepEqual(await heldRuns(again), [])
    const after = await again.start(flow.slug)
    for (const id of [queued, ...arrived, last, after]) {
      assert.equal((await again.waitForRun(id)).status, 'succeeded')
    }
    assert.deepEqual(runsThatCalled(outside), [underWay, queued, ...arrived, last, after])
  })

  it('holds nobody else back: what it holds is no backlog', async (t) => {
    const { service, flow } = await callingFlow(t, { MILLRACE_BACKLOG_LIMIT: '2' })
    const other = await service.createFlow(anythingFlow())
    await pause(service, flow.id)
    for (let n = 0; n < 5; n++) await service.start(flow.slug)
    assert.equal((await service.run(other.slug)).status, 'succeeded')
    const metrics = (await service.get('/metrics')).text
    assert.match(metrics, /^millrace_backlog_runs 0$/m)
  })

  it('lets a held run be cancelled, and starts it no more', async (t) => {
    const { service, outside, flow } = await callingFlow(t)
    outside.answerAll(() => ({}))
    await pause(service, flow.id)
    const [gone, kept] = [await service.start(flow.slug), await service.start(flow.slug)]
    const cancelled = await service.post(`/api/v1/runs/${gone}/cancel`)
    assert.equal(cancelled.json<RunBody>().status, 'cancelled')
    await resume(service, flow.id)
    assert.equal((await service.waitForRun(kept)).status, 'succeeded')
    assert.deepEqual(runsThatCalled(outside), [kept])
  })

  it('lets nobody wait for a run that may take days, and starts one delivery once', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    await pause(service, flow.id)
    const headers = { prefer: 'wait=60', 'idempotency-key': 'k' }
    const answer = await service.webhook(flow.slug, '1', { headers })
    const { status, run_id } = answer.json<{ status: string; run_id: string }>()
    assert.deepEqual([answer.status, status], [202, 'queued'])
    const repeated = await service.webhook(flow.slug, '1', { headers: { 'idempotency-key': 'k' } })
    assert.equal(repeated.json<{ run_id: string }>().run_id, run_id)
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
    const byApi = await service.post(`/api/v1/run/${flow.slug}`, { input: 2 })
    assert.deepEqual([byApi.status, byApi.json<RunBody>().status], [202, 'queued'])
    await resume(service, flow.id)
    for (const id of [run_id, byApi.json<RunBody>().id]) {
      assert.equal((await service.waitForRun(id)).status, 'succeeded')
    }
  })

  it('lets itself be tried out, and what is held stays so', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    await pause(service, flow.id)
    const held = await service.start(flow.slug)
    const tried = await service.post(`/api/v1/flows/${flow.id}/test`, { input: 1 })
    assert.deepEqual([tried.status, tried.json<RunBody>().status], [200, 'succeeded'])
    assert.deepEqual(await heldState(service, held), ['queued', true])
    await resume(service, flow.id)
    assert.equal((await service.waitForRun(held)).status, 'succeeded')
  })

  it('holds replays and chat turns too, and lets a failed run be retried', async (t) => {
    const { service, outside, flow } = await callingFlow(t)
    const failed = await service.start(flow.slug)
    ;(await outside.next()).answer({}, 400)
    assert.equal((await service.waitForRun(failed)).status, 'failed')
    const chat = await service.createFlow(chatFlow())
    await pause(service, flow.id)
    await pause(service, chat.id)
    const replayed = await service.post(`/api/v1/runs/${failed}/replay`)
    const turn = await service.post(`/api/v1/flows/${chat.id}/chat`, { text: 'Hello' })
    for (const answer of [replayed, turn]) {
      assert.equal(answer.status, 202, answer.text)
      assert.deepEqual(await heldState(service, answer.json<{ run_id: string }>().run_id), ['queued', true])
    }
    assert.equal((await service.post(`/api/v1/runs/${failed}/retry`)).status, 202)
    ;(await outside.next()).answer()
    assert.equal((await service.waitForRun(failed)).status, 'succeeded')
  })
})

describe('a flow that is paused and refuses what arrives', () => {
  it('answers 503 with Retry-After by every way in, until it is resumed', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const before = await service.run(flow.slug)
    assert.equal((await pause(service, flow.id, 'refuse')).paused?.mode, 'refuse')
    const refused = [
      await service.webhook(flow.slug),
      await service.webhook(flow.id, '1', { headers: { 'idempotency-key': 'k', prefer: 'wait=5' } }),
      await service.post(`/api/v1/run/${flow.slug}`, {}),
      await service.post(`/api/v1/runs/${before.id}/replay`)
    ]
    for (const answer of refused) {
      problemOf(answer, 503, 'flow_paused')
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    await resume(service, flow.id)
    assert.equal((await service.run(flow.slug)).status, 'succeeded')
    const again = await service.webhook(flow.slug, '1', { headers: { 'idempotency-key': 'k' } })
    assert.equal(again.headers.get('idempotent-replayed'), null, 'what was refused was not taken')
  })

  it('tells nobody of itself who may not know of it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const other = await service.createFlow(anythingFlow())
    await pause(service, flow.id, 'refuse')
    const { key } = await service.createKey({ rights: ['trigger'], flow: other.id })
    for (const [sent, status] of [
      [{ key: null }, 401],
      [{ key: 'wrong-key-0123456789' }, 401],
      [{ key }, 404]
    ] as const) {
      const [paused, absent] = [
        await service.webhook(flow.slug, '1', sent),
        await service.webhook('absent', '1', sent)
      ]
      assert.deepEqual([paused.status, paused.text], [status, absent.text])
    }
  })

  it('keeps what it held before, and lets it go when it is resumed', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    await pause(service, flow.id)
    const held = await service.start(flow.slug)
    await pause(service, flow.id, 'refuse')
    assert.deepEqual(await heldState(service, held), ['queued', true])
    await resume(service, flow.id)
    assert.equal((await service.waitForRun(held)).status, 'succeeded')
  })
})

describe('pausing', () => {
  it('says who did it and since when, is told to others, and changes no version', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const { key } = await service.createKey({ name: 'Ann', rights: ['read', 'write'] })
    const events = await service.allEvents()
    await service.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'hold' }, { key })
    assert.equal((await events.next()).event, 'flow.saved')
    const read = (await service.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>()
    assert.deepEqual([read.paused?.by, read.version], ['Ann', 1])
    assert.ok(Date.parse(read.paused!.since) <= Date.now())
    const again = await pause(service, flow.id)
    assert.deepEqual(again.paused, read.paused, 'paused already')
    const saved = await service.saveFlow(read, { name: 'Renamed' })
    assert.deepEqual([saved.paused, saved.version], [read.paused, 2])
    assert.equal((await resume(service, flow.id)).paused, null)
    assert.equal((await resume(service, flow.id)).paused, null)
  })

  it('asks for the right to write and a mode that there is', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const reader = await service.createKey({ rights: ['read', 'trigger', 'admin'] })
    const writer = await service.createKey({ rights: ['write'] })
    for (const action of ['pause', 'resume']) {
      const path = `/api/v1/flows/${flow.id}/${action}`
      const body = action === 'pause' ? { mode: 'hold' } : undefined
      problemOf(await service.post(path, body, { key: reader.key }), 403, 'forbidden')
      assert.equal((await service.post(path, body, { key: writer.key })).status, 204)
      problemOf(await service.post(`/api/v1/flows/absent/${action}`, body), 404, 'flow_not_found')
    }
    problemOf(await service.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'slow' }), 422, 'invalid_request')
    problemOf(await service.post(`/api/v1/flows/${flow.id}/pause`, {}), 422, 'invalid_request')
  })
})
