import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { runStartOf } from '../../runs/record/run-start.ts'
import { acceptedRun } from '../../runs/record/stored-run.test-kit.ts'
import { requestFacts } from './request-facts.ts'

/** As Node's parser gives it. */
function sent(rawHeaders: string[], headers: Record<string, string> = {}): IncomingMessage {
  return { method: 'POST', rawHeaders, headers } as unknown as IncomingMessage
}

function readBack(request: IncomingMessage, { url = '/v1/webhook/a?x=1', hide = [] as string[] } = {}) {
  const facts = requestFacts(request, {
    url,
    address: '::1',
    hidden: hide.length === 0 ? null : new Set(hide)
  })
  for (const secret of ['sesame', 'open']) assert.ok(!facts.includes(secret), facts)
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

  it('has no secret of a sender, in headers, in the query and in addresses that are passed on', () => {
    const secrets = ['X-Gitlab-Token', 'sesame', 'X-Hub-Signature-256', 'sesame', 'X-Gitlab-Event', 'Push']
    const passedOn = ['Referer', 'https://a/b?token=sesame&c=d', 'X-Original-URL', '/e?key=sesame']
    assert.deepEqual(
      readBack(sent([...secrets, ...passedOn]), { url: '/a?toke%6E=sesame&x=%20y&KEY=sesame' }),
      {
        method: 'POST',
        headers: { 'x-gitlab-event': 'Push', referer: 'https://a/b?c=d', 'x-original-url': '/e' },
        query: { x: ' y' },
        address: '::1'
      }
    )
    const merged = { 'x-auth-token': 'sesame', referer: '/b?sig=sesame', a: '1, 2' }
    assert.deepEqual(readBack(sent(['a', '1', 'A', '2'], merged))?.headers, { referer: '/b', a: '1, 2' })
  })

  it('has nothing that the node hides', () => {
    const raw = ['X-Shop-Pin', 'open', 'X-Order', '7', 'Referer', '/a?PIN=open']
    const options = { url: '/a?Pin=open&x=1', hide: ['x-shop-pin', 'pin'] }
    const expected = { headers: { 'x-order': '7', referer: '/a' }, query: { x: '1' } }
    const { headers, query } = readBack(sent(raw), options)!
    assert.deepEqual({ headers, query }, expected)
    const merged = { 'x-shop-pin': 'open', 'x-order': '7, 8' }
    assert.deepEqual(readBack(sent(['x-order', '7', 'x-order', '8'], merged), options)?.headers, {
      'x-order': '7, 8'
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
