import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { callingOutside, childrenOf, type Returned, run } from './support/child-flows.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

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
