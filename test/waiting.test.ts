import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { problemOf } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'
import { approvals, edge, ended, startWaiting, type Waiting } from './support/waiting-flows.ts'

const life = lifetimeOfFile()

let started: Promise<Service> | undefined

/** One for all: each test has flows of its own. */
function shared(): Promise<Service> {
  started ??= startService(life, { plugins: ['call.ts'] })
  return started
}

describe('a Delay', () => {
  it('is cancelled at once, also in the moment in which its run comes to wait', async () => {
    const service = await shared()
    const flow = await service.createFlow({
      name: 'Later',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'later', type: 'delay', fields: { for: '1h' } }
      ],
      edges: [edge('webhook-1.data', 'later.data')]
    })
    // A wait is written in a few milliseconds: some of these come before it, some after, and many in between.
    for (let turns = 0; turns < 24; turns++) {
      const id = await service.start(flow.slug, '{}')
      for (let turn = 0; turn < turns; turn++) await turnOfTheLoop()
      const since = performance.now()
      assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
      assert.ok(performance.now() - since < 5_000, `it took ${performance.now() - since} ms`)
      assert.equal((await service.readRun(id)).status, 'cancelled')
    }
  })

  it('ends by the clock, or when somebody wakes it', async () => {
    const service = await shared()
    const nodes = (fields: object) => [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'later', type: 'delay', fields },
      { id: 'answer', type: 'return' }
    ]
    const edges = [edge('webhook-1.data', 'later.data'), edge('later.data', 'answer.data')]
    const short = await service.createFlow({ name: 'Short', nodes: nodes({ for: '0.02s' }), edges })
    const quick = (await service.run(short.slug, '{"a":1}')) as Waiting
    assert.deepEqual([quick.status, quick.output, quick.waiting], ['succeeded', { a: 1 }, []])

    const long = await service.createFlow({ name: 'Long', nodes: nodes({ until: '{at}' }), edges })
    const waits = await startWaiting(service, long, '{"at":"9999-01-01"}')
    assert.deepEqual(
      waits.waiting.map(({ node, kind, until }) => ({ node, kind, until })),
      [{ node: 'later', kind: 'time', until: '9999-01-01T00:00:00.000Z' }]
    )
    assert.equal(waits.status, 'waiting')
    const wake = (node: string) => service.post(`/api/v1/runs/${waits.id}/wake`, { node })
    problemOf(await wake('answer'), 409, 'not_waiting')
    assert.equal((await wake('later')).status, 200)
    assert.equal((await ended(service, waits.id)).status, 'succeeded')
    problemOf(await wake('later'), 409, 'not_waiting')

    const past = (await service.run(long.slug, '{"at":"2020-01-01"}')) as Waiting
    assert.deepEqual([past.status, past.error?.node, past.error?.code], ['failed', 'later', 'wait_in_past'])
    const refused = await service.post('/api/v1/flows', {
      name: 'Past',
      nodes: nodes({ until: '2020-01-01' }),
      edges
    })
    assert.match(problemOf(refused, 422, 'flow_invalid').errors![0]!.message, /in the past/)
  })
})

describe('what waits below a run that was cancelled', () => {
  it('takes no call and no answer, also where its flow has no place left', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const asked = await service.createFlow({
      name: 'Asked',
      nodes: [
        { id: 'webhook-1', type: 'webhook', fields: { concurrency: 1 } },
        { id: 'which', type: 'switch', fields: { value: '{which}', cases: ['busy'] } },
        { id: 'busy', type: 'call', fields: { url: outside.url() } },
        { id: 'ask', type: 'approve', fields: { question: 'Pay?' } },
        { id: 'call-1', type: 'wait-for-call' }
      ],
      edges: [
        edge('webhook-1.data', 'which.data'),
        edge('which.busy', 'busy.data'),
        edge('which.default', 'ask.data'),
        edge('which.default', 'call-1.data')
      ]
    })
    const { slug } = await service.createFlow({
      name: 'Asking',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'run-1', type: 'run-flow', fields: { flow: asked.slug } }
      ],
      edges: [edge('webhook-1.data', 'run-1.data')]
    })
    const events = await service.events(asked.id)
    const id = await service.start(slug, '{"which":"ask"}')
    await events.until(({ event }) => event === 'run.waiting')
    events.close()
    const [open] = await approvals(service, `?status=open&flow_id=${asked.id}`)
    const child = (await service.readRun(String(open!.run_id))) as Waiting
    await service.start(asked.slug, '{"which":"busy"}')
    const busy = await outside.next()

    assert.equal((await service.post(`/api/v1/runs/${id}/cancel`)).status, 200)
    const answer = await service.post(`/api/v1/approvals/${open!.id}`, { choice: 'Approve' })
    problemOf(answer, 409, 'approval_closed')
    const address = child.waiting.find(({ resume_url }) => typeof resume_url === 'string')!.resume_url
    const path = String(address).slice(service.address.length)
    problemOf(await service.post(path, {}, { key: null }), 410, 'wait_over')
    await eventually(async () => (await service.readRun(child.id)).status, 'cancelled')
    assert.deepEqual(await approvals(service, `?status=open&flow_id=${asked.id}`), [])
    busy.answer()
  })
})
