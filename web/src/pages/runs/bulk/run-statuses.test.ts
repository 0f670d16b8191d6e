import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEvent } from '../../../api/live-event.ts'
import { hasEnded, withAnswer, withEvents } from './run-statuses.ts'

const event = (name: LiveEvent['name'], run_id: string, facts = {}): LiveEvent => {
  return { name, data: { flow_id: 'flow', run_id, ...facts } }
}
const NOTHING = new Map()

describe('the states of started runs', () => {
  it('follow the events, the last of which holds', () => {
    const begun = withEvents(NOTHING, [event('run.queued', 'a'), event('run.started', 'a')], undefined)
    assert.deepEqual([...begun], [['a', 'in progress']])
    const ended = withEvents(begun, [event('run.ended', 'a', { status: 'failed' })], new Set(['a']))
    assert.deepEqual([...ended], [['a', 'failed']])
  })

  it('are taken of any run until it is known which were started, then of those alone', () => {
    const events = [event('run.queued', 'a'), event('run.queued', 'b')]
    assert.equal(withEvents(NOTHING, events, undefined).size, 2)
    assert.deepEqual([...withEvents(NOTHING, events, new Set(['b'])).keys()], ['b'])
  })

  it('stay the same object while nothing is told of them', () => {
    const known = withEvents(NOTHING, [event('run.queued', 'a')], undefined)
    assert.equal(withEvents(known, [event('step.started', 'a'), event('flow.saved', '')], undefined), known)
    assert.equal(withEvents(known, [event('run.started', 'b')], new Set(['a'])), known)
  })

  it('are read where events were missed, unless one has come since', () => {
    const known = withEvents(NOTHING, [event('run.started', 'a')], undefined)
    const answer = { id: 'a', status: 'failed', before: 'in progress' } as const
    assert.equal(withAnswer(known, answer).get('a'), 'failed')
    const newer = withEvents(known, [event('run.ended', 'a', { status: 'succeeded' })], undefined)
    assert.equal(withAnswer(newer, answer).get('a'), 'succeeded')
  })

  it('are final once a run has ended', () => {
    assert.ok(hasEnded('failed') && hasEnded('succeeded') && hasEnded('cancelled'))
    assert.ok(!hasEnded('queued') && !hasEnded('in progress') && !hasEnded(undefined))
  })
})
