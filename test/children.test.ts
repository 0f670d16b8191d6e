import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { calling, callingOutside, childrenOf, plugins, run } from './support/child-flows.ts'
import { callFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

describe('children', () => {
  it('are worked on so many at a time, and their parent waits', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callingOutside(outside.url(), { concurrency: 2 }))
    const id = await service.start(flow.slug, [1, 2, 3])
    const [one, two] = [await outside.next(), await outside.next()]
    await eventually(async () => (await service.readRun(id)).status, 'waiting')
    const states = (await childrenOf(service, id)).map(({ status }) => status)
    assert.deepEqual(states, ['queued', 'in progress', 'in progress'])
    assert.equal(outside.calls.length, 2)
    one.answer()
    const three = await outside.next()
    two.answer()
    three.answer()
    assert.equal((await service.waitForRun(id)).status, 'succeeded')
  })

  it('are cancelled with their parent', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callingOutside(outside.url()))
    const id = await service.start(flow.slug, [1, 2, 3])
    await outside.next()
    await eventually(async () => (await service.readRun(id)).status, 'waiting')
    const answer = await service.post(`/api/v1/runs/${id}/cancel`)
    assert.equal(answer.status, 200, answer.text)
    const states = async () => (await childrenOf(service, id)).map(({ status }) => status)
    await eventually(states, ['cancelled', 'cancelled', 'cancelled'])
    assert.equal(outside.calls.length, 1)
    assert.match((await service.get('/metrics')).text, /^millrace_backlog_runs 0$/m)
  })

  for (const type of ['run-flow', 'for-each']) {
    it(`stay cancelled where somebody cancelled them, although the ${type} has attempts left`, async (t) => {
      const service = await startService(t, { plugins })
      const outside = await startOutside(t)
      const called = await service.createFlow(callFlow(outside.url()))
      const retry = { attempts: 3, backoff_ms: 0 }
      const runsFlow = {
        name: 'Runs a flow',
        nodes: [
          { id: 'webhook-1', type: 'webhook' },
          { id: 'run-1', type: 'run-flow', retry, fields: { flow: called.slug } }
        ],
        edges: [{ from: 'webhook-1.data', to: 'run-1.data' }]
      }
      const { nodes, ...items } = callingOutside(outside.url())
      const forEach = {
        ...items,
        nodes: nodes.map((node) => (node.type === type ? { ...node, retry } : node))
      }
      const { slug } = await service.createFlow(type === 'run-flow' ? runsFlow : forEach)
      const id = await service.start(slug, [1])
      await outside.next()
      const [child] = await childrenOf(service, id)
      assert.equal((await service.post(`/api/v1/runs/${child!.id}/cancel`)).status, 200)
      assert.equal((await service.waitForRun(id)).status, 'failed')
      assert.equal((await service.readRun(child!.id)).status, 'cancelled')
      assert.equal(outside.calls.length, 1)
    })
  }

  it('go on by themselves when they are retried, whatever became of a parent that did not wait for them', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    let isRefused = true
    outside.answerAll(() => ({ status: isRefused ? 400 : 200 }))
    const called = await service.createFlow(callFlow(outside.url()))
    const { slug } = await service.createFlow({
      name: 'Starts another',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'run-1', type: 'run-flow', fields: { flow: called.slug, wait: false } },
        { id: 'delay-1', type: 'delay', fields: { for: '1h' } }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'run-1.data' },
        { from: 'run-1.run', to: 'delay-1.data' }
      ]
    })
    const id = await service.start(slug, '1')
    await eventually(async () => (await service.readRun(id)).status, 'waiting')
    const states = async () => (await childrenOf(service, id)).map(({ status }) => status)
    await eventually(states, ['failed'])
    assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    isRefused = false
    const [child] = await childrenOf(service, id)
    assert.equal((await service.post(`/api/v1/runs/${child!.id}/retry`)).status, 202)
    assert.equal((await service.waitForRun(child!.id)).status, 'succeeded')
  })

  it('are cancelled with one further above, also where the one between has ended, so that it can be retried', async (t) => {
    const service = await startService(t)
    const edge = (from: string, to: string) => ({ from, to })
    const asking = (name: string) => ({
      name,
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'ask', type: 'approve', fields: { question: `${name}?` } },
        { id: 'answer', type: 'return' }
      ],
      edges: [edge('webhook-1.data', 'ask.data'), edge('ask.approve', 'answer.data')]
    })
    const inner = await service.createFlow(asking('Inner'))
    const starting = (flow: string) => ({
      nodes: [{ id: 'call', type: 'run-flow', fields: { flow, wait: false } }],
      edges: [edge('webhook-1.data', 'call.data')]
    })
    const between = { name: 'Between', ...starting('inner') }
    await service.createFlow({
      ...between,
      nodes: [{ id: 'webhook-1', type: 'webhook' }, ...between.nodes]
    })
    const outer = asking('Outer')
    const { nodes, edges } = starting('between')
    const { slug } = await service.createFlow({
      ...outer,
      nodes: [...outer.nodes, ...nodes],
      edges: [...outer.edges, ...edges]
    })
    const id = await service.start(slug, {})
    const open = `/api/v1/approvals?status=open&flow_id=${inner.id}`
    type Approvals = { approvals: { id: string; run_id: string }[] }
    const approvals = async () => (await service.get(open)).json<Approvals>().approvals
    await eventually(async () => (await approvals()).length, 1)
    const [asked] = await approvals()
    await eventually(async () => (await service.readRun(id)).status, 'waiting')

    assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    await eventually(async () => (await service.readRun(asked!.run_id)).status, 'cancelled')
    problemOf(
      await service.post(`/api/v1/approvals/${asked!.id}`, { choice: 'Approve' }),
      409,
      'approval_closed'
    )
    const retried = await service.post(`/api/v1/runs/${id}/retry`)
    assert.equal(retried.status, 202, retried.text)
  })

  it('go on after a restart, and none is done twice', async (t) => {
    const service = await startService(t, { plugins })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callingOutside(outside.url()))
    const id = await service.start(flow.slug, [1, 2, 3])
    ;(await outside.next()).answer()
    const second = await outside.next()
    const stopped = service.stop()
    second.answer()
    await stopped
    const again = await startService(t, { home: service.home, plugins })
    ;(await outside.next()).answer()
    assert.equal((await again.waitForRun(id)).status, 'succeeded')
    assert.equal(outside.calls.length, 3)
  })

  it('may wait themselves: a flow that waits gives its caller what came after the wait', async (t) => {
    const service = await startService(t)
    await service.createFlow({
      name: 'Inner',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'later', type: 'delay', fields: { for: '0s' } },
        { id: 'line', type: 'parser', fields: { template: 'After: {name}' } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'later.data' },
        { from: 'later.data', to: 'line.data' },
        { from: 'line.parsed_text', to: 'answer.data' }
      ]
    })
    const { slug } = await service.createFlow(calling('inner'))
    assert.equal((await run(service, slug, { name: 'Ann' })).output, 'After: Ann')
  })

  it('stop at a depth of 32 where flows run each other without end, and are refused where each would start several', async (t) => {
    const service = await startService(t)
    const first = await service.createFlow({ ...calling('second'), name: 'First' })
    await service.createFlow({ ...calling('first'), name: 'Second' })
    const ended = await run(service, first.slug, {})
    assert.equal(ended.status, 'failed')
    assert.match(ended.error!.message, /32 runs above/)
    const own = calling('own')
    const several = { ...own, name: 'Own', nodes: [...own.nodes, { ...own.nodes[1]!, id: 'again' }] }
    const refused = await service.post('/api/v1/flows', several)
    assert.deepEqual(
      [refused.status, refused.json<{ errors: { code: string }[] }>().errors[0]?.code],
      [422, 'flow_loop']
    )
  })

  it('may be of their own flow, until a condition ends it', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow({
      name: 'Countdown',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'more', type: 'if-else', fields: { left: '{n}', operator: 'is greater than', right: '0' } },
        { id: 'less', type: 'transform', fields: { expression: '{"n": n - 1, "way": $append(way, n)}' } },
        { id: 'again', type: 'run-flow', fields: { flow: 'countdown' } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'more.data' },
        { from: 'more.true', to: 'less.data' },
        { from: 'less.data', to: 'again.data' },
        { from: 'again.data', to: 'answer.data' },
        { from: 'more.false', to: 'answer.data' }
      ]
    })
    const ended = await run(service, slug, { n: 3, way: [] })
    assert.deepEqual(ended.output, { n: 0, way: [3, 2, 1] })
  })
})
