import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { callFlow, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type DraftBody, draft, publish, readDraft, said, versions, withTemplate } from './support/publish.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile()

describe('publishing', () => {
  it('makes the draft the next version, with its name, note and author', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const made = await draft(service, flow, withTemplate(flow, 'New {order_id}'))
    assert.equal(await said(service, flow), 'Order 7 from Ann')
    const answer = await publish(service, flow, {
      name: ' Spring ',
      note: 'Shorter',
      revision: made.revision
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json<FlowBody>().version, 2)
    assert.equal(await said(service, flow), 'New 7')
    problemOf(await readDraft(service, flow), 404, 'draft_not_found')
    const [newest, first] = (await versions(service, flow)).versions
    const { author } = made as unknown as { author: string }
    assert.deepEqual(newest, {
      ...newest,
      version: 2,
      is_live: true,
      name: 'Spring',
      note: 'Shorter',
      author,
      changes: 'Parser: template',
      origin: 'published'
    })
    assert.deepEqual([first?.author, first?.origin, first?.changes], [author, 'created', null])
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.equal(await said(again, flow), 'New 7')
  })

  it('is refused where there is no draft, or another than was looked at', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    problemOf(await publish(service, flow), 404, 'draft_not_found')
    await draft(service, flow, { name: 'One' })
    await draft(service, flow, { name: 'Two', revision: 1 })
    problemOf(await publish(service, flow, { revision: 1 }), 409, 'draft_conflict')
    problemOf(await publish(service, flow, { live_version: 2 }), 409, 'flow_conflict')
    problemOf(await publish(service, flow, { nam: 'x' }), 422, 'invalid_request')
    const answers = await Promise.all([publish(service, flow), publish(service, flow)])
    assert.deepEqual(answers.map(({ status }) => status).sort()[0], 200)
    assert.equal((await service.get(`/api/v1/flows/${flow.id}`)).json<FlowBody>().version, 2)
  })

  it('is refused with every fault where the draft is not valid, and leaves it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const nodes = [...withTemplate(flow, '{half').nodes, { id: 'x', type: 'unheard' }]
    const made = await draft(service, flow, { nodes })
    const { errors = [] } = problemOf(await publish(service, flow), 422, 'flow_invalid')
    assert.equal(errors.length, 2)
    assert.equal((await readDraft(service, flow)).json<DraftBody>().revision, made.revision)
    assert.equal(await said(service, flow), 'Order 7 from Ann')
    await draft(service, made, { nodes: flow.nodes, slug: other.slug })
    problemOf(await publish(service, flow), 409, 'slug_taken')
  })

  it('lets a run finish on the version that it began with', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const id = await service.start(flow.slug)
    const call = await outside.next()
    await draft(service, flow, { nodes: flow.nodes.slice(0, 1), edges: [] })
    assert.equal((await publish(service, flow)).status, 200)
    call.answer()
    const run = await service.waitForRun(id)
    assert.deepEqual([run.flow_version, run.steps.length], [1, 3])
  })

  it('keeps what was done to address and context meanwhile', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const made = await draft(service, flow, withTemplate(flow, 'New {order_id}'))
    await service.saveFlow(flow, { slug: 'moved' })
    const published = (await publish(service, flow)).json<FlowBody>()
    assert.deepEqual([published.slug, published.version], ['moved', 3])
    assert.equal(made.slug, flow.slug)
    await draft(service, published, { slug: 'renamed' })
    assert.equal((await publish(service, flow)).json<FlowBody>().slug, 'renamed')
  })

  it('keeps tags that were given meanwhile, unless the draft has changed them', async (t) => {
    const service = await shared(t)
    for (const [drafted, expected] of [
      [{ name: 'Other' }, ['shop']],
      [{ tags: ['mine'] }, ['mine']]
    ] as const) {
      const flow = await service.createFlow(ordersFlow())
      await draft(service, flow, drafted)
      await service.post('/api/v1/flows/bulk', { action: 'tag', tags: ['shop'], ids: [flow.id] })
      const { tags } = (await publish(service, flow)).json<{ tags?: string[] }>()
      assert.deepEqual(tags, expected)
    }
  })

  it('is for who may put the flow where the draft says', async (t) => {
    const service = await shared(t)
    await makeContext(service, '/sales')
    await makeContext(service, '/people')
    const flow = await service.createFlow(ordersFlow({ context: '/sales' }))
    await draft(service, flow, { context: '/people' })
    const { key } = await service.createKey({ rights: ['read', 'write'], context: '/sales' })
    problemOf(await publish(service, flow, {}, { key }), 403, 'forbidden')
    const reader = await service.createKey({ rights: ['read', 'trigger'] })
    problemOf(await publish(service, flow, {}, { key: reader.key }), 403, 'forbidden')
    assert.equal((await publish(service, flow)).json<FlowBody>().context, '/people')
    problemOf(await publish(service, flow, {}, { key }), 404, 'flow_not_found')
  })

  it('is told as a save is, and the end of the draft with it', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    await draft(service, flow, { name: 'One' })
    const events = await service.allEvents()
    await publish(service, flow)
    const told = [await events.next(), await events.next()]
    assert.deepEqual(told.map(({ event }) => event).sort(), ['draft.deleted', 'flow.saved'])
  })
})

