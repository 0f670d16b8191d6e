import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MillraceError, messageOf, problems } from './errors.ts'

describe('MillraceError', () => {
  it('carries its code, its status and its cause', () => {
    const cause = new Error('disk')
    const error = new MillraceError('store_unwritable', 'No space is left.', { cause })
    assert.deepEqual([error.code, error.status, error.cause], ['store_unwritable', 503, cause])
  })

  it('has a status and a title for every code', () => {
    for (const [code, { status, title }] of Object.entries(problems)) {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/)
      assert.ok(status >= 400 && status < 600 && title.length > 0)
    }
  })
})

describe('messageOf', () => {
  it('is the message, or else what there is', () => {
    const rows: [thrown: unknown, message: string][] = [
      [new Error('no'), 'no'],
      [new RangeError(), 'RangeError'],
      ['text', 'text'],
      [{ message: 'no' }, 'no'],
      [undefined, 'undefined'],
      [null, 'null'],
      [404, '404']
    ]
    for (const [thrown, message] of rows) assert.equal(messageOf(thrown), message)
  })

  it('is text for whatever is thrown, and never throws itself', () => {
    const hostile = Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('again')
      }
    })
    for (const thrown of [
      hostile,
      Object.create(null),
      Symbol('x'),
      Object.assign(new Error(), { message: { a: 1 } })
    ])
      assert.equal(typeof messageOf(thrown), 'string')
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (thrown) => {
        assert.equal(typeof messageOf(thrown), 'string')
      })
    )
  })
})
