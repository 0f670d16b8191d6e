import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type ApiClient, type FlowBody, problemOf } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { type DraftBody, draft, publish, readDraft, said, versions, withTemplate } from './support/publish.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile()

function undo(service: ApiClient, flow: FlowBody, body?: object): Promise<Answer> {
  return service.post(`/api/v1/flows/${flow.id}/publish/undo`, body)
}

describe('undoing a publish', () => {
  it('makes the version before live again, and gives the draft back', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    problemOf(await undo(service, flow), 409, 'nothing_to_undo')
    await draft(service, flow, { ...withTemplate(flow, 'New {order_id}'), slug: 'renamed' })
    await publish(service, flow, { name: 'Spring' })
    problemOf(await undo(service, flow, { version: 1 }), 409, 'flow_conflict')
    const answer = await undo(service, flow, { version: 2 })
    assert.equal(answer.status, 200, answer.text)
    const live = answer.json<FlowBody>()
    assert.deepEqual([live.version, live.slug, live.nodes], [3, flow.slug, flow.nodes])
    assert.equal(await said(service, flow), 'Order 7 from Ann')
    const back = (await readDraft(service, flow)).json<DraftBody>()
    assert.deepEqual([back.slug, back.base_version, back.behind, back.revision], ['renamed', 3, false, 2])
    problemOf(await undo(service, flow), 409, 'nothing_to_undo')
    assert.equal((await publish(service, flow, { revision: 2 })).json<FlowBody>().version, 4)
  })

  it('leaves a draft that was begun since', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    await draft(service, flow, { name: 'One' })
    const published = (await publish(service, flow)).json<FlowBody>()
    await draft(service, published, { name: 'Two' })
    assert.equal((await undo(service, flow)).json<FlowBody>().name, flow.name)
    const { name, base_version, behind } = (await readDraft(service, flow)).json<DraftBody>()
    assert.deepEqual([name, base_version, behind], ['Two', 3, false])
  })
})

describe('versions', () => {
  it('are listed in pages, named ones by themselves', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    let live = flow
    for (const name of ['One', '', 'Three']) {
      await draft(service, live, { description: `to be ${name}` })
      live = (await publish(service, flow, { name })).json<FlowBody>()
    }
    const numbers = (page: Awaited<ReturnType<typeof versions>>) => page.versions.map((one) => one.version)
    const first = await versions(service, flow, '?limit=3')
    assert.deepEqual(numbers(first), [4, 3, 2])
    assert.deepEqual(numbers(await versions(service, flow, `?cursor=${first.next_cursor}`)), [1])
    const named = await versions(service, flow, '?named=true')
    assert.deepEqual([numbers(named), named.next_cursor], [[4, 2], null])
    const [newest] = named.versions
    assert.deepEqual([newest?.name, newest?.is_live], ['Three', true])
  })

  it('are restored into the draft', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const saved = await service.saveFlow(flow, { name: 'Renamed', slug: 'renamed' })
    const restore = (body: object) => service.post(`/api/v1/flows/${flow.id}/draft/restore`, body)
    const restored = (await restore({ version: 1 })).json<DraftBody>()
    assert.deepEqual([restored.name, restored.slug, restored.base_version], [flow.name, 'renamed', 2])
    assert.deepEqual((await service.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>(), saved)
    problemOf(await restore({ version: 2 }), 409, 'draft_conflict')
    assert.equal((await restore({ version: 2, revision: 1 })).json<DraftBody>().name, 'Renamed')
    problemOf(await restore({ version: 9, revision: 2 }), 404, 'version_not_found')
  })
})
