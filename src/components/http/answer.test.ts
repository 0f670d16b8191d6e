import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import {
  AUTHORITY,
  type Certificate,
  EXPIRED,
  OTHER_HOST,
  SELF_SIGNED,
  VALID,
  whileTrusting
} from '../../../test/support/certificates.ts'
import { ExactNumber } from '../../flows/json/exact-json.ts'
import type { IncomingAnswer } from '../../plugin-api.ts'
import { runStepInTurns } from '../step.test-kit.ts'
import { startCalls } from './api-request.test-kit.ts'
import { apiRequest } from './api-request.ts'

describe('an answer', () => {
  it('is given out by its type, and as a whole', async (t) => {
    const types = new Map([
      ['application/json', '{"id":12345678901234567890}'],
      ['application/problem+json; charset=utf-8', '{"a":1}'],
      ['text/csv', 'a,b'],
      ['application/atom+xml', '<a/>'],
      ['image/png', 'bytes']
    ])
    const { ask } = await startCalls(t, {
      answers: {
        '/typed': (response, { query }) => {
          const type = query.get('type')!
          response.writeHead(201, { 'content-type': type, 'x-a': ['1', '2'] }).end(types.get(type))
        }
      }
    })
    const bodies = []
    for (const type of types.keys()) bodies.push((await ask({ url: '/typed', query: { type } })).body)
    assert.deepEqual(bodies, [
      { id: new ExactNumber('12345678901234567890') },
      { a: 1 },
      'a,b',
      '<a/>',
      { base64: 'Ynl0ZXM=', content_type: 'image/png', size: 5 }
    ])
    const { response } = await ask({ url: '/typed', query: { type: 'text/csv' } })
    assert.deepEqual([response.status, response.body, response.headers['x-a']], [201, 'a,b', '1, 2'])
    assert.match(response.url, /\/typed\?type=text%2Fcsv$/)
  })

  it('is read as the node says, where it says so', async (t) => {
    const { ask } = await startCalls(t)
    assert.equal(
      (await ask({ url: '/wrong-type', response_type: 'Text' })).body,
      '<!doctype html><title>Sign in</title>'
    )
    assert.deepEqual((await ask({ url: '/untyped' })).body, { id: new ExactNumber('12345678901234567890') })
    assert.equal((await ask({ url: '/empty' })).body, null)
    assert.equal((await ask({ url: '/echo', method: 'HEAD' })).body, null)
  })

  it('comes in the letters that it names', async (t) => {
    const feed = '<?xml version="1.0" encoding="windows-1251"?>'
    const { ask } = await startCalls(t, {
      answers: {
        '/latin': (response) =>
          response
            .writeHead(200, { 'content-type': 'text/plain; charset="ISO-8859-1"' })
            .end(Buffer.from([0xe9])),
        '/feed': (response) =>
          response.writeHead(200, { 'content-type': 'text/xml' }).end(Buffer.from(`${feed}\xcf`, 'latin1')),
        '/moved': (response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(`${feed}П`)
      }
    })
    assert.equal((await ask({ url: '/latin' })).body, 'é')
    for (const url of ['/feed', '/moved']) assert.equal((await ask({ url })).body, `${feed}П`, url)
  })

  it('that is not JSON and says so fails, with how it begins', async (t) => {
    const { failure } = await startCalls(t)
    const error = await failure({ url: '/wrong-type' })
    assert.deepEqual([error.code, error.retryable], ['response_not_json', false])
    assert.match(error.message, /begins with "<!doctype html>.*response type Text/s)
    assert.equal((await failure({ url: '/nested' })).code, 'response_not_json')
  })
})

describe('an answer that is too long', () => {
  for (const path of ['/endless', '/bomb']) {
    it(`stops being read (${path})`, async (t) => {
      const { server, failure } = await startCalls(t)
      const error = await failure({ url: path })
      assert.deepEqual([error.code, error.retryable], ['response_too_large', false])
      assert.match(error.message, /longer than 1 MB \(max_bytes is 1048576\).*Largest response/)
      await server.left(path)
    })
  }

  it('is refused by the length that it names, and taken where the node allows more', async (t) => {
    const { ask, failure } = await startCalls(t, {
      answers: {
        '/long': (response) =>
          void response.writeHead(200, { 'content-length': '2000' }).end('x'.repeat(2000))
      }
    })
    assert.match(
      (await failure({ url: '/long', max_bytes: 1999 })).message,
      /longer than 2 kB \(max_bytes is 1999\)/
    )
    assert.equal(String((await ask({ url: '/long', max_bytes: 2000 })).body).length, 2000)
    const { body, response } = await ask({ url: '/long', max_bytes: 10, method: 'HEAD' })
    assert.deepEqual([body, response.status], [null, 200], 'the length is that of a body that does not come')
  })
})

describe('a long answer', () => {
  /** Counts what is read of it. */
  function answering(piece: string, times: number, headers: Record<string, string> = {}) {
    const seen = { pieces: 0, isDiscarded: false }
    async function* body() {
      for (; seen.pieces < times; seen.pieces++) yield Buffer.from(piece)
    }
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json', ...headers },
      url: 'http://a.b/',
      body: body(),
      readEvery: () => {},
      discard: async () => {
        seen.isDiscarded = true
      }
    } as unknown as IncomingAnswer
    return { seen, send: async () => answer }
  }
  const fields = { url: 'http://a.b/', max_bytes: 64 * 1024 ** 2 }

  it('is not read beyond what the step may put out', async () => {
    const { seen, send } = answering('[],'.repeat(1_000), 1_000)
    await assert.rejects(runStepInTurns(apiRequest, { fields, send, outputLimit: 10_000 }), {
      code: 'output_too_large',
      retryable: false,
      message: /more than 9\.8 kB.*Ask for less at once/
    })
    assert.equal(seen.pieces, 3)
    const announced = answering('[],', 1, { 'content-length': '10001' })
    await assert.rejects(runStepInTurns(apiRequest, { fields, send: announced.send, outputLimit: 10_000 }), {
      code: 'output_too_large'
    })
    assert.deepEqual(announced.seen, { pieces: 0, isDiscarded: true })
  })

  it('is parsed in turns', async () => {
    const { send } = answering(`[${'[],'.repeat(1_000_000)}1]`, 1)
    const { outputs, turns } = await runStepInTurns(apiRequest, { fields, send })
    assert.equal((outputs.body as unknown[]).length, 1_000_001)
    assert.ok(turns > 150, `${turns} turns`)
  })
})

describe('a status', () => {
  it('of 400 or more fails the step, with what the other side said', async (t) => {
    const { failure } = await startCalls(t)
    const codes = []
    for (const status of [400, 401, 403, 404, 408, 409, 422, 425, 429, 500, 501, 502, 503]) {
      const { code, retryable } = await failure({
        url: '/failing?times=9',
        query: { status },
        method: 'POST'
      })
      codes.push([status, code, retryable])
    }
    assert.deepEqual(codes, [
      [400, 'upstream_refused', false],
      [401, 'upstream_unauthorized', false],
      [403, 'upstream_unauthorized', false],
      [404, 'upstream_refused', false],
      [408, 'upstream_refused', true],
      [409, 'upstream_refused', false],
      [422, 'upstream_refused', false],
      [425, 'upstream_refused', true],
      [429, 'upstream_rate_limited', true],
      [500, 'upstream_failed', true],
      [501, 'upstream_failed', false],
      [502, 'upstream_failed', true],
      [503, 'upstream_failed', true]
    ])
    const { message } = await failure({ url: '/failing?times=9&token=x', query: { status: 404 } })
    assert.match(
      message,
      /^GET http:\/\/127\.0\.0\.1:\d+\/failing was answered 404 and said: {"error":"broken"}\nCheck the URL/
    )
  })

  it('is given out where the node says so', async (t) => {
    const { ask } = await startCalls(t)
    const { body, response } = await ask({ url: '/failing?times=9&status=422', fail_on_status: false })
    assert.deepEqual([body, response.status], [{ error: 'broken' }, 422])
  })

  it('says when to come again', async (t) => {
    const at = (headers: Record<string, string>) =>
      startCalls(t, { answers: { '/busy': (response) => void response.writeHead(429, headers).end() } }).then(
        async ({ failure }) => (await failure({ url: '/busy' })).retryAfterMs
      )
    assert.equal(await at({ 'retry-after': '2' }), 2000)
    const date = 'Mon, 16 Nov 2026 23:00:00 GMT'
    assert.equal(await at({ date, 'retry-after': 'Mon, 16 Nov 2026 23:01:30 GMT' }), 90_000)
    assert.equal(await at({ date, 'retry-after': 'Mon, 16 Nov 2026 22:00:00 GMT' }), 0)
    assert.equal(await at({ 'retry-after': 'soon' }), undefined)
    assert.equal(await at({ 'retry-after': '99999999' }), 86_400_000)
  })
})

describe('a call that fails on its way', () => {
  it('has a code that says what it was, and whether to try again', async (t) => {
    const { failure } = await startCalls(t)
    const found = []
    for (const url of [
      '/cut-off',
      '/hung-up',
      '/half-gzip',
      '/not-gzip',
      '/not-http',
      '/long-headers',
      '/circle'
    ]) {
      const { code, retryable } = await failure({ url })
      found.push([url, code, retryable])
    }
    assert.deepEqual(found, [
      ['/cut-off', 'upstream_cut_off', true],
      ['/hung-up', 'upstream_cut_off', true],
      ['/half-gzip', 'upstream_cut_off', true],
      ['/not-gzip', 'response_not_decodable', false],
      ['/not-http', 'upstream_not_http', false],
      ['/long-headers', 'upstream_not_http', false],
      ['/circle', 'too_many_redirects', false]
    ])
  })

  it('is not repeated where nobody knows whether it was done, and nothing says that it may be', async (t) => {
    const { failure } = await startCalls(t)
    const headers = { 'Idempotency-Key': '' }
    const tried = async (fields: object) => (await failure({ ...fields })).retryable
    assert.equal(await tried({ url: '/hung-up', method: 'POST' }), true)
    assert.equal(await tried({ url: '/hung-up', method: 'POST', headers }), false)
    assert.equal(await tried({ url: '/hung-up', method: 'PUT', headers }), true)
    assert.equal(await tried({ url: '/failing?times=9', method: 'PATCH', headers }), false)
    assert.equal(await tried({ url: '/limited?times=9', method: 'PATCH', headers }), true)
  })

  it('names a host that nobody answers at', async (t) => {
    const port = await unusedPort()
    const calls = await startCalls(t)
    const error = await calls.failure({ url: `http://127.0.0.1:${port}/` })
    // The guard lets the step reach the server of the test and nothing else.
    assert.deepEqual([error.code, error.retryable], ['egress_refused', false])
    const redirected = await calls.failure({ url: '/redirect', query: { to: 'http://10.0.0.1/' } })
    assert.equal(redirected.code, 'egress_refused')
    await calls.server.stop()
    const gone = await calls.failure({ url: '/echo' })
    assert.deepEqual([gone.code, gone.retryable], ['upstream_unreachable', true])
    assert.match(
      gone.message,
      /^127\.0\.0\.1:\d+ cannot be reached: nobody answers there\. Check host and port/
    )
  })

  it('trusts no certificate that has expired, is for another host, or was signed by nobody known', async (t) => {
    const rows: [Certificate, string, RegExp][] = [
      [EXPIRED, 'certificate_expired', /^The certificate of 127\.0\.0\.1:\d+ has expired\. Whoever runs it/],
      [OTHER_HOST, 'certificate_invalid', /is for another host\. Use the name that it is for/],
      [SELF_SIGNED, 'certificate_invalid', /NODE_EXTRA_CA_CERTS/]
    ]
    for (const [certificate, code, words] of rows) {
      const { server, failure } = await startCalls(t, { certificate })
      const error = await whileTrusting(AUTHORITY, () => failure({ url: '/echo' }))
      assert.deepEqual([error.code, error.retryable], [code, false], error.message)
      assert.match(error.message, words)
      assert.equal(server.requests.length, 0)
    }
    const { ask, failure } = await startCalls(t, { certificate: VALID })
    assert.equal((await failure({ url: '/echo' })).code, 'certificate_invalid')
    assert.equal((await whileTrusting(AUTHORITY, () => ask({ url: '/echo' }))).response.status, 200)
  })

  it('speaks of TLS where the other side has none', async (t) => {
    const { server, failure } = await startCalls(t)
    assert.equal((await failure({ url: server.url('/echo').replace('http', 'https') })).code, 'tls_failed')
  })
})

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
