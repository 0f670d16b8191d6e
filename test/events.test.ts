import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { anythingFlow, callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { type EventReader, openEvents, type SentEvent } from './support/event-reader.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile()

const BEGINNING = '0.0'

describe('live events', () => {
  it('tell a run from its acceptance to its end, in order', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const events = await service.events(flow.slug)
    const id = await service.start(flow.slug, JSON.stringify(ORDER))
    const told = await events.until(isEndOf(id))
    assert.deepEqual(
      told.map(({ event }) => event),
      ['run.queued', 'run.started', 'step.settled', 'step.settled', 'step.settled', 'message', 'run.ended']
    )
    assertGrowingIds(told)
    for (const { data } of told) assert.equal(data.run_id, id)
    const settled = told.filter(({ event }) => event === 'step.settled')
    assert.deepEqual(
      settled.map(({ data }) => (data.step as { node: string }).node),
      ['webhook-1', 'parser-1', 'chat-output-1']
    )
    assert.deepEqual((settled[1]!.data.step as { outputs: unknown }).outputs, {
      parsed_text: 'Order 7 from Ann'
    })
    assert.equal(told.find(({ event }) => event === 'message')!.data.text, 'Order 7 from Ann')
    assert.equal(told[0]!.data.status, 'queued')
    assert.equal(told.at(-1)!.data.status, 'succeeded')
  })

  it('tell an external step when it begins, waits and settles', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: outside.calls.length === 1 ? 503 : 200 }))
    const flow = await service.createFlow(
      callFlow(outside.url(), { call: { retry: { attempts: 2, backoff_ms: 1 } } })
    )
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug)
    const told = await events.until(isEndOf(id))
    const ofCall = told
      .filter(({ data }) => data.node === 'call-1' || (data.step as { node?: string })?.node === 'call-1')
      .map(({ event, data }) => `${event} ${data.attempt ?? data.attempts ?? ''}`.trim())
    // A step that is settled at a checkpoint is told again at the end of its run.
    assert.deepEqual(
      [...new Set(ofCall)],
      ['step.started 1', 'step.waiting 1', 'step.started 2', 'step.settled']
    )
    assertGrowingIds(told)
    assert.equal(told.at(-1)!.data.status, 'succeeded')
  })

  it('tell a failed run, and that it is taken up again', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const events = await service.events(flow.id)
    const { id } = await service.run(flow.slug, '{}')
    const told = await events.until(isEndOf(id))
    assert.equal(told.at(-1)!.data.status, 'failed')
    assert.equal((told.at(-1)!.data.error as { node: string }).node, 'parser-1')
    await service.post(`/api/v1/runs/${id}/retry`)
    const again = await events.until(isEndOf(id))
    assert.equal(again[0]!.event, 'run.queued')
    assert.equal(again.at(-1)!.data.status, 'failed')
    assertGrowingIds([...told, ...again])
  })

  it('are of one flow only, and begin now where nothing else is asked for', async (t) => {
    const service = await shared(t)
    const [mine, other] = [
      await service.createFlow(ordersFlow({ name: 'Mine' })),
      await service.createFlow(ordersFlow({ name: 'Other' }))
    ]
    await service.run(mine.slug)
    for (const lastEventId of [undefined, '', 'garbage', '999999999.0', '-1', '1', '9'.repeat(40)]) {
      const events = await service.events(mine.id, lastEventId === undefined ? {} : { lastEventId })
      await service.run(other.slug)
      const id = await service.start(mine.slug)
      const first = await events.next()
      assert.deepEqual([first.event, first.data.run_id], ['run.queued', id], `Last-Event-ID: ${lastEventId}`)
      await events.until(({ event }) => event === 'run.ended')
      events.close()
    }
  })

  it('go on after any event, in the middle of a run too, without gap or double', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ body: { n: 1 } }))
    const flow = await service.createFlow(callFlow(outside.url()))
    const live = await service.events(flow.id)
    await service.run(flow.slug)
    const last = await service.start(flow.slug, '[1.10]')
    const all = await readTo(live, last)
    assertGrowingIds(all)
    const replayed = await readTo(await service.events(flow.id, { lastEventId: BEGINNING }), last)
    assert.deepEqual(replayed, all, 'what is read again is what was sent live')
    for (const [index, { id }] of all.entries()) {
      const expected = all.slice(index + 1)
      const events = await service.events(flow.id, { lastEventId: id })
      const got: SentEvent[] = []
      while (got.length < expected.length) got.push(await events.next())
      assert.deepEqual(got, expected, `after ${id}`)
      events.close()
    }
    const events = await service.events(flow.id, { lastEventId: all.at(-1)!.id })
    const next = await service.start(flow.slug)
    assert.equal((await events.next()).data.run_id, next, 'after the last event comes the next run')
  })

  it('may be resumed by a query, for clients that cannot set headers', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const { id } = await service.run(flow.slug)
    const url = `${service.address}/api/v1/flows/${flow.id}/events?last_event_id=${BEGINNING}`
    const events = await openEvents(t, url, { 'x-api-key': service.key })
    assert.equal((await events.next()).data.run_id, id)
  })

  it('go on across a restart of the service', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const first = await service.start(flow.slug)
    const events = await service.events(flow.id, { lastEventId: BEGINNING })
    const before = await readTo(events, first)
    const [heard, unheard] = [before.slice(0, 3), before.slice(3)]
    await service.stop()
    assert.deepEqual(await events.rest(), [], 'the service ended the stream')
    const again = await startService(t, { home: service.home })
    const second = await again.start(flow.slug)
    const resumed = await readTo(await again.events(flow.id, { lastEventId: heard.at(-1)!.id }), second)
    assert.deepEqual(resumed.slice(0, unheard.length), unheard)
    assert.equal(resumed[unheard.length]!.data.run_id, second)
    assertGrowingIds([...heard, ...resumed])
  })

  it('miss nothing for a reader that is slower than they come', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const { reader, ids } = await startSlowReader(service, flow.id, flow.slug)
    const last = await service.start(flow.slug)
    const told = await readTo(reader, last)
    const ended = told.filter(({ event }) => event === 'run.ended').map(({ data }) => data.run_id)
    const queued = told.filter(({ event }) => event === 'run.queued').map(({ data }) => data.run_id)
    assert.deepEqual(ended.toSorted(), [...ids, last].toSorted())
    assert.deepEqual(queued.toSorted(), [...ids, last].toSorted())
    assertGrowingIds(told)
  })

  it('leave out what is too large for an event, and say so', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug, JSON.stringify('x'.repeat(100_000)))
    const told = await events.until(isEndOf(id))
    const step = told
      .map(({ data }) => data.step as Record<string, unknown>)
      .find((one) => one?.node === 'parser-1')
    assert.equal(step!.outputs, null)
    assert.equal(step!.outputs_omitted, true)
    const run = await service.readRun(id)
    assert.equal((run.steps[1]!.outputs!.parsed_text as string).length, 100_000)
  })

  it('are for those who see the flow, and for GET', async (t) => {
    const service = await shared(t)
    const path = '/api/v1/flows/orders/events'
    problemOf(await service.get('/api/v1/flows/absent/events'), 404, 'flow_not_found')
    problemOf(await service.get(path, { key: null }), 401, 'unauthorized')
    assert.equal((await service.request('HEAD', path)).status, 405)
    problemOf(await service.post(path), 405, 'method_not_allowed')
  })

  it('end when the service stops, and do not hold it back', async (t) => {
    const service = await startService(t)
    const streams = await Promise.all([1, 2, 3].map(() => service.events('orders')))
    await service.stop()
    for (const stream of streams) assert.deepEqual(await stream.rest(), [])
  })
})

function isEndOf(runId: string): (event: SentEvent) => boolean {
  return ({ event, data }) => event === 'run.ended' && data.run_id === runId
}

function readTo(events: EventReader, runId: string): Promise<SentEvent[]> {
  return events.until(isEndOf(runId))
}

/** `<number>.<number>`, each greater than the one before. */
function assertGrowingIds(events: readonly SentEvent[]): void {
  const places = events.map(({ id }) => {
    assert.match(id, /^\d+\.\d+$/)
    return id.split('.').map(Number) as [number, number]
  })
  places.slice(1).forEach(([no, index], at) => {
    const [noBefore, indexBefore] = places[at]!
    const isGreater = no > noBefore || (no === noBefore && index > indexBefore)
    assert.ok(isGreater, `${events[at + 1]!.id} comes after ${events[at]!.id}`)
  })
}

/** A reader that takes nothing while more happens than the connection holds. */
async function startSlowReader(service: ApiClient, flowId: string, slug: string) {
  const reader = await service.events(flowId)
  const body = JSON.stringify('x'.repeat(60_000))
  const options = { headers: { prefer: 'wait=60' } }
  const ids = await Promise.all(Array.from({ length: 120 }, () => service.start(slug, body, options)))
  return { reader, ids }
}
