import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEvent, LiveEventName } from '../../api/live-event.ts'
import type { RunSummary } from '../../api/shapes.ts'
import { type Turns, turnsOfSession, withTurnEvents } from './turns.ts'

const NOON = '2026-01-01T12:00:00.000Z'

function event(name: LiveEventName, run: string, more: object = {}, flow = 'f'): LiveEvent {
  return { name, data: { flow_id: flow, run_id: run, ...more } }
}

const queued = (run: string, session = 'default') =>
  event('run.queued', run, { status: 'queued', session, created_at: NOON })
const started = (run: string) => event('run.started', run, { status: 'in progress', started_at: NOON })
const ended = (run: string, status: string, message?: string) =>
  event('run.ended', run, {
    status,
    finished_at: NOON,
    error: message === undefined ? null : { node: 'parser-1', code: 'x', message }
  })

function after(...events: LiveEvent[]): Turns {
  return withTurnEvents(new Map(), events, 'f')
}

function run(id: string, more: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    flow_id: 'f',
    flow_version: 1,
    trigger: 'chat',
    session: 'default',
    status: 'failed',
    created_at: NOON,
    started_at: NOON,
    finished_at: NOON,
    replay_of: null,
    parent: null,
    summary: '',
    test: false,
    error: { node: 'parser-1', code: 'x', message: 'It broke.' },
    ...more
  }
}

function ofSession(turns: Turns, session = 'default', fetched: RunSummary[] = []) {
  const { open, failed } = turnsOfSession(fetched, turns, session)
  return { open: open.map(({ runId }) => runId), failed: failed.map(({ runId }) => runId) }
}

describe('turns', () => {
  it('are open from the moment they are accepted until they end', () => {
    assert.deepEqual(ofSession(after(queued('1'))), { open: ['1'], failed: [] })
    assert.deepEqual(ofSession(after(queued('1'), started('1'))), { open: ['1'], failed: [] })
    assert.deepEqual(ofSession(after(queued('1'), started('1'), ended('1', 'succeeded'))), {
      open: [],
      failed: []
    })
  })

  it('stay when they fail or are cancelled, with what was wrong', () => {
    const turns = after(queued('1'), queued('2'), ended('2', 'cancelled'), ended('1', 'failed', 'It broke.'))
    assert.deepEqual(ofSession(turns), { open: [], failed: ['1', '2'] })
    assert.equal(turns.get('1')!.error!.message, 'It broke.')
  })

  it('belong to their session and their flow', () => {
    const turns = withTurnEvents(after(queued('1', 'ann')), [event('run.queued', '2', {}, 'another')], 'f')
    assert.deepEqual(ofSession(turns), { open: [], failed: [] })
    assert.deepEqual(ofSession(turns, 'ann'), { open: ['1'], failed: [] })
  })

  it('go on when they are taken up again', () => {
    const again = event('run.queued', '1', { status: 'queued' })
    const turns = after(queued('1', 'ann'), ended('1', 'failed', 'It broke.'), again)
    assert.deepEqual(ofSession(turns, 'ann'), { open: ['1'], failed: [] })
    assert.equal(turns.get('1')!.error, null)
  })

  it('tell what they wait for', () => {
    const waiting = event('step.waiting', '1', {
      node: 'call-1',
      attempts: 1,
      until: NOON,
      error: { code: 'x', message: 'Refused.' }
    })
    const turns = after(queued('1'), started('1'), waiting)
    assert.deepEqual(turns.get('1')!.waiting, { node: 'call-1', until: NOON, message: 'Refused.' })
    const asks = event('step.waiting', '2', {
      node: 'ask',
      attempts: 1,
      until: null,
      error: null,
      for: 'answer'
    })
    const isParked = event('run.waiting', '2', { status: 'waiting' })
    const parked = after(queued('2'), started('2'), asks, isParked)
    assert.deepEqual(parked.get('2')!.waiting, { node: 'ask', until: null, message: '', for: 'answer' })
    // Another branch goes on meanwhile.
    const beside = after(queued('2'), started('2'), asks, started('2'), isParked)
    assert.deepEqual(beside.get('2'), parked.get('2'))
    const answered = event('step.settled', '2', { step: { node: 'ask', status: 'succeeded' } })
    assert.equal(after(queued('2'), started('2'), asks, isParked, answered).get('2')!.waiting, null)
    assert.deepEqual(ofSession(parked), { open: ['2'], failed: [] })
    const resumed = withTurnEvents(turns, [event('step.started', '1', { node: 'call-1', attempt: 2 })], 'f')
    assert.equal(resumed.get('1')!.waiting, null)
  })

  it('that were fetched give way to what was received, which borrows the session', () => {
    const fetched = [
      run('1', { session: 'ann' }),
      run('2', { session: 'ann', status: 'succeeded', error: null })
    ]
    assert.deepEqual(ofSession(new Map(), 'ann', fetched), { open: [], failed: ['1'] })
    assert.deepEqual(ofSession(after(started('1')), 'ann', fetched), { open: ['1'], failed: [] })
  })

  it('are bounded, those that ended well first', () => {
    const many = Array.from({ length: 300 }, (_, no) => String(1000 + no))
    const turns = after(
      queued('0001'),
      ended('0001', 'failed', 'It broke.'),
      ...many.flatMap((id) => [queued(id), ended(id, 'succeeded')])
    )
    assert.equal(turns.size, 200)
    assert.deepEqual(ofSession(turns).failed, ['0001'])
  })
})
