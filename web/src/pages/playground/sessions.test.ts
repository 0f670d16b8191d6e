import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '../../api/messages.ts'
import { withReceived } from './message-log.ts'
import { newSessionName, previewOf, sessionsOf } from './sessions.ts'

function message(session: string, minute: number): Message {
  const created_at = new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString()
  return { id: `${session}-${minute}`, session, sender: 'User', text: 'Hi', run_id: 'r', created_at }
}

describe('the sessions of a flow', () => {
  it('are those that printed, the newest first', () => {
    const messages = [message('a', 1), message('b', 2), message('a', 3), message('default', 0)]
    const found = sessionsOf({ messages, received: new Map(), remembered: [], shown: 'a' })
    assert.deepEqual(
      found.map(({ session, newest }) => [session, newest?.id]),
      [
        ['a', 'a-3'],
        ['b', 'b-2'],
        ['default', 'default-0']
      ]
    )
  })

  it('follow what is received', () => {
    const received = withReceived(new Map(), [message('b', 9)])
    const found = sessionsOf({
      messages: [message('a', 1), message('b', 2)],
      received,
      remembered: [],
      shown: 'a'
    })
    assert.deepEqual(found[0], { session: 'b', newest: message('b', 9) })
  })

  it('hold those that were made here on top, and always the default one', () => {
    const found = sessionsOf({
      messages: [message('a', 1)],
      received: new Map(),
      remembered: ['new'],
      shown: 'new'
    })
    assert.deepEqual(
      found.map(({ session }) => session),
      ['new', 'a', 'default']
    )
  })

  it('get a name that says what they are', () => {
    let next = 0
    assert.match(
      newSessionName((below) => next++ % below),
      /^chat-[a-z2-9]{6}$/
    )
  })

  it('are told apart by one line of their newest message', () => {
    assert.equal(previewOf('# Order **7**\n\nfrom `Ann`'), 'Order 7 from Ann')
    assert.equal(previewOf('x'.repeat(5000)).length, 120)
    assert.equal(previewOf('***'), '***')
  })
})
