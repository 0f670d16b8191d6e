import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow, callFlow, ordersFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { type Service, shiftedClock, startService } from './support/service.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

type Deleted = FlowBody & {
  readonly deleted_at: string
  readonly deleted_until: string
  readonly deleted_by: string | null
}

interface Result {
  readonly id: string
  readonly ok: boolean
  readonly error?: { readonly code: string; readonly message: string }
}

async function listed(service: Service, query: string, key = service.key): Promise<Deleted[]> {
  const answer = await service.get(`/api/v1/flows?${query}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ flows: Deleted[] }>().flows
}

async function slugs(service: Service, query: string, key?: string): Promise<string[]> {
  return (await listed(service, query, key)).map(({ slug }) => slug)
}

function make(service: Service, slug: string, changes: object = {}): Promise<FlowBody> {
  return service.createFlow({ ...anythingFlow(), slug, ...changes })
}

async function bulk(service: Service, body: object, key = service.key): Promise<Result[]> {
  const answer = await service.post('/api/v1/flows/bulk', body, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ results: Result[] }>().results
}

async function remove(service: Service, id: string, query = '') {
  return service.request('DELETE', `/api/v1/flows/${id}${query}`)
}

describe('deleted flows', () => {
  it('lie in a bin for 30 days, the last ones first, and go for good after that', async (t) => {
    const { clock, advance } = shiftedClock()
    let sweep = () => {}
    const startTimer = (ms: number, body: () => void) => {
      if (ms === HOUR_MS) sweep = body
      return clock.startTimer(ms, body)
    }
    const service = await startService(t, { clock: { ...clock, startTimer } })
    const [old, young] = [await make(service, 'old'), await make(service, 'young')]
    assert.equal((await remove(service, old.id)).status, 204)
    advance(DAY_MS)
    await remove(service, young.id)
    const [last, first] = await listed(service, 'deleted=true')
    assert.deepEqual([last?.slug, first?.slug], ['young', 'old'])
    assert.equal(Date.parse(last!.deleted_until) - Date.parse(last!.deleted_at), 30 * DAY_MS)
    const page = (await service.get('/api/v1/flows?deleted=true&limit=1')).json<{ next_cursor: string }>()
    assert.deepEqual(await slugs(service, `deleted=true&limit=1&cursor=${page.next_cursor}`), ['old'])
    problemOf(await service.get('/api/v1/flows?deleted=true&cursor=x'), 422, 'invalid_request')
    advance(29.5 * DAY_MS)
    sweep()
    // Deleting goes on behind the timer: it is looked at until it is done.
    while ((await slugs(service, 'deleted=true')).length > 1);
    assert.deepEqual(await slugs(service, 'deleted=true'), ['young'])
    problemOf(await service.post(`/api/v1/flows/${old.id}/undelete`), 404, 'flow_not_found')
    assert.equal((await service.post(`/api/v1/flows/${young.id}/undelete`)).status, 200)
    assert.deepEqual(await slugs(service, 'deleted=true'), [])
  })

  it('go for good at once where that is asked for, and what they hold is cancelled', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'mine')
    problemOf(await remove(service, flow.id, '?permanent=true'), 409, 'flow_not_deleted')
    await service.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'hold' })
    const held = await service.start(flow.slug)
    await remove(service, flow.id)
    assert.equal((await service.readRun(held)).status, 'queued', 'deleting begins nothing that is held')
    assert.equal((await remove(service, flow.id, '?permanent=true')).status, 204)
    problemOf(await remove(service, flow.id, '?permanent=true'), 404, 'flow_not_found')
    assert.equal((await service.readRun(held)).status, 'cancelled')
    problemOf(await service.post(`/api/v1/flows/${flow.id}/undelete`), 404, 'flow_not_found')
  })

  it('go for good with the runs of them that other flows started and wait for', async (t) => {
    const service = await startService(t)
    const [webhook] = anythingFlow().nodes
    const onlyOne = (slug: string, type: string, fields = {}) => {
      const [nodes, edges] = [
        [webhook, { id: 'only', type, fields }],
        [{ from: 'webhook-1.data', to: 'only.data' }]
      ]
      return make(service, slug, { nodes, edges })
    }
    const below = await onlyOne('below', 'wait-for-call')
    const above = await onlyOne('above', 'run-flow', { flow: below.slug })
    const id = await service.start(above.slug)
    const child = async () =>
      (await service.get(`/api/v1/runs?parent=${id}`)).json<{ runs: RunBody[] }>().runs[0]?.status
    await eventually(child, 'waiting')
    await remove(service, below.id)
    assert.equal((await remove(service, below.id, '?permanent=true')).status, 204)
    assert.equal(await child(), 'cancelled')
    const run = await service.waitForRun(id)
    assert.deepEqual([run.status, run.error?.code], ['failed', 'flow_cancelled'])
  })

  it('are seen and deleted by keys that saw them, and by no others', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const flow = await make(service, 'sold', { context: '/sales' })
    const other = await make(service, 'other')
    const rights = { rights: ['read', 'write'] }
    const seller = await service.createKey({ ...rights, name: 'Seller', context: '/sales' })
    const stranger = await service.createKey({ ...rights, flow: other.id })
    await service.request('DELETE', `/api/v1/flows/${flow.id}`, { key: seller.key })
    assert.deepEqual(
      (await listed(service, 'deleted=true', seller.key)).map(({ slug, deleted_by: by }) => [slug, by]),
      [['sold', 'Seller']]
    )
    assert.deepEqual(await slugs(service, 'deleted=true', stranger.key), [])
    const path = `/api/v1/flows/${flow.id}?permanent=true`
    problemOf(await service.request('DELETE', path, { key: stranger.key }), 404, 'flow_not_found')
    assert.equal((await service.request('DELETE', path, { key: seller.key })).status, 204)
  })
})

describe('tags and bulk actions', () => {
  it('find flows by tag and by context', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    await makeContext(service, '/sales/eu')
    await make(service, 'a', { tags: ['shop', 'Größe 1'] })
    await make(service, 'b', { tags: ['shop'], context: '/sales/eu' })
    assert.deepEqual(await slugs(service, 'tag=shop'), ['a', 'b'])
    assert.deepEqual(await slugs(service, `tag=${encodeURIComponent('Größe 1')}`), ['a'])
    assert.deepEqual(await slugs(service, 'tag=none'), [])
    assert.deepEqual(await slugs(service, 'context=/sales'), ['b'])
    assert.deepEqual(await slugs(service, 'context=/sales/eu&tag=shop'), ['b'])
    for (const tags of [[' x'], [''], ['x'.repeat(41)], 'x', ['a', 'a']]) {
      const answer = await service.post('/api/v1/flows', { ...anythingFlow(), tags })
      problemOf(answer, 422, 'flow_invalid')
    }
  })

  it('do the same with many flows, each told of by itself', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const [a, b] = [await make(service, 'a', { tags: ['old'] }), await make(service, 'b')]
    const ids = [a.id, 'absent', b.id]
    const outcome = (results: Result[]) => results.map(({ ok, error }) => error?.code ?? ok)
    const told = [true, 'flow_not_found', true]
    assert.deepEqual(outcome(await bulk(service, { action: 'tag', tags: ['old', 'new'], ids })), told)
    assert.deepEqual(await slugs(service, 'tag=new'), ['a', 'b'])
    await bulk(service, { action: 'untag', tags: ['old', 'none'], ids })
    const tagged = (await service.get('/api/v1/flows/a')).json<FlowBody & { tags: string[] }>()
    assert.deepEqual([tagged.tags, tagged.version], [['new'], 3])
    await bulk(service, { action: 'untag', tags: ['none'], ids })
    assert.deepEqual(outcome(await bulk(service, { action: 'move', context: '/sales', ids })), told)
    assert.deepEqual(await slugs(service, 'context=/sales'), ['a', 'b'])
    assert.deepEqual(outcome(await bulk(service, { action: 'move', context: '/none', ids: [a.id] })), [
      'flow_invalid'
    ])
    assert.deepEqual(outcome(await bulk(service, { action: 'pause', mode: 'hold', ids })), told)
    const held = await service.start('a')
    assert.deepEqual(outcome(await bulk(service, { action: 'resume', ids })), told)
    assert.equal((await service.waitForRun(held)).status, 'succeeded' satisfies RunBody['status'])
    assert.deepEqual(outcome(await bulk(service, { action: 'delete', ids })), told)
    assert.deepEqual(await slugs(service, 'deleted=true&tag=new'), ['b', 'a'])
    assert.deepEqual(outcome(await bulk(service, { action: 'undelete', ids: [a.id] })), [true])
    const purged = await bulk(service, { action: 'purge', ids })
    assert.deepEqual(outcome(purged), ['flow_not_deleted', 'flow_not_found', true])
    for (const body of [
      { action: 'pause', ids },
      { action: 'tag', ids },
      { action: 'move', ids },
      { action: 'sell', ids },
      { action: 'resume', ids: [] }
    ]) {
      problemOf(await service.post('/api/v1/flows/bulk', body), 422, 'invalid_request')
    }
  })

  it('ask for the same rights as the actions themselves', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const [mine, theirs] = [await make(service, 'mine', { context: '/sales' }), await make(service, 'theirs')]
    const { key } = await service.createKey({ rights: ['read', 'write'], context: '/sales' })
    const ids = [mine.id, theirs.id]
    const results = await bulk(service, { action: 'move', context: '/', ids }, key)
    assert.deepEqual(
      results.map(({ error }) => error?.code),
      ['forbidden', 'flow_not_found']
    )
    await bulk(service, { action: 'delete', ids }, key)
    assert.deepEqual(await slugs(service, 'deleted=true'), ['mine'])
    const reader = await service.createKey({ rights: ['read'] })
    const answer = await service.post('/api/v1/flows/bulk', { action: 'delete', ids }, { key: reader.key })
    problemOf(answer, 403, 'forbidden')
  })
})

describe('runs that a deleted flow had accepted', () => {
  it('go on within the limit of the flow, also after a restart', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const ids: string[] = []
    for (let n = 0; n < 4; n++) ids.push(await service.start(flow.slug))
    const first = await outside.next()
    assert.equal((await remove(service, flow.id)).status, 204)
    first.answer()
    const second = await outside.next()
    assert.deepEqual(await inProgress(service), [ids[1]])
    const stopped = service.stop()
    second.answer()
    await stopped
    const again = await startService(t, { home: service.home, plugins: ['call.ts'] })
    const third = await outside.next()
    assert.deepEqual(await inProgress(again), [ids[2]])
    outside.answerAll(() => ({}))
    third.answer()
    const statuses = () => Promise.all(ids.map(async (id) => (await again.readRun(id)).status))
    await eventually(statuses, (read) => read.every((status) => status === 'succeeded'))
  })

  it('cannot be retried once it is gone for good', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const { id, status } = await service.run(flow.slug)
    assert.equal(status, 'failed')
    await remove(service, flow.id)
    await remove(service, flow.id, '?permanent=true')
    const refused = problemOf(await service.post(`/api/v1/runs/${id}/retry`), 409, 'run_not_retryable')
    assert.match(refused.detail, /its flow was deleted for good/)
    assert.equal((await service.readRun(id)).error!.node, 'parser-1')
  })

  it('cannot be retried either when the context is gone that they ran in', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const flow = await service.createFlow(ordersFlow({ context: '/sales' }))
    const { id } = await service.run(flow.slug)
    await service.saveFlow(flow, { context: '/' })
    const gone = await service.request('DELETE', '/api/v1/contexts/%2Fsales')
    assert.equal(gone.status, 204, gone.text)
    const refused = problemOf(await service.post(`/api/v1/runs/${id}/retry`), 409, 'run_not_retryable')
    assert.match(refused.detail, /was in the context "\/sales" then/)
  })
})

async function inProgress(service: Service): Promise<string[]> {
  const answer = await service.get('/api/v1/runs?status=in%20progress')
  return answer.json<{ runs: RunBody[] }>().runs.map(({ id }) => id)
}
