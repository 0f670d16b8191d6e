import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Answer,
  type ApiClient,
  type FlowBody,
  problemOf,
  type RequestOptions
} from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { ORDER, ordersFlow } from './support/documents.ts'
import { serviceOfFile, startService } from './support/service.ts'

interface DraftBody extends FlowBody {
  readonly revision: number
  readonly base_version: number
  readonly live_version: number
  readonly behind: boolean
  readonly errors: readonly { code: string; path: string }[]
  readonly author: string | null
}

const shared = serviceOfFile()

function put(
  service: ApiClient,
  flow: FlowBody,
  body: object,
  options: RequestOptions = {}
): Promise<Answer> {
  return service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body, ...options })
}

async function draft(service: ApiClient, flow: FlowBody, body: object): Promise<DraftBody> {
  const answer = await put(service, flow, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<DraftBody>()
}

function read(service: ApiClient, flow: FlowBody, options?: RequestOptions): Promise<Answer> {
  return service.get(`/api/v1/flows/${flow.id}/draft`, options)
}

const discard = (service: ApiClient, flow: FlowBody, query = '') =>
  service.request('DELETE', `/api/v1/flows/${flow.id}/draft${query}`)

/** As somebody leaves it in the middle of typing. */
function halfTyped(flow: FlowBody) {
  const nodes = flow.nodes.map((node) =>
    node.type === 'parser' ? { ...node, fields: { template: '{customer.na' } } : node
  )
  return { ...flow, nodes: [...nodes, { id: 'api-request-1', type: 'api-request' }] }
}

describe('the draft of a flow', () => {
  it('leaves what is live alone, whatever stands in it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    problemOf(await read(service, flow), 404, 'draft_not_found')
    const made = await draft(service, flow, halfTyped(flow))
    assert.deepEqual([made.id, made.revision, made.base_version, made.behind], [flow.id, 1, 1, false])
    assert.ok(made.errors.some(({ code, path }) => code === 'template_invalid' || path.includes('template')))
    const run = await service.run(flow.slug, JSON.stringify(ORDER))
    assert.deepEqual([run.status, run.steps.length], ['succeeded', 3])
    assert.deepEqual((await service.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>(), flow)
    const { versions } = (await service.get(`/api/v1/flows/${flow.id}/versions`)).json<{
      versions: unknown[]
    }>()
    assert.equal(versions.length, 1)
  })

  it('is kept before a version is restored in its place, and when it is discarded', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const kept = async (path = '') =>
      (await service.get(`/api/v1/flows/${flow.id}/draft/kept${path}`)).json<{
        drafts: { number: number; because: string }[]
        document: FlowBody
      }>()
    const mine = await draft(service, flow, halfTyped(flow))
    const restore = { version: 1, revision: mine.revision }
    const answer = await service.post(`/api/v1/flows/${flow.id}/draft/restore`, restore)
    assert.deepEqual(answer.json<DraftBody>().nodes, flow.nodes)
    assert.deepEqual(
      (await kept()).drafts.map(({ number, because }) => [number, because]),
      [[1, 'restored']]
    )
    assert.deepEqual((await kept('/1')).document.nodes, mine.nodes)
    // What is there now is what is live: nobody would look for it.
    assert.equal((await discard(service, flow)).status, 204)
    assert.equal((await kept()).drafts.length, 1)
    await draft(service, flow, { ...flow, description: 'Another' })
    await discard(service, flow)
    assert.deepEqual(
      (await kept()).drafts.map(({ because }) => because),
      ['discarded', 'restored']
    )
  })

  it('is there after a restart, as it was sent', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const made = await draft(service, flow, { ...halfTyped(flow), slug: 'Not a slug!', colour: 'red' })
    assert.deepEqual((await read(service, flow)).json<DraftBody>(), made)
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.deepEqual((await read(again, flow)).json<DraftBody>(), made)
    assert.deepEqual([made.slug, (made as unknown as { colour: string }).colour], ['Not a slug!', 'red'])
  })

  it('is saved by who edited its newest revision', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const first = await draft(service, flow, { ...flow, name: 'One' })
    const second = await draft(service, flow, { ...first, name: 'Two' })
    assert.deepEqual([second.name, second.revision], ['Two', 2])
    const stale = problemOf(await put(service, flow, { ...first, name: 'Three' }), 409, 'draft_conflict')
    assert.match(stale.detail, /at revision 2.* of revision 1/)
    problemOf(await put(service, flow, { ...flow, name: 'Three' }), 409, 'draft_conflict')
    // The answer was lost, and it is sent again.
    assert.deepEqual(await draft(service, flow, { ...first, name: 'Two' }), second)
    problemOf(await put(service, flow, { revision: 'two' }), 422, 'invalid_request')
  })

  it('is discarded, and its revisions are not given again', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const made = await draft(service, flow, { ...flow, name: 'One' })
    problemOf(await discard(service, flow, '?revision=2'), 409, 'draft_conflict')
    assert.equal((await discard(service, flow, '?revision=1')).status, 204)
    problemOf(await read(service, flow), 404, 'draft_not_found')
    problemOf(await discard(service, flow), 404, 'draft_not_found')
    problemOf(await put(service, flow, { ...made, name: 'Two' }), 409, 'draft_conflict')
    assert.equal((await draft(service, flow, { ...flow, name: 'Two', revision: 0 })).revision, 2)
  })

  it('says when it is behind, until it is based on what is live', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    await draft(service, flow, { ...flow, name: 'Mine' })
    await service.saveFlow(flow, { description: 'by a program' })
    const behind = (await read(service, flow)).json<DraftBody>()
    assert.deepEqual([behind.base_version, behind.live_version, behind.behind], [1, 2, true])
    assert.equal((await draft(service, flow, { ...behind, base_version: undefined })).behind, true)
    const merged = await draft(service, flow, { ...behind, description: 'both', base_version: 2 })
    assert.deepEqual([merged.base_version, merged.behind], [2, false])
    const { detail } = problemOf(
      await put(service, flow, { ...merged, base_version: 9 }),
      422,
      'invalid_request'
    )
    assert.match(detail, /base_version.*version 2/)
  })

  it('is no document where its lists are none, and is not kept then', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    for (const body of [{ nodes: 'webhook' }, { edges: [1] }, [], 'text']) {
      const answer = await put(service, flow, body as object)
      assert.equal(answer.status, 422, answer.text)
    }
    problemOf(await read(service, flow), 404, 'draft_not_found')
  })

  it('tells that its slug is taken', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const { errors } = await draft(service, flow, { ...flow, slug: other.slug })
    assert.deepEqual(
      errors.map(({ code, path }) => [code, path]),
      [['slug_taken', '/slug']]
    )
  })

  it('goes with its flow, and comes back with it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const made = await draft(service, flow, { ...flow, name: 'One' })
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    problemOf(await read(service, flow), 404, 'flow_not_found')
    problemOf(await put(service, flow, made), 404, 'flow_not_found')
    await service.post(`/api/v1/flows/${flow.id}/undelete`)
    assert.deepEqual((await read(service, flow)).json<DraftBody>(), made)
  })

  it('is told of to who listens, on the stream of the flow and on that of all', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const streams = [await service.events(flow.id), await service.allEvents()]
    const elsewhere = await service.events(other.id)
    const made = await draft(service, flow, { ...flow, name: 'One' })
    await discard(service, flow)
    const { author } = made
    for (const events of streams) {
      const saved = await events.next()
      assert.deepEqual(saved.event, 'draft.saved')
      const { updated_at, ...told } = saved.data
      assert.deepEqual(told, { flow_id: flow.id, revision: 1, base_version: 1, author })
      const ended = await events.next()
      assert.deepEqual([ended.event, ended.data], ['draft.deleted', { flow_id: flow.id }])
    }
    await draft(service, other, { name: 'Two' })
    assert.equal((await elsewhere.next()).data.flow_id, other.id)
  })
})

