import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MOST_THROWN, readFailure, StepError } from './step-error.ts'

describe('StepError', () => {
  it('may be repeated unless it says otherwise', () => {
    const { code, retryable, retryAfterMs } = new StepError('no')
    assert.deepEqual([code, retryable, retryAfterMs], ['step_failed', true, undefined])
  })

  it('carries what it is given', () => {
    const cause = new Error('socket')
    const error = new StepError('no', { code: 'gone', retryable: false, retryAfterMs: 5, cause })
    assert.deepEqual(readFailure(error), { code: 'gone', message: 'no', retryable: false, retryAfterMs: 5 })
    assert.equal(error.cause, cause)
  })

  it('takes no more than the beginning of long words', () => {
    const { message, code } = new StepError('a'.repeat(10 ** 6), { code: 'b'.repeat(10 ** 6) })
    assert.deepEqual([message.length, code.length], [MOST_THROWN, 100])
  })
})

describe('readFailure', () => {
  const plain = { code: 'step_failed', retryable: true, retryAfterMs: undefined }
  const rows: [name: string, thrown: unknown, expected: object][] = [
    ['an error', new Error('no'), { ...plain, message: 'no' }],
    ['an error without a message by its name', new TypeError(), { ...plain, message: 'TypeError' }],
    [
      'an error of a plugin that imports nothing',
      Object.assign(new Error('no'), { retryable: false }),
      {
        ...plain,
        message: 'no',
        retryable: false
      }
    ],
    [
      'a code of the system',
      Object.assign(new Error('no'), { code: 'ECONNRESET' }),
      {
        ...plain,
        message: 'no',
        code: 'ECONNRESET'
      }
    ],
    ['a code that is not text', Object.assign(new Error('no'), { code: 20 }), { ...plain, message: 'no' }],
    ['an empty code', Object.assign(new Error('no'), { code: '' }), { ...plain, message: 'no' }],
    ['text', 'no', { ...plain, message: 'no' }],
    ['an object with a message', { message: 'no', code: 'mine' }, { ...plain, message: 'no', code: 'mine' }],
    ['null', null, { ...plain, message: 'null' }],
    ['a wait that is not a number', { message: 'no', retryAfterMs: '5' }, { ...plain, message: 'no' }],
    ['a wait that is NaN', { message: 'no', retryAfterMs: Number.NaN }, { ...plain, message: 'no' }]
  ]
  for (const [name, thrown, expected] of rows) {
    it(`reads ${name}`, () => assert.deepEqual(readFailure(thrown), expected))
  }

  it('tells the beginning and the end of long words, whoever threw them', () => {
    const long = 'a'.repeat(10 ** 6)
    const told = { ...plain, code: 'b'.repeat(100), message: `${'a'.repeat(1_400)} … ${'a'.repeat(597)}` }
    for (const thrown of [
      new StepError(long, { code: 'b'.repeat(10 ** 6) }),
      Object.assign(new Error(long), { code: 'b'.repeat(10 ** 6) }),
      { message: long, code: 'b'.repeat(10 ** 6) }
    ])
      assert.deepEqual(readFailure(thrown), told)
    assert.deepEqual(readFailure(long), { ...plain, message: told.message })
    assert.equal(readFailure(readFailure(long)).message, told.message)
  })

  it('tells no half of a character', () => {
    const { message } = readFailure(`${'a'.repeat(1_399)}${'😀'.repeat(400)}`)
    assert.equal(message, `${'a'.repeat(1_399)} … ${'😀'.repeat(298)}`)
  })

  it('reads whatever is thrown', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('hostile')
        }
      }
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true }), fc.constant(hostile)), (thrown) => {
        const { code, message, retryable } = readFailure(thrown)
        assert.deepEqual([typeof code, typeof message, typeof retryable], ['string', 'string', 'boolean'])
      })
    )
  })
})
