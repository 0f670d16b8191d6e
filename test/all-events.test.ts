import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Clock, systemClock } from '../src/clock.ts'
import { problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow, ORDER, ordersFlow } from './support/documents.ts'
import type { EventReader, SentEvent } from './support/event-reader.ts'
import { startService } from './support/service.ts'

const BEGINNING = '0.0'
const BODY = JSON.stringify(ORDER)

const isEndOf =
  (runId: string) =>
  ({ event, data }: SentEvent) =>
    event === 'run.ended' && data.run_id === runId

const told = (events: readonly SentEvent[]) => events.map(({ event, data }) => `${event} ${data.flow_id}`)

async function flowsOf(events: EventReader, runId: string): Promise<unknown[]> {
  const read = await events.until(isEndOf(runId))
  return [...new Set(read.map(({ data }) => data.flow_id))]
}

describe('events of all flows', () => {
  it('tell the runs of every flow as its own stream does, each with its flow', async (t) => {
    const service = await startService(t)
    const [mine, other] = [
      await service.createFlow(ordersFlow({ name: 'Mine' })),
      await service.createFlow(ordersFlow({ name: 'Other' }))
    ]
    const [all, ofMine] = [await service.allEvents(), await service.events(mine.id)]
    const first = await service.start(mine.slug, BODY)
    const firstRun = await all.until(isEndOf(first))
    assert.deepEqual(firstRun, await ofMine.until(isEndOf(first)))
    for (const { data } of firstRun) assert.deepEqual([data.flow_id, data.run_id], [mine.id, first])
    const second = await service.start(other.slug, BODY)
    const secondRun = await all.until(isEndOf(second))
    assert.ok(secondRun.every(({ data }) => data.flow_id === other.id))
  })

  it('go on after any event without gap or double, also over a restart', async (t) => {
    const service = await startService(t)
    const flows = [
      await service.createFlow(ordersFlow({ name: 'A' })),
      await service.createFlow(ordersFlow({ name: 'B' }))
    ]
    const live = await service.allEvents()
    for (const { slug } of flows) await service.run(slug, BODY)
    const last = await service.start(flows[0]!.slug)
    const all = await live.until(isEndOf(last))
    assert.deepEqual(await (await service.allEvents({ lastEventId: BEGINNING })).until(isEndOf(last)), all)
    await service.stop()
    const again = await startService(t, { home: service.home })
    for (const [index, { id }] of all.entries()) {
      if (index === all.length - 1) break
      const events = await again.allEvents({ lastEventId: id })
      assert.deepEqual(await events.until(isEndOf(last)), all.slice(index + 1), `after ${id}`)
      events.close()
    }
  })

  it('tell of flows that are saved, deleted and brought back', async (t) => {
    const service = await startService(t)
    const events = await service.allEvents()
    const flow = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const { event, id, data } = await events.next()
    assert.deepEqual([event, id], ['flow.saved', ''])
    assert.deepEqual(data, {
      flow_id: flow.id,
      name: 'Mine',
      slug: 'mine',
      context: '/',
      version: 1,
      updated_at: flow.updated_at
    })
    await service.saveFlow(flow, { name: 'Renamed' })
    const saved = await events.next()
    assert.deepEqual([saved.event, saved.data.name, saved.data.version], ['flow.saved', 'Renamed', 2])
    await service.request('DELETE', `/api/v1/flows/${flow.id}`)
    const deleted = await events.next()
    assert.deepEqual([deleted.event, deleted.data], ['flow.deleted', { flow_id: flow.id }])
    const run = await service.start('orders')
    assert.equal((await events.until(isEndOf(run)))[0]!.event, 'run.queued', 'and then of runs again')
  })

  it('are those that the key may read: of one flow', async (t) => {
    const service = await startService(t)
    const [mine, other] = [
      await service.createFlow(ordersFlow({ name: 'Mine' })),
      await service.createFlow(ordersFlow({ name: 'Other' }))
    ]
    const { key } = await service.createKey({ rights: ['read'], flow: mine.id })
    const [live, resumed] = [
      await service.allEvents({ key }),
      await service.allEvents({ key, lastEventId: BEGINNING })
    ]
    await service.run(other.slug, BODY)
    await service.saveFlow(other, { name: 'Renamed' })
    const run = await service.start(mine.slug, BODY)
    for (const events of [live, resumed, await service.allEvents({ key, lastEventId: BEGINNING })]) {
      assert.deepEqual(await flowsOf(events, run), [mine.id])
    }
  })

  it('are those that the key may read: of a context, as flows come and go', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    await makeContext(service, '/other')
    const flow = await service.createFlow(ordersFlow({ name: 'Mine', context: '/sales' }))
    const { key } = await service.createKey({ rights: ['read'], context: '/sales' })
    const events = await service.allEvents({ key })
    const first = await service.start(flow.slug, BODY)
    assert.deepEqual(await flowsOf(events, first), [flow.id])
    const late = await service.createFlow(ordersFlow({ name: 'Late', context: '/sales' }))
    const moved = await service.saveFlow(flow, { context: '/other' })
    await service.run(flow.slug, BODY)
    await service.saveFlow(moved, { context: '/sales' })
    const last = await service.start(late.slug, BODY)
    const read = await events.until(isEndOf(last))
    assert.deepEqual(told(read).slice(0, 4), [
      `flow.saved ${late.id}`,
      `flow.deleted ${flow.id}`,
      `flow.saved ${flow.id}`,
      `run.queued ${late.id}`
    ])
  })

  it('are for keys that may read, and for GET', async (t) => {
    const service = await startService(t)
    const { key } = await service.createKey({ rights: ['trigger', 'write', 'admin'] })
    problemOf(await service.get('/api/v1/events', { key }), 403, 'forbidden')
    problemOf(await service.get('/api/v1/events', { key: null }), 401, 'unauthorized')
    assert.equal((await service.request('HEAD', '/api/v1/events')).status, 405)
  })

  it('miss nothing for a reader that is slower than they come, and tell it of the last save', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(anythingFlow())
    const reader = await service.allEvents()
    const body = JSON.stringify('x'.repeat(60_000))
    const options = { headers: { prefer: 'wait=60' } }
    const ids = await Promise.all(Array.from({ length: 120 }, () => service.start(flow.slug, body, options)))
    let latest = flow
    for (let n = 0; n < 20; n++) latest = await service.saveFlow(latest, { name: `Name ${n}` })
    const last = await service.start(flow.slug)
    const read = await reader.until(isEndOf(last))
    const ended = read.filter(({ event }) => event === 'run.ended').map(({ data }) => data.run_id)
    assert.deepEqual(ended.toSorted(), [...ids, last].toSorted())
    const saves = read.filter(({ event }) => event === 'flow.saved')
    assert.equal(saves.at(-1)!.data.version, latest.version)
    assert.ok(saves.length < 20, `${saves.length} saves were kept for it`)
  })
})

