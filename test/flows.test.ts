import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { anythingFlow, callFlow, chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { startService } from './support/service.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('flows', () => {
  it('begin with the example, which runs', async (t) => {
    const service = await startService(t)
    const { flows } = (await service.get('/api/v1/flows')).json<{ flows: FlowBody[] }>()
    assert.deepEqual(
      flows.map(({ slug }) => slug),
      ['orders']
    )
    const run = await service.run('orders', JSON.stringify(ORDER))
    assert.deepEqual(
      run.steps.map((step) => [step.node, step.type, step.status]),
      [
        ['webhook-1', 'webhook', 'succeeded'],
        ['parser-1', 'parser', 'succeeded'],
        ['chat-output-1', 'chat-output', 'succeeded']
      ]
    )
    assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'Order 7 from Ann' })
  })

  it('are created with 201, and read as the document plus id, version and times', async (t) => {
    const service = await startService(t)
    const document = { ...ordersFlow(), slug: 'my-orders', description: 'Mine' }
    const answer = await service.post('/api/v1/flows', document)
    assert.equal(answer.status, 201, answer.text)
    const flow = answer.json<FlowBody>()
    assert.equal(answer.headers.get('location'), `/api/v1/flows/${flow.id}`)
    const { id, version, created_at, updated_at, paused, aliases, ...rest } = flow
    assert.deepEqual(rest, document)
    assert.deepEqual([paused, aliases], [null, []])
    assert.equal(version, 1)
    assert.match(created_at, ISO)
    assert.match(updated_at, ISO)
    for (const name of [id, 'my-orders']) {
      const read = await service.get(`/api/v1/flows/${name}`)
      assert.equal(read.status, 200)
      assert.deepEqual(read.json(), flow)
    }
    const { flows } = (await service.get('/api/v1/flows')).json<{ flows: FlowBody[] }>()
    assert.deepEqual(
      flows.find((listed) => listed.id === id),
      flow
    )
  })

  it('get a slug from their name, free among the taken ones; one that is taken is refused', async (t) => {
    const service = await startService(t)
    const slugOf = async (name: string) => (await service.createFlow(anythingFlowNamed(name))).slug
    assert.equal(await slugOf('Größe & Preis (EU)'), 'gro-e-preis-eu')
    assert.equal(await slugOf('Orders'), 'orders-2')
    assert.equal(await slugOf('Orders'), 'orders-3')
    assert.match(await slugOf('注文'), /^[a-z0-9][a-z0-9-]*$/)
    const taken = await service.post('/api/v1/flows', { ...anythingFlow(), slug: 'orders' })
    problemOf(taken, 409, 'slug_taken')
    const flow = await service.createFlow(anythingFlow())
    const body = { ...flow, slug: 'orders' }
    problemOf(await service.request('PUT', `/api/v1/flows/${flow.id}`, { body }), 409, 'slug_taken')
    const read = (await service.get(`/api/v1/flows/${flow.id}`)).json()
    assert.deepEqual(read, flow, 'a refused save changes nothing')
  })

  it('make a version of every save, and refuse a stale one with 409', async (t) => {
    const service = await startService(t)
    const first = await service.createFlow(ordersFlow())
    const second = await service.saveFlow(first, { name: 'Second' })
    assert.equal(second.version, 2)
    assert.equal(second.name, 'Second')
    assert.equal(second.slug, first.slug, 'the address stays')
    assert.equal(second.created_at, first.created_at)
    const stale = { body: { ...first, name: 'Stale' } }
    const refused = await service.request('PUT', `/api/v1/flows/${first.id}`, stale)
    const problem = problemOf(refused, 409, 'flow_conflict') as unknown as Record<string, unknown>
    assert.equal(problem.current_version, 2)
    assert.equal((await service.get(`/api/v1/flows/${first.id}`)).json<FlowBody>().name, 'Second')
    const { version: _version, ...without } = second
    problemOf(
      await service.request('PUT', `/api/v1/flows/${first.id}`, { body: without }),
      422,
      'invalid_request'
    )
  })

  it('let one of two savers win', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) =>
        service.request('PUT', `/api/v1/flows/${flow.id}`, { body: { ...flow, name } })
      )
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    const winner = answers.find(({ status }) => status === 200)!.json<FlowBody>()
    assert.deepEqual((await service.get(`/api/v1/flows/${flow.id}`)).json(), winner)
  })

  it('let one of two creators have a slug', async (t) => {
    const service = await startService(t)
    const body = { ...anythingFlow(), slug: 'wanted' }
    const answers = await Promise.all([1, 2, 3].map(() => service.post('/api/v1/flows', body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  })

  it('get slugs of their own when several of one name are created in the same moment', async (t) => {
    const service = await startService(t)
    const body = JSON.stringify(anythingFlow())
    const headers = {
      'x-api-key': service.key,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body))
    }
    const one = requestHead('POST /api/v1/flows', { ...headers, connection: 'keep-alive' }) + body
    const last = requestHead('POST /api/v1/flows', headers) + body
    const { text } = await sendRaw(service.address, one + one + last)
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 201'], text)
    assert.deepEqual(
      [...text.matchAll(/"slug":"(.*?)"/g)].map(([, slug]) => slug),
      ['anything', 'anything-2', 'anything-3']
    )
  })

  it('keep all versions and restore any of them as a new one', async (t) => {
    const service = await startService(t)
    const first = await service.createFlow(ordersFlow())
    const second = await service.saveFlow(first, { name: 'Second', nodes: [], edges: [] })
    const path = `/api/v1/flows/${first.id}/versions`
    const restored = await service.post(`${path}/1/restore`)
    assert.equal(restored.status, 200, restored.text)
    const third = restored.json<FlowBody>()
    assert.equal(third.version, 3)
    assert.deepEqual({ ...third, version: 1, updated_at: '' }, { ...first, updated_at: '' })
    const { versions } = (await service.get(path)).json<{ versions: Record<string, unknown>[] }>()
    assert.deepEqual(
      versions.map(({ version }) => version),
      [3, 2, 1]
    )
    const old = (await service.get(`${path}/2`)).json<{ version: number; document: FlowBody }>()
    assert.equal(old.version, 2)
    assert.equal(old.document.name, second.name)
    assert.equal((await service.run(first.slug, JSON.stringify(ORDER))).flow_version, 3)
    const blank = await service.createFlow({ name: 'Blank', nodes: [], edges: [] })
    const of = (await service.get(`/api/v1/flows/${blank.id}/versions`)).json<{ versions: unknown[] }>()
    assert.partialDeepStrictEqual(of.versions, [{ version: 1, origin: 'created', changes: 'Blank' }])
    assert.equal(versions.at(-1)?.changes, null)
    problemOf(await service.post(`${path}/9/restore`), 404, 'version_not_found')
    problemOf(await service.get(`${path}/9`), 404, 'version_not_found')
    problemOf(await service.post(`${path}/x/restore`), 422, 'invalid_request')
  })

  it('are exported by reading them and imported by sending that back', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const exported = (await service.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>()
    const other = await startService(t)
    const imported = await other.createFlow({ ...exported })
    const own = { id: '', version: 0, created_at: '', updated_at: '' }
    assert.deepEqual({ ...imported, ...own }, { ...exported, ...own })
    assert.notEqual(imported.id, exported.id)
    assert.equal(imported.version, 1)
    assert.equal((await other.run(imported.slug, JSON.stringify(ORDER))).status, 'succeeded')
  })

  it('finish a run on the version that it started with while the webhook starts the live one', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url('/old')))
    const before = await service.start(flow.slug)
    const held = await outside.next()
    const saved = await service.saveFlow(flow, { ...callFlow(outside.url('/new')), name: 'Changed' })
    const after = await service.start(flow.slug)
    const call = await outside.next()
    assert.deepEqual([held.path, call.path], ['/old', '/new'])
    call.answer({ from: 'new' })
    held.answer({ from: 'old' })
    const [oldRun, newRun] = [await service.waitForRun(before), await service.waitForRun(after)]
    assert.deepEqual([oldRun.flow_version, newRun.flow_version], [flow.version, saved.version])
    assert.deepEqual(oldRun.steps[1]!.outputs, { data: { from: 'old' } })
    assert.deepEqual(newRun.steps[1]!.outputs, { data: { from: 'new' } })
  })

  it('are gone for the webhook when they are deleted, and their unfinished runs finish', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const events = await service.events(flow.id)
    const running = await service.start(flow.slug)
    const queued = await service.start(flow.slug)
    const held = await outside.next()
    const deleted = await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    assert.equal(deleted.status, 204)
    assert.equal(deleted.text, '')
    for (const name of [flow.slug, flow.id]) {
      problemOf(await service.webhook(name), 404, 'flow_not_found')
      problemOf(await service.get(`/api/v1/flows/${name}`), 404, 'flow_not_found')
    }
    problemOf(await service.request('DELETE', `/api/v1/flows/${flow.id}`), 404, 'flow_not_found')
    held.answer()
    const second = await outside.next()
    second.answer()
    for (const id of [running, queued]) {
      await events.until(({ event, data }) => event === 'run.ended' && data.run_id === id)
      assert.equal((await service.readRun(id)).status, 'succeeded')
    }
    problemOf(await service.post(`/api/v1/runs/${running}/replay`), 404, 'flow_not_found')
    const again = await service.createFlow({ ...callFlow(outside.url()), slug: flow.slug })
    assert.equal(again.slug, flow.slug, 'the slug is free again')
  })

  it('survive a restart, versions, deletions and all', async (t) => {
    const service = await startService(t)
    const flow = await service.saveFlow(await service.createFlow(ordersFlow()), { name: 'Renamed' })
    const gone = await service.createFlow(chatFlow())
    await service.request('DELETE', `/api/v1/flows/${gone.id}`)
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.deepEqual((await again.get(`/api/v1/flows/${flow.slug}`)).json(), flow)
    problemOf(await again.get(`/api/v1/flows/${gone.slug}`), 404, 'flow_not_found')
    const versions = (await again.get(`/api/v1/flows/${flow.id}/versions`)).json<{ versions: unknown[] }>()
    assert.equal(versions.versions.length, 2)
    const { flows } = (await again.get('/api/v1/flows')).json<{ flows: FlowBody[] }>()
    assert.equal(flows.filter(({ slug }) => slug === 'orders').length, 1, 'the example is made once')
  })

  it('that say nothing of what has one obvious value get it', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow({ name: 'Small', nodes: [{ id: 'w', type: 'webhook' }] })
    assert.equal(flow.context, '/')
    assert.deepEqual(flow.edges, [])
    assert.deepEqual(flow.nodes[0], { id: 'w', type: 'webhook', position: { x: 0, y: 0 }, fields: {} })
  })
})

function anythingFlowNamed(name: string) {
  return { ...anythingFlow(), name }
}
