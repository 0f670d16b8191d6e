import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { startWith } from './support/contexts.ts'
import { callFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

type Returned = RunBody & { readonly output: unknown }

interface QueuedRun {
  readonly waiting: readonly { readonly resume_url: string }[]
}

/** Webhook → For each (Parser: "{name} for {who}") → Return; `who` comes from outside. */
const GREETS = {
  name: 'Greets',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'names', type: 'parser', fields: { mode: 'Stringify' } },
    { id: 'each', type: 'for-each', fields: { concurrency: 2 } },
    { id: 'line', type: 'parser', parent: 'each', fields: { template: 'Hello {name}' } },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'each.items' },
    { from: 'each.item', to: 'line.data' },
    { from: 'line.parsed_text', to: 'each.result' },
    { from: 'each.results', to: 'answer.data' }
  ]
}

/** Each item says its line, a part of which comes from outside the frame. */
const TELLS = {
  name: 'Tells',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'all', type: 'parser', fields: { mode: 'Stringify' } },
    { id: 'each', type: 'for-each' },
    { id: 'line', type: 'prompt', parent: 'each', fields: { template: '{who} of {all}' } },
    { id: 'tell', type: 'chat-output', parent: 'each' },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'all.data' },
    { from: 'webhook-1.data', to: 'each.items' },
    { from: 'all.parsed_text', to: 'line.all' },
    { from: 'each.item', to: 'line.who' },
    { from: 'line.prompt', to: 'tell.text' },
    { from: 'tell.message', to: 'each.result' },
    { from: 'each.results', to: 'answer.data' }
  ]
}

/** A For each whose inside stops at the item 3. */
function stopping(failures: 'stop' | 'collect', more: object = {}) {
  return {
    name: `Stops ${failures}`,
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'each', type: 'for-each', fields: { failures }, ...more },
      {
        id: 'bad',
        type: 'if-else',
        parent: 'each',
        fields: { left: '{$item}', mode: 'Expression', expression: 'data == 3' }
      },
      { id: 'stop', type: 'stop', parent: 'each', fields: { message: 'three is bad', code: 'bad_item' } },
      { id: 'answer', type: 'return' },
      { id: 'wrong', type: 'merge', fields: { mode: 'List' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'each.items' },
      { from: 'each.item', to: 'bad.data' },
      { from: 'bad.true', to: 'stop.data' },
      { from: 'bad.false', to: 'each.result' },
      { from: 'each.results', to: 'wrong.in_1' },
      { from: 'each.errors', to: 'wrong.in_2' },
      { from: 'wrong.data', to: 'answer.data' }
    ]
  }
}

async function run(service: Service, slug: string, input: unknown): Promise<Returned> {
  const answer = await service.post(`/api/v1/run/${slug}`, { input })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Returned>()
}

async function childrenOf(service: Service, id: string): Promise<RunBody[]> {
  const answer = await service.get(`/api/v1/runs?parent=${id}&limit=100`)
  return answer.json<{ runs: RunBody[] }>().runs
}