describe('a stream of events', () => {
  it('ends when its key is revoked, and tells nothing after', async (t) => {
    const service = await startService(t)
    const { key, id } = await service.createKey({ rights: ['read'] })
    const streams = [await service.allEvents({ key }), await service.events('orders', { key })]
    const kept = await service.allEvents()
    await service.request('DELETE', `/api/v1/keys/${id}`)
    const run = await service.start('orders')
    for (const stream of streams) assert.deepEqual(await stream.rest(), [])
    await kept.until(isEndOf(run))
  })

  it('ends when its key expires', async (t) => {
    const real = systemClock()
    // It stands still, or the time that is left depended on how long the streams took to open.
    let now = Date.now()
    const timers = new Set<() => void>()
    const startTimer: Clock['startTimer'] = (ms, then) => {
      if (ms !== 10_000) return real.startTimer(ms, then)
      timers.add(then)
      return { stop: () => void timers.delete(then) }
    }
    const service = await startService(t, { clock: { ...real, now: () => now, startTimer } })
    const expires_at = new Date(now + 10_000).toISOString()
    const { key } = await service.createKey({ rights: ['read'], expires_at })
    const streams = [await service.allEvents({ key }), await service.events('orders', { key })]
    assert.equal(timers.size, 2)
    now += 10_001
    for (const fire of [...timers]) fire()
    for (const stream of streams) assert.deepEqual(await stream.rest(), [])
  })

  it('of one flow tells nothing any more to a key that no longer sees the flow', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    const flow = await service.createFlow(ordersFlow({ name: 'Mine', context: '/sales' }))
    const { key } = await service.createKey({ rights: ['read'], context: '/sales' })
    const [bound, unbound] = [await service.events(flow.id, { key }), await service.events(flow.id)]
    const moved = await service.saveFlow(flow, { context: '/' })
    const hidden = await service.start(flow.slug, BODY)
    await unbound.until(isEndOf(hidden))
    await service.saveFlow(moved, { context: '/sales' })
    const seen = await service.start(flow.slug, BODY)
    assert.equal((await bound.next()).data.run_id, seen)
  })
})
