import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anythingFlow } from './support/documents.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { outputOf, readBack } from './support/read-back.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

describe('the way that a webhook is sent', () => {
  it('may be in chunks', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const headers = { 'x-api-key': service.key, prefer: 'wait=30', 'transfer-encoding': 'chunked' }
    const head = requestHead(`POST /api/v1/webhook/${slug}`, headers)
    const answer = await sendRaw(
      service.address,
      head,
      '3\r\n{"a\r\n',
      '6;x=y\r\n":1.10\r\n',
      '1\r\n}\r\n0\r\n\r\n'
    )
    assert.equal(answer.status, 202, answer.text)
    const { text } = await readBack(service, JSON.parse(answer.body).run_id)
    assert.ok(text.includes('"input":{"a":1.10}'), text)
    const empty = await sendRaw(service.address, head, '0\r\n\r\n')
    const none = await readBack(service, JSON.parse(empty.body).run_id)
    assert.deepEqual(none.run.input, { payload: '' })
  })

  it('may expect to be told to continue', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const headers = { 'x-api-key': service.key, 'content-length': '7', expect: '100-continue' }
    const answer = await sendRaw(
      service.address,
      requestHead(`POST /api/v1/webhook/${slug}`, headers),
      '{"a":1}'
    )
    assert.match(answer.text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 /)
  })

  it('shows in the request output: method, headers, query, address, and never the key', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const { key } = await service.createKey({ rights: ['trigger'] })
    const headers = {
      prefer: 'wait=30',
      'x-shop': 'north',
      authorization: 'Bearer sesame',
      cookie: 'session=sesame',
      'content-type': 'text/plain'
    }
    const path = `/api/v1/webhook/${slug}?a=1&a=2&b=x%20y&c=&__proto__=z`
    const answer = await service.request('POST', path, { body: Buffer.from('{}'), key, headers })
    assert.equal(answer.status, 202, answer.text)
    const { text, run } = await readBack(service, answer.json<{ run_id: string }>().run_id)
    const request = outputOf(run, 'webhook-1').request as Record<string, unknown>
    assert.deepEqual(Object.keys(request).sort(), ['address', 'headers', 'method', 'query'])
    assert.equal(request.method, 'POST')
    assert.equal(request.address, '127.0.0.1')
    const query = request.query as Record<string, unknown>
    assert.deepEqual([query.a, query.b, query.c], [['1', '2'], 'x y', ''])
    const seen = request.headers as Record<string, string>
    assert.equal(seen['x-shop'], 'north')
    assert.equal(seen['content-type'], 'text/plain')
    for (const name of ['x-api-key', 'authorization', 'cookie']) assert.ok(!(name in seen), name)
    assert.ok(!text.includes(key) && !text.includes('sesame'))
  })
})