describe('asking what a publish would do', () => {
  it('tells it in words: what changes, for whom, what is wrong, and what still runs', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const changes = () => service.get(`/api/v1/flows/${flow.id}/draft/changes`)
    problemOf(await changes(), 404, 'draft_not_found')
    const id = await service.start(flow.slug)
    const call = await outside.next()
    const secret = 'only for those who may read it'
    const nodes = flow.nodes.map((node) =>
      node.type === 'webhook' ? { ...node, fields: { auth: 'None', hide: secret } } : node
    )
    await draft(service, flow, {
      nodes: [...nodes, { id: 'parser-2', type: 'parser' }, { id: 'x', type: 'unheard' }],
      slug: 'moved'
    })
    const answer = await changes()
    const told = answer.json<Record<string, unknown> & Record<string, { code: string; text: string }[]>>()
    assert.equal(told.summary, 'Webhook: auth, hide; Parser added; x added; address')
    assert.deepEqual(
      told.nodes!.map(({ text }) => text),
      ['Webhook: auth, hide', 'Parser added', 'x added']
    )
    const codes = (name: string) => told[name]!.map(({ code }) => code)
    assert.deepEqual(codes('callers'), ['address', 'guard'])
    assert.deepEqual(codes('errors'), ['unknown_type'])
    assert.deepEqual(codes('warnings'), ['not_wired', 'not_wired'])
    assert.deepEqual([told.open_runs, told.behind, told.members], [1, false, ['slug']])
    assert.ok(!answer.text.includes(secret), 'values are not in it')
    call.answer()
    await service.waitForRun(id)
    assert.equal((await changes()).json<{ open_runs: number }>().open_runs, 0)
  })

  it('tells of any draft, and of one that changes nothing', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const changes = async () =>
      (await service.get(`/api/v1/flows/${flow.id}/draft/changes`)).json<Record<string, unknown>>()
    await draft(service, flow, {})
    const none = await changes()
    assert.deepEqual([none.summary, none.nodes, none.callers, none.errors], [null, [], [], []])
    await draft(service, flow, { name: 7, nodes: [{}, { id: 5, type: {} }], revision: 1 })
    assert.equal(typeof (await changes()).summary, 'string')
    await service.saveFlow(flow, { slug: 'moved' })
    const behind = await changes()
    assert.deepEqual([behind.behind, (behind.members as string[]).includes('slug')], [true, false])
  })
})

describe('a save past the draft', () => {
  it('leaves it, behind then, unless it says otherwise', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    await draft(service, flow, { name: 'Mine' })
    const saved = await service.saveFlow(flow, { description: 'by a program' })
    assert.equal((await readDraft(service, flow)).json<DraftBody>().behind, true)
    const body = { ...saved, description: 'again' }
    const discarding = await service.request('PUT', `/api/v1/flows/${flow.id}?draft=discard`, { body })
    assert.equal(discarding.status, 200, discarding.text)
    problemOf(await readDraft(service, flow), 404, 'draft_not_found')
    const [newest] = (await versions(service, flow)).versions
    assert.deepEqual([newest?.origin, newest?.changes], ['saved', 'Description'])
  })
})
