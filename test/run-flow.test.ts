import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { calling, childrenOf, type Returned, run } from './support/child-flows.ts'
import { startWith } from './support/contexts.ts'
import { eventually } from './support/eventually.ts'
import { startService } from './support/service.ts'

interface QueuedRun {
  readonly waiting: readonly { readonly resume_url: string }[]
}

describe('Run flow', () => {
  it('is a tool for who takes tools, all of them, and runs nothing by itself then', async (t) => {
    const plugin = `export default Object.assign((context) => context.component({
      type: 'toolbox', title: 'Toolbox', effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' }, tools: { title: 'Tools', type: 'tools' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: ({ inputs }) => ({ data: inputs.tools })
    }), { [Symbol.for('skip-override')]: true })`
    const service = await startWith(t, { 'toolbox.mjs': plugin })
    const inner = await service.createFlow({
      name: 'Inner',
      description: 'Says hello',
      nodes: [{ id: 'w', type: 'webhook', fields: { schema: { properties: { name: { type: 'string' } } } } }],
      edges: []
    })
    const tool = (id: string) => ({ id, type: 'run-flow', fields: { flow: inner.slug } })
    const flow = await service.createFlow({
      name: 'Tools',
      nodes: [
        { id: 'w', type: 'webhook' },
        tool('a'),
        tool('b'),
        { id: 'box', type: 'toolbox' },
        { id: 'r', type: 'return' }
      ],
      edges: [
        { from: 'w.data', to: 'box.data' },
        { from: 'a.tools', to: 'box.tools' },
        { from: 'b.tools', to: 'box.tools' },
        { from: 'box.data', to: 'r.data' }
      ]
    })
    const run = (await service.run(flow.id)) as Returned
    const offered = {
      name: inner.slug,
      description: 'Says hello',
      parameters: { type: 'object', properties: { name: { type: 'string' } } }
    }
    assert.deepEqual(run.output, [[{ node: 'a', ...offered }], [{ node: 'b', ...offered }]])
    assert.deepEqual(await childrenOf(service, run.id), [])

    const misfit = { ...flow, edges: [...flow.edges, { from: 'a.tools', to: 'r.data' }] }
    const refused = problemOf(
      await service.request('PUT', `/api/v1/flows/${flow.id}`, { body: misfit }),
      422,
      'flow_invalid'
    )
    assert.match(refused.errors![0]!.message, /Tools input/)
  })

  it('goes on with what the other flow gave back, whose run is listed below it', async (t) => {
    const service = await startService(t)
    await service.createFlow({
      name: 'Inner',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'line', type: 'parser', fields: { template: 'Hello {name}' } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'line.data' },
        { from: 'line.parsed_text', to: 'answer.data' }
      ]
    })
    const { slug } = await service.createFlow(calling('inner'))
    const outer = await run(service, slug, { name: 'Ann' })
    assert.deepEqual([outer.status, outer.output], ['succeeded', 'Hello Ann'])
    const [child] = await childrenOf(service, outer.id)
    assert.deepEqual(child!.parent, { run_id: outer.id, node: 'call', index: 0 })
  })

  it('goes on with a flow that is deleted while it waits for it', async (t) => {
    const service = await startService(t)
    const inner = await service.createFlow({
      name: 'Inner',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call-1', type: 'wait-for-call' },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'call-1.data' },
        { from: 'call-1.data', to: 'answer.data' }
      ]
    })
    const { slug } = await service.createFlow(calling('inner'))
    const { run_id } = (await service.post(`/api/v1/webhook/${slug}`, {})).json<{ run_id: string }>()
    const [child] = await eventually(
      () => childrenOf(service, run_id),
      ([first]) => first?.status === 'waiting'
    )
    const whole = (await service.get(`/api/v1/runs/${child!.id}`)).json<QueuedRun>()
    assert.equal((await service.request('DELETE', `/api/v1/flows/${inner.id}`)).status, 204)
    const path = new URL(whole.waiting[0]!.resume_url).pathname
    assert.equal((await service.post(path, { paid: true }, { key: null })).status, 202)
    const ended = (await service.waitForRun(run_id)) as Returned
    assert.deepEqual([ended.status, ended.output], ['succeeded', { paid: true }])
  })

  it('fails where the flow is gone, of which its draft warns', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(calling('nobody'))
    const draft = async (body: object) =>
      (await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })).json<{
        warnings?: { code: string; node: string }[]
      }>()
    const { warnings } = await draft(flow)
    assert.deepEqual(
      warnings?.map(({ code, node }) => [code, node]),
      [['unknown_flow', 'call']]
    )
    const there = await service.createFlow({ ...calling('nobody'), slug: 'somebody' })
    assert.equal((await draft({ ...flow, ...calling(there.slug), revision: 1 })).warnings, undefined)
    const { slug } = flow
    const gone = await run(service, slug, {})
    assert.deepEqual([gone.status, gone.error?.code, gone.error?.node], ['failed', 'flow_not_found', 'call'])
  })
})
