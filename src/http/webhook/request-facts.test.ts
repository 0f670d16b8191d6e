import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { runStartOf } from '../../runs/run-start.ts'
import { acceptedRun } from '../../runs/stored-run.test-kit.ts'
import { requestFacts } from './request-facts.ts'

/** As Node's parser gives it. */
function sent(rawHeaders: string[], headers: Record<string, string> = {}): IncomingMessage {
  return { method: 'POST', rawHeaders, headers } as unknown as IncomingMessage
}

function readBack(request: IncomingMessage) {
  const facts = requestFacts(request, { url: '/v1/webhook/a?x=1', address: '::1' })
  return runStartOf(acceptedRun(1, { request: facts })).request
}

describe('what is stored of a request', () => {
  it('is its method, query, address and headers by lower-case names', () => {
    assert.deepEqual(readBack(sent(['Host', 'shop', 'X-Order', '7'])), {
      method: 'POST',
      headers: { host: 'shop', 'x-order': '7' },
      query: { x: '1' },
      address: '::1'
    })
  })

  it('has no credential, however it is written', () => {
    const secrets = ['X-API-Key', 'a', 'authorization', 'b', 'Proxy-Authorization', 'c', 'COOKIE', 'd']
    assert.deepEqual(readBack(sent(secrets))?.headers, {})
    const merged = { cookie: 'd', accept: 'a, b' }
    assert.deepEqual(readBack(sent(['Accept', 'a', 'ACCEPT', 'b', 'Cookie', 'd'], merged))?.headers, {
      accept: 'a, b'
    })
  })

  it('has a header that came twice as Node puts it together', () => {
    assert.deepEqual(readBack(sent(['A', '1', 'a', '2'], { a: '1, 2' }))?.headers, { a: '1, 2' })
  })

  it('takes a name that every object inherits', () => {
    const headers = readBack(sent(['__proto__', 'x', 'constructor', 'y']))?.headers
    assert.deepEqual(Object.entries(headers ?? {}), [
      ['__proto__', 'x'],
      ['constructor', 'y']
    ])
  })
})
