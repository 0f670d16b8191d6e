import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { readAllowRule } from './allow-list.ts'
import { Caller, type CallRules, urlFrom } from './caller.ts'
import { Egress } from './egress.ts'
import { serve } from './http-server.test-kit.ts'

function caller(t: TestContext, rules: Partial<CallRules> = {}): Caller {
  const egress = new Egress({ allow: ['127.0.0.1'].map(readAllowRule) })
  t.after(() => egress.close())
  const { signal } = new AbortController()
  return new Caller(egress, {
    trustedFor: () => null,
    headersFor: (_url, headers) => headers,
    signal,
    ...rules
  })
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function readRequest(request: IncomingMessage) {
  const { method, url, headers } = request
  return { method, url, headers, body: await textOf(request) }
}

/** Answers with what it was sent. */
const echo: RequestListener = async (request, response) => {
  response.end(JSON.stringify(await readRequest(request)))
}

describe('a request', () => {
  it('sends method, headers and body, and brings status, headers and body', async (t) => {
    const at = await serve(t, (request, response) => {
      response.writeHead(201, { 'X-One': 'a', 'Set-Cookie': ['a=1', 'b=2'] })
      void echo(request, response)
    })
    const answer = await caller(t).request(`${at}/x?y=1`, {
      method: 'PUT',
      headers: { 'X-Mine': 'z' },
      body: 'hello'
    })
    const { method, url, headers, body } = JSON.parse(await textOf(answer.body))
    assert.deepEqual([method, url, headers['x-mine'], body], ['PUT', '/x?y=1', 'z', 'hello'])
    assert.deepEqual([answer.status, answer.url], [201, `${at}/x?y=1`])
    assert.deepEqual([answer.headers['x-one'], answer.headers['set-cookie']], ['a', 'a=1, b=2'])
  })

  it('streams a body of known size, from its beginning after a redirect and with another sign-in', async (t) => {
    const paths: string[] = []
    const at = await serve(t, async (request, response) => {
      const { url, headers, body } = await readRequest(request)
      paths.push(`${url} ${headers['content-length']} ${headers['transfer-encoding']} ${body}`)
      if (url === '/once') return response.writeHead(307, { location: '/again' }).end()
      response.writeHead(paths.length === 2 ? 401 : 200).end()
    })
    let reads = 0
    const read = async function* () {
      reads++
      yield Buffer.from('hel')
      yield Buffer.from('lo')
    }
    const sender = caller(t, { renewSignIn: async () => true })
    const answer = await sender.request(`${at}/once`, { method: 'POST', body: { size: 5, read } })
    await answer.discard()
    assert.equal(answer.status, 200)
    const sent = '5 undefined hello'
    assert.deepEqual(paths, [`/once ${sent}`, `/again ${sent}`, `/again ${sent}`])
    assert.equal(reads, 3)
  })

  it('fails, and does not hang, where a streamed body ends early or breaks', async (t) => {
    const at = await serve(t, (request) => void readRequest(request).catch(() => {}))
    const short = async function* () {
      yield Buffer.from('hel')
    }
    await assert.rejects(caller(t).request(at, { method: 'POST', body: { size: 5, read: short } }))
    const broken = async function* () {
      yield Buffer.from('hel')
      throw new Error('the file is gone')
    }
    const sending = caller(t).request(at, { method: 'POST', body: { size: 5, read: broken } })
    await assert.rejects(sending, /the file is gone/)
  })

  for (const [name, compress] of Object.entries({
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync
  })) {
    it(`is read through ${name}`, async (t) => {
      const at = await serve(t, (_request, response) => {
        response.writeHead(200, { 'content-encoding': name })
        response.end(compress('hello'))
      })
      const { body } = await caller(t).request(at)
      assert.equal(await textOf(body), 'hello')
    })
  }

  it('takes an answer without a body for what it is, whatever its headers say', async (t) => {
    const at = await serve(t, (_request, response) => {
      response.writeHead(204, { 'content-encoding': 'gzip' }).end()
    })
    const answer = await caller(t).request(at)
    assert.deepEqual([answer.status, await textOf(answer.body)], [204, ''])
  })

  it('fails where a compressed body is cut off', async (t) => {
    const at = await serve(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('hello'.repeat(1000)).subarray(0, 20))
    })
    const { body } = await caller(t).request(at)
    await assert.rejects(textOf(body), { code: 'Z_BUF_ERROR' })
  })

  it('ends with its step', async (t) => {
    const step = new AbortController()
    const at = await serve(t, () => step.abort(new Error('cancelled')))
    await assert.rejects(caller(t, { signal: step.signal }).request(at), /cancelled/)
  })
})

