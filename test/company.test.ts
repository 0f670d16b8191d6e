import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

describe('who is on a flow', () => {
  it('is told to those who are, as it changes, and to nobody who does not see the flow', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const path = `/api/v1/flows/${flow.id}/presence`
    const events = await service.events(flow.id)
    const here = { page: 'page-one-1', node: 'parser-1' }
    const entered = await service.request('PUT', path, { body: here })
    assert.equal(entered.status, 200, entered.text)
    const told = await events.next()
    assert.equal(told.event, 'flow.presence')
    const [{ since: _, name, ...present }] = told.data.present as [{ since: string; name: string }]
    assert.deepEqual(present, here)
    assert.ok(name.length > 0)
    assert.deepEqual((await service.get(path)).json(), entered.json())
    assert.equal((await service.request('DELETE', `${path}/page-one-1`)).status, 204)
    assert.deepEqual((await events.next()).data.present, [])
    problemOf(await service.request('PUT', path, { body: { page: 'x' } }), 422, 'invalid_request')
    problemOf(await service.get('/api/v1/flows/absent/presence'), 404, 'flow_not_found')
  })
})

describe('comments', () => {
  it('are written, marked as done and removed, and told of; they go with the flow and come back with it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const path = `/api/v1/flows/${flow.id}/comments`
    const events = await service.events(flow.id)
    const written = await service.post(path, { text: 'Why not {name?}', node: 'parser-1' })
    assert.equal(written.status, 201, written.text)
    const comment = written.json<{ id: string; done_at: string | null; author: string }>()
    assert.deepEqual([comment.done_at, comment.author.length > 0], [null, true])
    const told = await events.next()
    assert.deepEqual([told.event, told.data], ['comments.changed', { flow_id: flow.id }])
    const done = await service.request('PATCH', `${path}/${comment.id}`, { body: { done: true } })
    assert.equal(done.json<{ done_by: string }>().done_by, comment.author)
    problemOf(await service.post(path, { text: '  ' }), 422, 'invalid_request')
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    problemOf(await service.get(path), 404, 'flow_not_found')
    await service.post(`/api/v1/flows/${flow.id}/undelete`)
    const [kept] = (await service.get(path)).json<{ comments: { id: string }[] }>().comments
    assert.equal(kept!.id, comment.id)
    assert.equal((await service.request('DELETE', `${path}/${comment.id}`)).status, 204)
    problemOf(await service.request('DELETE', `${path}/${comment.id}`), 404, 'comment_not_found')
  })

  it('are written by keys that may write the flow, and by no other', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const key = await service.post('/api/v1/keys', { name: 'reader', rights: ['read'] })
    const reader = { headers: { 'x-api-key': key.json<{ key: string }>().key } }
    const path = `/api/v1/flows/${flow.id}/comments`
    const refused = await service.post(path, { text: 'Hello' }, reader)
    assert.equal(refused.status, 403, refused.text)
    const listed = await service.request('GET', path, reader)
    assert.equal(listed.status, 200, listed.text)
  })
})
