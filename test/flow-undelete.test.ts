import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { ORDER, ordersFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

function undelete(service: Service, id: string, key = service.key) {
  return service.post(`/api/v1/flows/${id}/undelete`, undefined, { key })
}

async function deleted(service: Service, document = ordersFlow()): Promise<FlowBody> {
  const flow = await service.createFlow(document)
  assert.equal((await service.request('DELETE', `/api/v1/flows/${flow.id}`)).status, 204)
  return flow
}

describe('a flow that was deleted', () => {
  it('is back as it was, webhook and versions included, also over a restart', async (t) => {
    const service = await startService(t)
    const made = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const flow = await service.saveFlow(made, { name: 'Renamed' })
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    problemOf(await service.webhook(flow.slug), 404, 'flow_not_found')
    const answer = await undelete(service, flow.id)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.json<FlowBody>(), flow)
    assert.equal((await service.run(flow.slug, JSON.stringify(ORDER))).status, 'succeeded')
    const { versions } = (await service.get(`/api/v1/flows/${flow.id}/versions`)).json<{
      versions: unknown[]
    }>()
    assert.equal(versions.length, 2)
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.deepEqual((await again.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>(), flow)
  })

  it('stays deleted where its slug was taken meanwhile', async (t) => {
    const service = await startService(t)
    const flow = await deleted(service, ordersFlow({ slug: 'mine' }))
    const taker = await service.createFlow(ordersFlow({ slug: 'mine' }))
    const { detail } = problemOf(await undelete(service, flow.id), 409, 'slug_taken')
    assert.match(detail, /"mine" since .* another slug/)
    await service.saveFlow(taker, { slug: 'theirs' })
    assert.equal((await undelete(service, flow.id)).status, 200)
  })

  it('leaves its slugs to nobody who could not see it', async (t) => {
    const service = await startService(t)
    for (const path of ['/a', '/b']) await makeContext(service, path)
    const rights = ['read', 'write', 'trigger']
    const { key } = (await service.post('/api/v1/keys', { name: 'A', rights, context: '/a' })).json<{
      key: string
    }>()
    const flow = await service.createFlow(ordersFlow({ slug: 'former', context: '/b' }))
    await service.post(`/api/v1/flows/${flow.id}/slug`, { slug: 'last' })
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    const create = (document: object) => service.post('/api/v1/flows', document, { key })
    const mine = (await create(ordersFlow({ slug: 'mine', context: '/a' }))).json<FlowBody>()
    for (const slug of ['former', 'last']) {
      problemOf(await create(ordersFlow({ slug, context: '/a' })), 409, 'slug_taken')
      problemOf(await service.post(`/api/v1/flows/${mine.id}/slug`, { slug }, { key }), 409, 'slug_taken')
    }
    const named = await create(ordersFlow({ name: 'Last', context: '/a' }))
    assert.deepEqual([named.status, named.json<FlowBody>().slug], [201, 'last-2'], named.text)
    assert.equal((await undelete(service, flow.id)).status, 200)
  })

  it('is brought back once; a flow that is live stays as it is', async (t) => {
    const service = await startService(t)
    const flow = await deleted(service)
    for (let n = 0; n < 2; n++) assert.deepEqual((await undelete(service, flow.id)).json<FlowBody>(), flow)
    problemOf(await undelete(service, 'absent'), 404, 'flow_not_found')
  })

  it('stays deleted where its context has gone', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const flow = await deleted(service, ordersFlow({ context: '/sales' }))
    assert.equal((await service.request('DELETE', '/api/v1/contexts/%2Fsales')).status, 204)
    const { detail } = problemOf(await undelete(service, flow.id), 422, 'flow_invalid')
    assert.match(detail, /\/sales/)
  })

  it('is brought back by keys that may write it, and is absent for all others', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const flow = await service.createFlow(ordersFlow({ context: '/sales' }))
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const write = { rights: ['read', 'write'] }
    const allowed = [
      await service.createKey({ ...write, context: '/sales' }),
      await service.createKey({ ...write, flow: flow.id })
    ]
    const hidden = await service.createKey({ ...write, flow: other.id })
    const reader = await service.createKey({ rights: ['read', 'trigger', 'admin'] })
    for (const { key } of allowed) {
      await service.request('DELETE', `/api/v1/flows/${flow.id}`)
      problemOf(await undelete(service, flow.id, hidden.key), 404, 'flow_not_found')
      problemOf(await undelete(service, flow.id, reader.key), 403, 'forbidden')
      assert.equal((await undelete(service, flow.id, key)).status, 200)
    }
  })

  it('is told of as saved when it is back', async (t) => {
    const service = await startService(t)
    const flow = await deleted(service)
    const events = await service.allEvents()
    await undelete(service, flow.id)
    const { event, data } = await events.next()
    assert.deepEqual([event, data.flow_id, data.version], ['flow.saved', flow.id, 1])
  })
})