describe('a redirect', () => {
  async function twoServers(t: TestContext, status: number) {
    const seen: Awaited<ReturnType<typeof readRequest>>[] = []
    const end: RequestListener = async (request, response) => {
      seen.push(await readRequest(request))
      response.end('there')
    }
    const other = await serve(t, end)
    const first = await serve(t, (request, response) => {
      if (request.url === '/end') return end(request, response)
      request.resume()
      const location = request.url === '/away' ? `${other}/end` : '/end'
      response.writeHead(status, { location }).end()
    })
    return { first, seen }
  }

  const sent = {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'a/b' },
    body: 'hello'
  }

  for (const how of ['request', 'fetch'] as const) {
    it(`keeps method and body with 307 and nothing of them with 302 (${how})`, async (t) => {
      const kept = await twoServers(t, 307)
      await caller(t)[how](`${kept.first}/here`, sent)
      assert.deepEqual([kept.seen[0]!.method, kept.seen[0]!.body], ['POST', 'hello'])
      const turned = await twoServers(t, 302)
      const answer = await caller(t)[how](`${turned.first}/here`, sent)
      assert.equal(answer.url, `${turned.first}/end`)
      const { method, body, headers } = turned.seen[0]!
      assert.deepEqual([method, body, headers['content-type']], ['GET', '', undefined])
    })

    it(`takes what is for one origin to no other (${how})`, async (t) => {
      const { first, seen } = await twoServers(t, 307)
      await caller(t)[how](`${first}/here`, sent)
      await caller(t)[how](`${first}/away`, sent)
      assert.deepEqual(
        seen.map(({ headers }) => headers.authorization),
        ['Bearer x', undefined]
      )
    })

    it(`is an answer where it is asked for (${how})`, async (t) => {
      const { first } = await twoServers(t, 302)
      const answer = await caller(t)[how](`${first}/here`, { redirect: 'manual' })
      assert.equal(answer.status, 302)
    })

    it(`in a circle ends (${how})`, async (t) => {
      const at = await serve(t, (_request, response) => response.writeHead(302, { location: '/' }).end())
      await assert.rejects(caller(t)[how](at), { code: 'too_many_redirects', retryable: false })
    })

    it(`is judged anew (${how})`, async (t) => {
      const at = await serve(t, (_request, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      )
      await assert.rejects(caller(t)[how](at), { code: 'egress_refused' })
    })
  }

  for (const [what, location] of [
    ['a file', 'file:///etc/passwd'],
    ['what is no address', 'http://[::1']
  ] as const) {
    it(`to ${what} is refused`, async (t) => {
      const at = await serve(t, (_request, response) => response.writeHead(302, { location }).end())
      await assert.rejects(caller(t).request(at), { code: 'bad_redirect', retryable: false })
    })
  }
})

describe('an address', () => {
  const base = new URL('https://shop.example/v1')

  it('follows the base, path after path', () => {
    assert.equal(urlFrom('/orders?a=1', base).href, 'https://shop.example/v1/orders?a=1')
    assert.equal(
      urlFrom('orders', new URL('https://shop.example/v1/')).href,
      'https://shop.example/v1/orders'
    )
    assert.equal(urlFrom('', base).href, 'https://shop.example/v1')
    assert.equal(urlFrom('?a=1', base).href, 'https://shop.example/v1?a=1')
  })

  it('leads to another host only where it is written out', () => {
    for (const url of [
      '//evil.example/x',
      '@evil.example',
      '\\\\evil.example',
      'mailto:x@evil.example',
      '..//evil.example'
    ]) {
      assert.equal(urlFrom(url, base).host, 'shop.example', url)
    }
    assert.equal(urlFrom('https://other.example/x', base).href, 'https://other.example/x')
  })

  it('is whole where there is no base', () => {
    assert.throws(() => urlFrom('/orders', undefined), { code: 'url_invalid', message: /Begin it with http/ })
    assert.throws(() => urlFrom('http://', base), { code: 'url_invalid' })
  })
})
