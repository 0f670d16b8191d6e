import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEvent, LiveEventName } from '../../../api/live-event.ts'
import type { RunStatus, RunSummary } from '../../../api/shapes.ts'
import {
  concernsChildren,
  countStates,
  inOrder,
  itemSought,
  nextCell,
  pageCount,
  questionOf,
  rangeWords
} from './strip-view.ts'

function child(index: number, status: RunStatus): RunSummary {
  return {
    id: `child-${index}`,
    flow_id: 'f',
    flow_version: 1,
    trigger: 'for-each',
    session: 's',
    status,
    created_at: '2026-01-01T00:00:00Z',
    started_at: null,
    finished_at: null,
    replay_of: null,
    parent: { run_id: 'parent', node: 'each-1', index },
    test: false,
    error: null,
    summary: ''
  }
}

describe('what a strip asks for', () => {
  it('is a range of places, of which none is further than another', () => {
    assert.deepEqual(questionOf({ text: ' ', state: '' }, 0), { from_index: 0, below_index: 500 })
    assert.deepEqual(questionOf({ text: '', state: '' }, 199), { from_index: 99_500, below_index: 100_000 })
  })

  it('is an item by its place, a text, a state', () => {
    assert.deepEqual(questionOf({ text: '#7', state: '' }, 3), { from_index: 7, below_index: 8 })
    assert.deepEqual(questionOf({ text: 'Ann', state: 'failed' }, 3), { q: 'Ann', status: 'failed' })
    assert.deepEqual(questionOf({ text: '', state: 'waiting' }, 3), { status: 'waiting' })
  })

  it('takes a number for text without its mark, and a mark without a number too', () => {
    assert.deepEqual(
      [itemSought('7'), itemSought('#'), itemSought('#x1'), itemSought(' # 12 ')],
      [undefined, undefined, undefined, 12]
    )
  })
})

describe('what a strip shows', () => {
  it('stands in the order of places, with how many are in which state', () => {
    const answer = [child(2, 'failed'), child(1, 'succeeded'), child(0, 'succeeded')]
    assert.deepEqual(
      inOrder(answer).map(({ id }) => id),
      ['child-0', 'child-1', 'child-2']
    )
  })

  it('counts all items by state, and those that go on where all are shown', () => {
    const counts = { succeeded: 2, failed: 1_000, cancelled: 0, open: 2 }
    const ended = [
      { state: 'succeeded', count: 2 },
      { state: 'failed', count: 1_000 }
    ]
    assert.deepEqual(countStates(counts, []), [{ state: 'open', count: 2 }, ...ended])
    const shown = [child(0, 'in progress'), child(1, 'waiting'), child(2, 'failed')]
    assert.deepEqual(countStates(counts, shown), [
      { state: 'in progress', count: 1 },
      { state: 'waiting', count: 1 },
      ...ended
    ])
    assert.deepEqual(countStates({ ...counts, open: 0 }, []), ended)
  })

  it('says which items they are', () => {
    assert.equal(rangeWords(0, 12_345), 'Items 0 to 499 of 12,345')
    assert.equal(rangeWords(24, 12_345), 'Items 12,000 to 12,344 of 12,345')
    assert.deepEqual([pageCount(0), pageCount(500), pageCount(501)], [1, 1, 2])
  })

  it('is walked through by keys, and left at no end', () => {
    const walk = (key: string, at: number) => nextCell(key, at, 25, 10)
    assert.deepEqual([walk('ArrowRight', 3), walk('ArrowLeft', 0), walk('ArrowRight', 24)], [4, 0, 24])
    assert.deepEqual([walk('ArrowDown', 3), walk('ArrowDown', 17), walk('ArrowUp', 13)], [13, 17, 3])
    assert.deepEqual([walk('Home', 9), walk('End', 9), walk('a', 9)], [0, 24, undefined])
  })
})

describe('what happens to children', () => {
  const event = (name: LiveEventName, run_id: string, more: object = {}): LiveEvent => ({
    name,
    data: { flow_id: 'f', run_id, ...more }
  })
  const concerns = (...events: LiveEvent[]) => concernsChildren(events, 'parent', new Set(['child-1']))

  it('is what happens to the run, to those that are shown and to new ones', () => {
    assert.ok(concerns(event('run.waiting', 'parent')))
    assert.ok(concerns(event('run.ended', 'child-1')))
    assert.ok(concerns(event('run.queued', 'child-9', { parent: { run_id: 'parent' } })))
  })

  it('is nothing of others, and no step', () => {
    assert.ok(!concerns(event('run.queued', 'other', { parent: { run_id: 'another' } })))
    assert.ok(!concerns(event('step.settled', 'child-1')))
    assert.ok(!concerns(event('run.ended', 'child-9')))
  })
})
