import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

interface Alias {
  readonly slug: string
  readonly calls: number
  readonly last_called_at: string | null
  readonly callers: readonly { key: string | null; address: string; calls: number }[]
}

async function rename(service: Service, id: string, slug: string): Promise<FlowBody> {
  const answer = await service.post(`/api/v1/flows/${id}/slug`, { slug })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<FlowBody>()
}

async function recentCallers(service: Service, id: string) {
  const answer = await service.get(`/api/v1/flows/${id}/aliases`)
  return answer.json<{ recent_callers: { path: string; calls: number; agent: string | null }[] }>()
    .recent_callers
}

async function aliasesOf(service: Service, id: string): Promise<readonly Alias[]> {
  return (await service.get(`/api/v1/flows/${id}/aliases`)).json<{ aliases: Alias[] }>().aliases
}

function make(service: Service, slug: string, changes: object = {}): Promise<FlowBody> {
  return service.createFlow({ ...anythingFlow(), slug, ...changes })
}

describe('a flow whose slug was changed', () => {
  it('answers to both, wherever a slug is taken, also over a restart, until the alias is ended', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'before')
    const renamed = await rename(service, flow.id, 'after')
    assert.deepEqual([renamed.slug, renamed.aliases, renamed.version], ['after', ['before'], 2])
    for (const slug of ['before', 'after']) {
      assert.equal((await service.run(slug)).flow_id, flow.id)
      assert.equal((await service.post(`/api/v1/run/${slug}`, {})).status, 200)
      assert.equal((await service.get(`/api/v1/flows/${slug}`)).json<FlowBody>().id, flow.id)
      assert.equal((await service.get(`/api/v1/runs?flow_id=${slug}`)).status, 200)
    }
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.equal((await again.run('before')).flow_id, flow.id)
    const path = `/api/v1/flows/${flow.id}/aliases/before`
    assert.equal((await again.request('DELETE', path)).status, 204)
    problemOf(await again.request('DELETE', path), 404, 'alias_not_found')
    problemOf(await again.webhook('before'), 404, 'flow_not_found')
    assert.equal((await again.run('after')).flow_id, flow.id)
    assert.deepEqual((await again.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>().aliases, [])
  })

  it('keeps its aliases to itself, may go back to them, and gives them up when they are ended', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'first')
    await rename(service, flow.id, 'second')
    const other = await make(service, 'other')
    const slugTaken = { slug: 'first' }
    problemOf(await service.post(`/api/v1/flows/${other.id}/slug`, slugTaken), 409, 'slug_taken')
    problemOf(await service.post('/api/v1/flows', { ...anythingFlow(), ...slugTaken }), 409, 'slug_taken')
    const put = { body: { ...other, ...slugTaken } }
    problemOf(await service.request('PUT', `/api/v1/flows/${other.id}`, put), 409, 'slug_taken')
    problemOf(await service.post(`/api/v1/flows/${other.id}/slug`, { slug: flow.id }), 409, 'slug_taken')
    const back = await rename(service, flow.id, 'first')
    assert.deepEqual([back.slug, back.aliases], ['first', ['second']])
    const same = await rename(service, flow.id, 'first')
    assert.equal(same.version, back.version, 'nothing changes')
    await service.request('DELETE', `/api/v1/flows/${flow.id}/aliases/second`)
    assert.equal((await rename(service, other.id, 'second')).slug, 'second')
  })

  it('by a save keeps nothing of the slug of before', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'before')
    const saved = await service.saveFlow(flow, { slug: 'after' })
    assert.deepEqual([saved.slug, saved.aliases], ['after', []])
    problemOf(await service.webhook('before'), 404, 'flow_not_found')
  })

  it('by a draft that is published goes on to answer to the slug of before, also when that is undone', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'before')
    const path = `/api/v1/flows/${flow.id}`
    const body = { ...flow, slug: 'after', revision: 0 }
    assert.equal((await service.request('PUT', `${path}/draft`, { body })).status, 200)
    problemOf(await service.webhook('after'), 404, 'flow_not_found')
    const published = (await service.post(`${path}/publish`, {})).json<FlowBody>()
    assert.deepEqual([published.slug, published.aliases], ['after', ['before']])
    for (const slug of ['before', 'after']) assert.equal((await service.run(slug)).flow_id, flow.id)
    const undone = (await service.post(`${path}/publish/undo`, {})).json<FlowBody>()
    assert.deepEqual([undone.slug, undone.aliases], ['before', ['after']])
    assert.equal((await service.run('after')).flow_id, flow.id, 'whoever was told of it meanwhile')
  })

  it('is back with its aliases when it was deleted, but for those that others have taken', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'first')
    await rename(service, flow.id, 'second')
    await rename(service, flow.id, 'third')
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    problemOf(await service.webhook('first'), 404, 'flow_not_found')
    await make(service, 'second')
    const back = (await service.post(`/api/v1/flows/${flow.id}/undelete`)).json<FlowBody>()
    assert.deepEqual([back.slug, back.aliases], ['third', ['first']])
  })

  it('tells who still calls the slug of before', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'before')
    const open = await make(service, 'open', anythingFlow({ auth: 'None' }))
    await rename(service, flow.id, 'after')
    await rename(service, open.id, 'opened')
    assert.deepEqual(
      (await aliasesOf(service, flow.id)).map(({ slug, calls, last_called_at }) => [
        slug,
        calls,
        last_called_at
      ]),
      [['before', 0, null]]
    )
    const { key } = await service.createKey({ name: 'Shop', rights: ['trigger'] })
    for (let n = 0; n < 2; n++) await service.start('before', '1', { key })
    await service.post('/api/v1/run/before', {}, { key })
    await service.start('after')
    await service.start(flow.id)
    await service.webhook('before', '1', { key: null })
    await service.start('open', '1', { key: null })
    const [alias] = await aliasesOf(service, flow.id)
    assert.equal(alias!.calls, 3)
    assert.ok(Date.parse(alias!.last_called_at!) <= Date.now())
    assert.deepEqual(
      alias!.callers.map(({ key, calls }) => [key, calls]),
      [['Shop', 3]]
    )
    const [anonymous] = await aliasesOf(service, open.id)
    assert.deepEqual([anonymous!.callers[0]!.key, anonymous!.calls], [null, 1])
  })

  it('tells who called lately, and by which address', async (t) => {
    const service = await startService(t)
    const flow = await make(service, 'before')
    assert.deepEqual(await recentCallers(service, flow.id), [])
    const headers = { 'user-agent': 'shop/1.0' }
    const first = await service.start('before', '1', { headers })
    await service.start('before', '1', { headers })
    await service.post(`/api/v1/runs/${first}/replay`, {})
    await service.post(`/api/v1/flows/${flow.id}/test`, { input: 1 })
    await rename(service, flow.id, 'after')
    await service.request('POST', '/api/v1/webhook/after?key=1', {
      body: 1,
      headers: { 'user-agent': 'erp' }
    })
    assert.deepEqual(
      (await recentCallers(service, flow.id)).map(({ path, calls, agent }) => [path, calls, agent]),
      [
        ['/api/v1/webhook/after', 1, 'erp'],
        ['/api/v1/webhook/before', 2, 'shop/1.0']
      ]
    )
  })

  it('is found by its alias inside its context, behind the same guard', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const flow = await make(service, 'before', { context: '/sales' })
    await rename(service, flow.id, 'after')
    const { key } = await service.createKey({ rights: ['trigger', 'read', 'write'], context: '/sales' })
    assert.equal((await service.webhook('before', '1', { key })).status, 202)
    const stranger = await service.createKey({
      rights: ['trigger', 'read', 'write'],
      flow: (await make(service, 'other')).id
    })
    for (const [sent, status] of [
      [{ key: null }, 401],
      [{ key: stranger.key }, 404]
    ] as const) {
      const [alias, absent] = [
        await service.webhook('before', '1', sent),
        await service.webhook('absent', '1', sent)
      ]
      assert.deepEqual([alias.status, alias.text], [status, absent.text])
    }
  })
})
