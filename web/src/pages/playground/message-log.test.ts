import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '../../api/messages.ts'
import {
  isApart,
  joined,
  MOST_KEPT,
  messagesOf,
  NOTHING_RECEIVED,
  windowOf,
  withReceived
} from './message-log.ts'

function message(no: number, session = 'default'): Message {
  const created_at = new Date(Date.UTC(2026, 0, 1) + no * 1000).toISOString()
  return { id: `m${no}`, session, sender: 'Machine', text: `text ${no}`, run_id: `r${no}`, created_at }
}

function messages(from: number, to: number): Message[] {
  return Array.from({ length: to - from }, (_, index) => message(from + index))
}

const ids = (list: readonly Message[]) => list.map(({ id }) => id)

describe('what is received', () => {
  it('is kept by session, each message once', () => {
    const first = withReceived(new Map(), [message(1), message(2, 'ann'), message(1)])
    const received = withReceived(first, [message(1), message(3)])
    assert.deepEqual(ids(received.get('default')!.messages), ['m1', 'm3'])
    assert.deepEqual(ids(received.get('ann')!.messages), ['m2'])
    assert.equal(received.get('default')!.count, 2)
  })

  it('stays the same object when nothing came', () => {
    const received = withReceived(new Map(), [message(1)])
    assert.equal(withReceived(received, []), received)
  })

  it('is bounded, and says so', () => {
    const {
      messages: kept,
      count,
      isCut
    } = withReceived(new Map(), messages(0, MOST_KEPT + 5)).get('default')!
    assert.deepEqual([kept.length, kept[0]!.id, count, isCut], [MOST_KEPT, 'm5', MOST_KEPT + 5, true])
  })
})

describe('the log of a session', () => {
  it('joins what was fetched and what was received, each once, by time', () => {
    const received = withReceived(new Map(), [message(4), message(2)]).get('default')!
    assert.deepEqual(ids(joined([message(1), message(2), message(3)], received)), ['m1', 'm2', 'm3', 'm4'])
    const fetched = [message(1)]
    assert.equal(joined(fetched, NOTHING_RECEIVED), fetched)
  })

  it('keeps the order of one and the same moment', () => {
    const at = message(1).created_at
    const same = ['b', 'a', 'c'].map((id) => ({ ...message(1), id, created_at: at }))
    const received = withReceived(new Map(), same.slice(1)).get('default')!
    assert.deepEqual(ids(joined(same.slice(0, 1), received)), ['b', 'a', 'c'])
  })

  it('begins with what was received where more came than is kept', () => {
    const received = withReceived(new Map(), messages(10, 10 + MOST_KEPT + 1)).get('default')!
    assert.equal(joined(messages(0, 5), received)[0]!.id, 'm11', 'what was fetched would leave a gap')
    assert.equal(isApart(messages(0, 5), received), true)
  })

  it('goes back beyond that as soon as what is fetched reaches what was received', () => {
    const received = withReceived(new Map(), messages(10, 10 + MOST_KEPT + 1)).get('default')!
    assert.equal(isApart(messages(0, 20), received), false)
    assert.deepEqual(ids(joined(messages(0, 20), received)), ids(messages(0, 10 + MOST_KEPT + 1)))
  })

  it('is what all its pages hold, in the order of printing, which runs that overlap mix up', () => {
    const pages = [
      { messages: [message(3), message(5), message(6)], next_cursor: '9.0' },
      { messages: [message(1), message(2), message(4)], next_cursor: null }
    ]
    assert.deepEqual(ids(messagesOf(pages)), ids(messages(1, 7)))
  })
})

describe('what is shown of a log', () => {
  it('is its end, for whoever is there', () => {
    assert.deepEqual(ids(windowOf(messages(0, 9), { limit: 2, anchor: null })!), ['m7', 'm8'])
    assert.deepEqual(windowOf([], { limit: 2, anchor: null }), [])
  })

  it('stays for a reader who has scrolled up, with what came since below it', () => {
    assert.deepEqual(ids(windowOf(messages(0, 7), { limit: 2, anchor: 'm4' })!), ['m3', 'm4', 'm5', 'm6'])
  })

  it('goes further up when more is asked for', () => {
    assert.deepEqual(ids(windowOf(messages(0, 6), { limit: 4, anchor: 'm4' })!), [
      'm1',
      'm2',
      'm3',
      'm4',
      'm5'
    ])
  })

  it('is bounded below a reader too', () => {
    const shown = windowOf(messages(0, 2 * MOST_KEPT + 9), { limit: 2, anchor: 'm4' })!
    assert.deepEqual([shown.length, shown[0]!.id], [2 + MOST_KEPT, 'm3'])
  })

  it('never has a gap that looks like none', () => {
    assert.equal(windowOf(messages(5, 9), { limit: 2, anchor: 'm1' }), undefined)
  })
})