describe('who may edit a draft', () => {
  it('is who may edit the flow; the author is the name of the key', async (t) => {
    const service = await shared(t)
    await makeContext(service, '/sales')
    await makeContext(service, '/people', { variables: { salary: '7' } })
    const flow = await service.createFlow(ordersFlow({ context: '/sales' }))
    const other = await service.createFlow(ordersFlow({ name: 'Other', context: '/people' }))
    const write = ['read', 'write']
    const sales = await service.createKey({ name: 'Sales', rights: write, context: '/sales' })
    const bound = await service.createKey({ name: 'Bound', rights: write, flow: flow.id })
    const reader = await service.createKey({ rights: ['read', 'trigger', 'admin'] })
    let revision = 0
    for (const { key, name } of [sales, bound] as unknown as { key: string; name: string }[]) {
      const answer = await put(service, flow, { ...flow, name, revision }, { key })
      assert.equal(answer.status, 200, answer.text)
      const made = answer.json<DraftBody>()
      assert.equal(made.author, name)
      revision = made.revision
      problemOf(await put(service, flow, { ...made, context: '/people' }, { key }), 403, 'forbidden')
      problemOf(await put(service, other, {}, { key }), 404, 'flow_not_found')
      problemOf(await read(service, other, { key }), 404, 'flow_not_found')
    }
    problemOf(await put(service, flow, {}, { key: reader.key }), 403, 'forbidden')
    assert.equal((await read(service, flow, { key: reader.key })).status, 200)
  })

  it('secrets in it are read by them alone', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const secret = 'not for everybody, at all'
    const nodes = [
      { id: 'w', type: 'webhook', fields: { signing_secret: secret } },
      { id: 'x', type: 7, fields: { signing_secret: secret } },
      { id: 'y', type: 'of no plugin', fields: { token: secret } }
    ]
    await draft(service, flow, { nodes })
    const reader = await service.createKey({ rights: ['read'] })
    assert.ok(!(await read(service, flow, { key: reader.key })).text.includes(secret))
    assert.ok((await read(service, flow)).text.includes(secret))
  })
})
