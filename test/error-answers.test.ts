import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, problemOf } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { startService } from './support/service.ts'

describe('errors', () => {
  it('are problem documents for unknown paths and methods', async (t) => {
    const service = await startService(t)
    for (const path of ['/nowhere', '/api/v1/nothing', '/api/v2/flows', '/api/v1/flows/a/b/c/d', '/..%2f']) {
      const { detail } = problemOf(await service.get(path), 404, 'route_not_found')
      assert.match(detail, /openapi\.json/, path)
    }
    const answer = await service.request('PATCH', '/api/v1/flows/orders')
    problemOf(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, PUT')
  })

  it('are problem documents for addresses that cannot be read', async (t) => {
    const service = await startService(t)
    for (const path of ['/api/v1/flows/%zz', '/api/v1/runs/%', '/api/v1/webhook/%E0%A4%A', '/%']) {
      assert.match(problemOf(await service.get(path), 400, 'bad_request').detail, /%25/, path)
    }
    const long = await service.get(`/api/v1/flows/${'x'.repeat(5_000)}`)
    const { detail } = problemOf(long, 414, 'uri_too_long')
    assert.ok(detail.length < 200, detail)
  })

  it('are problem documents for what is not HTTP', async (t) => {
    const service = await startService(t)
    const garbage = await sendRaw(service.address, 'this is not HTTP\r\n\r\n')
    assert.equal(garbage.status, 400, garbage.text)
    const long = requestHead('GET /livez', { 'x-long': 'x'.repeat(20_000) })
    const overflow = await sendRaw(service.address, long)
    assert.equal(overflow.status, 431, overflow.text.slice(0, 200))
    const noHost = await sendRaw(service.address, 'GET /livez HTTP/1.1\r\n\r\n')
    assert.equal(noHost.status, 400, noHost.text)
    const expectant = await sendRaw(service.address, requestHead('GET /livez', { expect: 'tea' }))
    assert.equal(expectant.status, 417, expectant.text)
    const tunnel = await sendRaw(service.address, requestHead('CONNECT evil.example:80', {}))
    assert.equal(tunnel.status, 400, tunnel.text)
    for (const answer of [garbage, overflow, noHost, expectant, tunnel]) {
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
      const problem = JSON.parse(answer.body)
      assert.equal(problem.status, answer.status)
      assert.equal(problem.code, 'bad_request')
    }
  })

  it('tell a body that is not JSON from one that is of a wrong type', async (t) => {
    const service = await startService(t)
    const send = (path: string, type: string | undefined, body: string): Promise<Answer> =>
      service.request('POST', path, {
        body: Buffer.from(body),
        ...(type === undefined ? {} : { headers: { 'content-type': type } })
      })
    for (const path of ['/api/v1/flows', '/api/v1/keys', '/api/v1/run/orders', '/api/v1/flows/orders/chat']) {
      for (const body of ['{"a":', 'nope', '{"a":1}}', '\u0000']) {
        problemOf(await send(path, 'application/json', body), 400, 'bad_request')
      }
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        ';;;',
        undefined
      ]) {
        problemOf(await send(path, type, '{"name":"a"}'), 415, 'unsupported_media_type')
      }
    }
    const charset = await send('/api/v1/run/orders', 'application/json; charset=utf-8', '{"input":1}')
    assert.equal(charset.status, 200, charset.text)
    for (const path of ['/api/v1/run/orders', '/api/v1/keys']) {
      const body = path.endsWith('keys') ? '{"name":"a"}' : '{"input":1}'
      const marked = await send(path, 'application/json', `\uFEFF${body}`)
      assert.ok(marked.status < 300, `a byte order mark: ${marked.text}`)
    }
  })

  it('are not made of an empty body that is called JSON, where no body is needed', async (t) => {
    const service = await startService(t)
    const { id } = await service.run('orders')
    const empty = { body: Buffer.alloc(0), headers: { 'content-type': 'application/json' } }
    problemOf(await service.request('POST', `/api/v1/runs/${id}/cancel`, empty), 409, 'run_already_ended')
    assert.equal((await service.request('POST', `/api/v1/runs/${id}/replay`, empty)).status, 202)
    assert.equal((await service.request('DELETE', '/api/v1/flows/orders', empty)).status, 204)
  })

  it('say where a request is not valid, and what was sent', async (t) => {
    const service = await startService(t)
    const { errors = [] } = problemOf(
      await service.post('/api/v1/keys', { name: 7, rights: ['all'] }),
      422,
      'invalid_request'
    )
    assert.deepEqual(errors.map(({ path }) => path).sort(), ['/name', '/rights/0'])
    const none = problemOf(await service.post('/api/v1/keys'), 422, 'invalid_request')
    assert.match(none.errors![0]!.message, /The body is empty\. Send a JSON object/)
    const cursor = problemOf(await service.get('/api/v1/runs?cursor=abc'), 422, 'invalid_request')
    assert.match(cursor.errors![0]!.message, /abc/)
    for (const limit of ['1.5', '0', '501', 'true', '0x10', '1e2', ' 5']) {
      const { errors } = problemOf(
        await service.get(`/api/v1/runs?limit=${encodeURIComponent(limit)}`),
        422,
        'invalid_request'
      )
      assert.deepEqual(
        errors!.map(({ path }) => path),
        ['/limit'],
        limit
      )
    }
    assert.equal((await service.get('/api/v1/runs?limit=500')).status, 200)
    for (const version of ['1', null, 1.5]) {
      const body = { ...ordersFlow(), version }
      const { errors } = problemOf(
        await service.request('PUT', '/api/v1/flows/orders', { body }),
        422,
        'invalid_request'
      )
      assert.match(errors![0]!.message, /not a whole number/)
    }
  })

  it('are not made of what a query leaves blank', async (t) => {
    const service = await startService(t)
    for (const path of ['components?context=', 'flows?recent=', 'runs/stats?buckets=&since=']) {
      const answer = await service.get(`/api/v1/${path}`)
      assert.equal(answer.status, 200, answer.text)
    }
  })
})
