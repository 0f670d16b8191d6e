import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '../../api/messages.ts'
import { dayWords, timelineOf } from './timeline.ts'
import { turnOf } from './turns.ts'

function message(id: string, created_at: string): Message {
  return { id, session: 'default', sender: 'Machine', text: id, run_id: 'r', created_at }
}

function failed(id: string, finished_at: string) {
  return turnOf({
    id,
    flow_id: 'f',
    flow_version: 1,
    trigger: 'chat',
    session: 'default',
    status: 'failed',
    created_at: finished_at,
    started_at: finished_at,
    finished_at,
    replay_of: null,
    parent: null,
    summary: '',
    test: false,
    error: { node: 'n', code: 'x', message: 'It broke.' }
  })
}

// Local times: the day of a moment is the reader's.
const at = (day: number, hour: number) => new Date(2026, 0, day, hour).toISOString()
const keys = (items: readonly { key: string }[]) => items.map(({ key }) => key)

describe('the timeline', () => {
  it('puts failed runs between the messages, under the day of each', () => {
    const items = timelineOf(
      [message('a', at(1, 9)), message('b', at(2, 9))],
      [failed('r1', at(1, 10))],
      true
    )
    assert.deepEqual(keys(items), ['day-2026-01-01', 'a', 'failed-r1', 'day-2026-01-02', 'b'])
  })

  it('puts a failed run after the message that it printed in the same moment', () => {
    const items = timelineOf([message('a', at(1, 9))], [failed('r1', at(1, 9))], true)
    assert.deepEqual(keys(items), ['day-2026-01-01', 'a', 'failed-r1'])
  })

  it('leaves failed runs of the part that is not shown to that part', () => {
    const messages = [message('a', at(2, 9))]
    assert.deepEqual(keys(timelineOf(messages, [failed('r1', at(1, 9))], false)), ['day-2026-01-02', 'a'])
    assert.deepEqual(keys(timelineOf([], [failed('r1', at(1, 9))], false)), ['day-2026-01-01', 'failed-r1'])
  })

  it('names the days as people do', () => {
    assert.equal(dayWords('2026-03-01', '2026-03-01'), 'Today')
    assert.equal(dayWords('2026-02-28', '2026-03-01'), 'Yesterday')
    assert.match(dayWords('2026-02-27', '2026-03-01'), /27/)
  })
})
