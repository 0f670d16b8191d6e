import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEvent, LiveEventName } from '../../../api/live-event.ts'
import type { Run } from '../../../api/shapes.ts'
import type { ShownRun } from '../editor-context.ts'
import { followEvents, hasEnded, shownRun } from './shown-run.ts'

function event(name: LiveEventName, run: string, data: Record<string, unknown> = {}): LiveEvent {
  return { name, data: { flow_id: 'f', run_id: run, ...data } }
}

function queued(run: string): LiveEvent {
  return event('run.queued', run, { status: 'queued', flow_version: 2, created_at: '2026-01-01T00:00:00Z' })
}

function settled(
  run: string,
  node: string,
  status = 'succeeded',
  outputs: unknown = { text: 'hi' }
): LiveEvent {
  const step = {
    node,
    type: 'parser',
    status,
    attempts: 1,
    started_at: null,
    duration_ms: 1,
    outputs,
    error: null
  }
  return event('step.settled', run, { step })
}

function follow(events: readonly LiveEvent[], shown?: ShownRun, chosen?: string): ShownRun | undefined {
  return followEvents(shown, events, chosen)
}

describe('the run on the canvas', () => {
  it('is followed from its acceptance to its end', () => {
    const run = follow([
      queued('r1'),
      event('run.started', 'r1', { status: 'in progress' }),
      event('step.started', 'r1', { node: 'call-1', attempt: 1 })
    ])
    assert.equal(run?.status, 'in progress')
    assert.equal(run?.steps.get('call-1')?.status, 'in progress')
    assert.equal(follow([event('run.waiting', 'r1', { status: 'waiting' })], run)?.status, 'waiting')
    const ended = follow(
      [settled('r1', 'call-1'), event('run.ended', 'r1', { status: 'succeeded', error: null })],
      run
    )
    assert.equal(ended?.status, 'succeeded')
    assert.deepEqual(ended?.steps.get('call-1')?.outputs, { text: 'hi' })
    assert.ok(hasEnded(ended!))
    assert.equal(ended?.isTest, false)
  })

  it('stays while the items of its For each run', () => {
    const item = queued('r2')
    const parent = { run_id: 'r1', node: 'each-1', index: 0 }
    const run = follow([queued('r1'), { ...item, data: { ...item.data, parent } }, settled('r1', 'each-1')])
    assert.equal(run?.id, 'r1')
    assert.equal(run?.steps.get('each-1')?.status, 'succeeded')
  })

  it('knows a test, and how long it took', () => {
    const times = { started_at: '2026-01-01T00:00:01Z', finished_at: '2026-01-01T00:00:02Z' }
    const test = { ...queued('r1'), data: { ...queued('r1').data, test: true } }
    const run = follow([test, event('run.ended', 'r1', { status: 'succeeded', error: null, ...times })])
    assert.deepEqual([run?.isTest, run?.startedAt, run?.finishedAt], [true, ...Object.values(times)])
  })

  it('is the newest one', () => {
    const run = follow([
      queued('r1'),
      settled('r1', 'a'),
      queued('r2'),
      settled('r2', 'b'),
      settled('r1', 'c')
    ])
    assert.equal(run?.id, 'r2')
    assert.deepEqual([...run!.steps.keys()], ['b'])
  })

  it('stays the one that was chosen', () => {
    const first = follow([queued('r1')])
    const run = follow([queued('r2'), settled('r2', 'b'), settled('r1', 'a')], first, 'r1')
    assert.equal(run?.id, 'r1')
    assert.deepEqual([...run!.steps.keys()], ['a'])
  })

  it('keeps its steps when it is retried', () => {
    const failed = follow([
      queued('r1'),
      settled('r1', 'a'),
      event('run.ended', 'r1', { status: 'failed', error: null })
    ])
    const again = follow([event('run.queued', 'r1', { status: 'queued' })], failed)
    assert.equal(again?.status, 'queued')
    assert.ok(again?.steps.has('a'))
  })

  it('keeps outputs that an event left out', () => {
    const run = follow([queued('r1'), settled('r1', 'a')])
    const told = follow([settled('r1', 'a', 'succeeded', null)], run)
    assert.deepEqual(told?.steps.get('a')?.outputs, { text: 'hi' })
    assert.equal(told?.steps.get('a'), run?.steps.get('a'))
  })

  it('is not begun by events of a run that nobody knows', () => {
    assert.equal(follow([settled('r9', 'a')]), undefined)
  })

  it('has its For each as begun with it, where an item was chosen', () => {
    const parent = { run_id: 'r1', node: 'each-1', index: 7 }
    const steps = [{ node: 'each-1', status: 'not reached', outputs: null }]
    const item = { id: 'r2', trigger: 'for-each', status: 'failed', error: null, parent, input: 'A', steps }
    const { status, given } = shownRun(item as unknown as Run).steps.get('each-1')!
    assert.deepEqual([status, given], ['failed', { item: 'A', index: 7 }])
  })

  it('waits between attempts', () => {
    const error = { code: 'x', message: 'no' }
    const run = follow([queued('r1'), event('step.waiting', 'r1', { node: 'a', attempts: 2, error })])
    assert.deepEqual(run?.steps.get('a'), {
      node: 'a',
      status: 'waiting',
      attempts: 2,
      duration_ms: null,
      outputs: null,
      error
    })
  })
})
