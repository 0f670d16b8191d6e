import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEvent, LiveEventName } from './live-event.ts'
import { RecentEvents } from './recent-events.ts'
import { withRunEvents } from './recent-runs.ts'
import type { ListedFlow } from './shapes.ts'

const flow = (id: string): ListedFlow => ({
  id,
  name: id,
  slug: id,
  context: '/',
  version: 1,
  nodes: [],
  edges: [],
  created_at: '',
  updated_at: '',
  recent_runs: []
})

const event = (name: LiveEventName, run_id: string, data: object = {}): LiveEvent => ({
  name,
  data: { flow_id: 'a', run_id, ...data }
})
const queued = (id: string) =>
  event('run.queued', id, { status: 'queued', created_at: `2026-01-01T00:00:0${id}Z` })
const started = (id: string) => event('run.started', id, { status: 'in progress' })
const ended = (id: string, status: string) =>
  event('run.ended', id, {
    status,
    started_at: '2026-01-01T00:00:00.000Z',
    finished_at: '2026-01-01T00:00:00.250Z'
  })

const statuses = (flows: readonly ListedFlow[]) =>
  flows.map(({ recent_runs = [] }) => recent_runs.map((run) => `${run.id} ${run.status} ${run.duration_ms}`))

describe('withRunEvents', () => {
  it('takes a run from its beginning to its end', () => {
    let flows: ListedFlow[] = [flow('a'), flow('b')]
    flows = withRunEvents(flows, [queued('1')])
    assert.deepEqual(statuses(flows), [['1 queued null'], []])
    flows = withRunEvents(flows, [started('1'), queued('2')])
    assert.deepEqual(statuses(flows), [['2 queued null', '1 in progress null'], []])
    flows = withRunEvents(flows, [event('run.waiting', '1', { status: 'waiting' })])
    assert.deepEqual(statuses(flows), [['2 queued null', '1 waiting null'], []])
    flows = withRunEvents(flows, [ended('1', 'failed')])
    assert.deepEqual(statuses(flows), [['2 queued null', '1 failed 250'], []])
  })

  it('leaves flows alone that nothing happened to', () => {
    const flows = [flow('a'), flow('b')]
    const after = withRunEvents(flows, [queued('1')])
    assert.notEqual(after[0], flows[0])
    assert.equal(after[1], flows[1])
    assert.equal(withRunEvents(flows, [event('step.settled', '1')])[0], flows[0])
  })

  it('comes to the same end when events are applied a second time', () => {
    const events = [queued('1'), started('1'), ended('1', 'succeeded'), queued('2')]
    const once = withRunEvents([flow('a')], events)
    assert.deepEqual(statuses(withRunEvents(once, events)), statuses(once))
  })

  it('leaves tests and items of a For each out, as the service does', () => {
    for (const why of [{ test: true }, { parent: { run_id: '0', node: 'each-1', index: 0 } }]) {
      const left = event('run.queued', '1', {
        status: 'queued',
        created_at: '2026-01-01T00:00:00Z',
        ...why
      })
      assert.deepEqual(statuses(withRunEvents([flow('a')], [left, ended('1', 'failed')])), [[]])
    }
  })

  it('keeps no more than the strip shows', () => {
    const many = Array.from({ length: 50 }, (_, index) => queued(String(index)))
    assert.equal(withRunEvents([flow('a')], many)[0]?.recent_runs?.length, 20)
  })
})

describe('RecentEvents', () => {
  it('gives what came at or after a time, and forgets what is old', () => {
    const recent = new RecentEvents()
    recent.add([queued('1')], 1_000)
    recent.add([queued('2')], 2_000)
    assert.deepEqual(recent.since(1_500), [queued('2')])
    recent.add([queued('3')], 16_500)
    assert.deepEqual(recent.since(0), [queued('2'), queued('3')])
  })
})