describe('For each', () => {
  it('runs its inside once for each item, and gives the results in order', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(GREETS)
    const { output, status, id, steps } = await run(service, slug, [
      { name: 'Ann' },
      { name: 'Bo' },
      { name: 'Cy' }
    ])
    assert.deepEqual([status, output], ['succeeded', ['Hello Ann', 'Hello Bo', 'Hello Cy']])
    assert.ok(!steps.some(({ node }) => node === 'line'))
    const children = await childrenOf(service, id)
    assert.deepEqual(
      children.toReversed().map(({ status, parent }) => [status, parent]),
      [0, 1, 2].map((index) => ['succeeded', { run_id: id, node: 'each', index }])
    )
    const some = await service.get(`/api/v1/runs?parent=${id}&node=each&from_index=1&below_index=3&q=Cy`)
    assert.deepEqual(
      some.json<{ runs: RunBody[] }>().runs.map((each) => each.id),
      [children[0]!.id]
    )
    const counted = await service.get(`/api/v1/runs?parent=${id}&node=each&limit=1&counts=true`)
    const counts = { succeeded: 3, failed: 0, cancelled: 0, open: 0 }
    assert.deepEqual(counted.json<{ counts: unknown }>().counts, counts)
    const listed = await service.get('/api/v1/runs')
    assert.deepEqual(
      listed.json<{ runs: RunBody[] }>().runs.map((each) => each.id),
      [id]
    )
  })

  it('gives an empty list for an empty one, and fails for what is none', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(GREETS)
    const empty = await run(service, slug, [])
    assert.deepEqual([empty.status, empty.output], ['succeeded', []])
    const none = await run(service, slug, { name: 'Ann' })
    assert.deepEqual(
      [none.status, none.error?.code, none.error?.node],
      ['failed', 'items_not_a_list', 'each']
    )
  })

  it('goes on with items that were cut off when another branch failed, once the run is retried', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = callingOutside(outside.url(), { failures: 'collect', concurrency: 2 })
    const { slug } = await service.createFlow({
      ...flow,
      nodes: [...flow.nodes, { id: 'other', type: 'call', fields: { url: outside.url('/other') } }],
      edges: [...flow.edges, { from: 'webhook-1.data', to: 'other.data' }]
    })
    const id = await service.start(slug, '[1,2]')
    const calls = [await outside.next(), await outside.next(), await outside.next()]
    calls.find(({ path }) => path === '/other')!.answer({}, 400)
    assert.equal((await service.waitForRun(id)).status, 'failed')

    outside.answerAll(({ body }) => ({ body: { said: body } }))
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const { status, output } = (await service.waitForRun(id)) as Returned
    assert.deepEqual([status, output], ['succeeded', [{ said: '1' }, { said: '2' }]])
  })

  it('fails with the item that failed, and goes on from there when it is retried', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(stopping('stop'))
    const failed = await run(service, slug, [1, 2, 3, 4])
    assert.equal(failed.status, 'failed')
    assert.match(failed.error!.message, /Item 2 of 4 failed \(bad_item\).*three is bad/)
    const before = await childrenOf(service, failed.id)
    for (const way of ['retry', 'replay']) {
      const alone = await service.post(`/api/v1/runs/${before[0]!.id}/${way}`)
      problemOf(alone, 409, 'run_has_parent')
    }
    await service.post(`/api/v1/runs/${failed.id}/retry`)
    const again = await service.waitForRun(failed.id)
    assert.equal(again.status, 'failed')
    const after = await childrenOf(service, failed.id)
    const attempts = (runs: RunBody[]) => runs.map(({ id, finished_at }) => `${id} ${finished_at}`)
    const unchanged = attempts(before).filter((each) => attempts(after).includes(each))
    assert.equal(unchanged.length, 2, 'items 0 and 1 had succeeded, and are not run again')
  })

  it('executes an inside without effects where the run is, and keeps each item as a run that has ended', async (t) => {
    const service = await startService(t)
    const { id: flowId, slug } = await service.createFlow(TELLS)
    const { id, output } = await run(service, slug, ['Ann', 'Bo'])
    const lines = ['Ann', 'Bo'].map((name) => `${name} of [\n  "Ann",\n  "Bo"\n]`)
    assert.deepEqual(output, lines)
    const items = (await childrenOf(service, id)).toReversed()
    const bo = await service.readRun(items[1]!.id)
    assert.deepEqual([bo.status, bo.parent?.index, bo.input], ['succeeded', 1, 'Bo'])
    assert.deepEqual(
      bo.steps.map(({ node, status, attempts }) => [node, status, attempts]),
      ['line', 'tell', 'each'].map((node) => [node, 'succeeded', 1])
    )
    assert.deepEqual(
      bo.messages.map(({ text }) => text),
      lines.slice(1)
    )
    // Who reads the events later finds those of an item as of any run.
    const events = await service.events(flowId, { lastEventId: '0.0' })
    const read = await events.until(({ event, data }) => event === 'run.ended' && data.run_id === id)
    assert.deepEqual(
      read.filter(({ data }) => data.run_id === bo.id).map(({ event }) => event),
      ['run.queued', 'run.started', 'step.settled', 'step.settled', 'message', 'step.settled', 'run.ended']
    )
    assert.ok(!read.some(({ event }) => event === 'run.waiting'), 'it waits for nobody')
  })

  it('goes on with runs of their own from the item on that puts out what is stored in pieces', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(GREETS)
    const names = ['Ann', 'x'.repeat(70_000), 'Cy'].map((name) => ({ name }))
    const { id, output } = await run(service, slug, names)
    assert.deepEqual(
      output,
      names.map(({ name }) => `Hello ${name}`)
    )
    const children = (await childrenOf(service, id)).toReversed()
    assert.deepEqual(
      children.map(({ parent }) => parent?.index),
      [0, 1, 2]
    )
  })

  it('collects what failed, and goes on', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(stopping('collect'))
    const { status, output } = await run(service, slug, [1, 3, 2])
    assert.equal(status, 'succeeded')
    const [results, errors] = output as [unknown, { index: number; code: string }[]]
    assert.deepEqual(results, [1, null, 2])
    assert.deepEqual([errors.length, errors[0]?.index, errors[0]?.code], [1, 1, 'bad_item'])
  })
})

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
      nodes: [{ id: 'w', type: 'webhook' }],
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
    assert.deepEqual(run.output, [{ flow: inner.slug }, { flow: inner.slug }])
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

function calling(flow: string) {
  return {
    name: 'Outer',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'call', type: 'run-flow', fields: { flow } },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'call.data' },
      { from: 'call.data', to: 'answer.data' }
    ]
  }
}

/** Webhook → For each ( Call ) → Return: each item calls outside. */
function callingOutside(url: string, fields: object = {}) {
  return {
    name: 'Calls',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'each', type: 'for-each', fields },
      { id: 'call', type: 'call', parent: 'each', fields: { url } },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'each.items' },
      { from: 'each.item', to: 'call.data' },
      { from: 'call.data', to: 'each.result' },
      { from: 'each.results', to: 'answer.data' }
    ]
  }
}

const plugins = ['call.ts']

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

  it('are refused where flows would run each other without end, and stop at a depth of 32 where that cannot be told', async (t) => {
    const service = await startService(t)
    const first = await service.createFlow({ ...calling('second'), name: 'First' })
    const second = { ...calling('first'), name: 'Second' }
    const refused = await service.post('/api/v1/flows', second)
    assert.deepEqual(
      [refused.status, refused.json<{ errors: { code: string }[] }>().errors[0]?.code],
      [422, 'flow_loop']
    )
    // The circle is closed by a flow that comes back from the bin.
    await service.request('DELETE', `/api/v1/flows/${first.id}`)
    await service.createFlow(second)
    assert.equal((await service.post(`/api/v1/flows/${first.id}/undelete`)).status, 200)
    const ended = await run(service, first.slug, {})
    assert.equal(ended.status, 'failed')
    assert.match(ended.error!.message, /32 runs above/)
  })
})
