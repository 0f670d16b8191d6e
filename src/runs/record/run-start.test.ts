import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExactNumber } from '../../flows/json/exact-json.ts'
import { runStartOf } from './run-start.ts'
import { acceptedRun } from './stored-run.test-kit.ts'

function requestOf(url: string) {
  const request = JSON.stringify(['POST', url, '::1', 'a', 'b'])
  return runStartOf(acceptedRun(1, { request })).request
}

describe('what a run starts from', () => {
  it('is its payload, by the rule of webhook bodies', () => {
    const inputs = ['{"a":1}', '5', '"x"', 'null', 'no json', ''].map(
      (input) => runStartOf(acceptedRun(1, { input })).input
    )
    assert.deepEqual(inputs, [{ a: 1 }, 5, 'x', null, { payload: 'no json' }, { payload: '' }])
    assert.deepEqual(runStartOf(acceptedRun(1, { input: '1.10' })).input, new ExactNumber('1.10'))
  })

  it('is the request’s facts, with the query taken apart', () => {
    assert.deepEqual(requestOf('/v1/webhook/a?x=1&y=a%20b&x=2&x=3'), {
      method: 'POST',
      headers: { a: 'b' },
      query: { x: ['1', '2', '3'], y: 'a b' },
      address: '::1'
    })
  })

  it('has an empty query where the address has none', () => {
    for (const url of ['/v1/webhook/a', '/v1/webhook/a?', '//x']) assert.deepEqual(requestOf(url)?.query, {})
  })

  it('takes any name and any text in a query', () => {
    assert.deepEqual(Object.entries(requestOf('/a?__proto__=x&b=%&c')?.query ?? {}), [
      ['__proto__', 'x'],
      ['b', '%'],
      ['c', '']
    ])
  })

  it('has no request where none started the run', () => {
    assert.equal(runStartOf(acceptedRun(1)).request, null)
  })
})
