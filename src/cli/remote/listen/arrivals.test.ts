import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Arrivals } from './arrivals.ts'

const run = (no: number, more: object = {}) => ({
  id: `run-${no}`,
  trigger: 'webhook',
  created_at: `2026-01-31T12:00:00.00${no}Z`,
  ...more
})

const queued = (no: number, more: object = {}) => {
  const { id, ...data } = run(no, more)
  return { kind: 'event', id: `${no}.0`, event: 'run.queued', data: { run_id: id, ...data } } as const
}

describe('Arrivals', () => {
  it('hands each request on once, whether events or the list tell of it', () => {
    const arrivals = new Arrivals()
    arrivals.pass(run(1))
    assert.equal(arrivals.isNewEvent(queued(1)), false)
    assert.equal(arrivals.isNewEvent(queued(2)), true)
    assert.equal(arrivals.isNew(run(2)), false)
    assert.equal(arrivals.isNew(run(3)), true)
    assert.equal(arrivals.isNewEvent(queued(3)), false)
    assert.equal(arrivals.since, '2026-01-31T12:00:00.003Z')
  })

  it('takes no tests, no runs that somebody else started, and none that is queued again', () => {
    const arrivals = new Arrivals()
    assert.equal(arrivals.isNewEvent(queued(1, { trigger: 'schedule' })), false)
    assert.equal(arrivals.isNewEvent(queued(1, { test: true })), false)
    assert.equal(arrivals.isNewEvent(queued(1, { created_at: undefined })), false)
    assert.equal(arrivals.isNewEvent({ ...queued(1), event: 'run.ended' }), false)
  })
})
