import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forwardedRequest, type KeptRequest } from './forwarded-request.ts'

const FORWARD = 'http://localhost:3000/hooks?dev=1'
const POST: KeptRequest = {
  method: 'POST',
  headers: { host: 'millrace.example.com', 'x-github-event': 'push' },
  query: {},
  address: '10.0.0.1'
}

describe('forwardedRequest', () => {
  it('is the body as it came, with its headers, without those of the connection', () => {
    const input = bytes('{"id": 12345678901234567890}\n')
    const headers = {
      ...POST.headers,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': '29'
    }
    assert.deepEqual(forwardedRequest({ ...POST, headers }, input, FORWARD, 'run-1'), {
      method: 'POST',
      url: FORWARD,
      headers: { 'x-github-event': 'push', 'content-type': 'application/json', 'x-millrace-run': 'run-1' },
      body: { kind: 'bytes', bytes: input }
    })
  })

  it('adds the query to the address', () => {
    const { url } = forwardedRequest(
      { ...POST, query: { a: ['1', '2'], b: 'x y' } },
      bytes('{}'),
      FORWARD,
      'run-1'
    )
    assert.equal(url, `${FORWARD}&a=1&a=2&b=x+y`)
  })

  it('has no body where the query was the payload', () => {
    for (const method of ['GET', 'DELETE'])
      assert.deepEqual(forwardedRequest({ ...POST, method }, bytes('{"a":"1"}'), FORWARD, 'run-1').body, {
        kind: 'none'
      })
    const headers = { 'content-length': '2' }
    const sent = forwardedRequest({ ...POST, method: 'DELETE', headers }, bytes('{}'), FORWARD, 'run-1')
    assert.equal(sent.body.kind, 'bytes')
  })

  it('leaves out how a body was packed, since it was unpacked', () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': '20' }
    const sent = forwardedRequest({ ...POST, headers }, bytes('{"a":1}'), FORWARD, 'run-1')
    assert.deepEqual(Object.keys(sent.headers), ['content-type', 'x-millrace-run'])
    assert.equal(sent.body.kind, 'bytes')
  })

  const file = { file: 'f1', filename: 'a.png', content_type: 'image/png', size: 3 }

  it('makes a form again of fields that were read from one', () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '15' }
    const input = bytes('{"a":"1","b":["2","3"]}')
    assert.deepEqual(forwardedRequest({ ...POST, headers }, input, FORWARD, 'run-1').body, {
      kind: 'form',
      fields: [
        ['a', '1'],
        ['b', '2'],
        ['b', '3']
      ]
    })
    const json = { ...headers, 'content-length': '7' }
    assert.equal(
      forwardedRequest({ ...POST, headers: json }, bytes('{"a":1}'), FORWARD, 'run-1').body.kind,
      'bytes'
    )
  })

  it('makes parts again, with a boundary of their own, and a file again of one that was the body', () => {
    const parts = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '900' }
    const sent = forwardedRequest(
      { ...POST, headers: parts },
      bytes(JSON.stringify({ a: '1', f: file })),
      FORWARD,
      'run-1'
    )
    assert.equal(sent.headers['content-type'], undefined)
    assert.deepEqual(sent.body, {
      kind: 'parts',
      fields: [
        ['a', '1'],
        ['f', file]
      ]
    })
    const image = { 'content-type': 'image/png', 'content-length': '3' }
    const whole = forwardedRequest(
      { ...POST, headers: image },
      bytes(JSON.stringify({ payload: file })),
      FORWARD,
      'run-1'
    )
    assert.deepEqual(whole.body, { kind: 'file', file })
  })
})

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
