import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { flowIn, makeContext, pathsOf } from './support/contexts.ts'
import { createHost, HOST_KEY } from './support/host.ts'
import { guarded, NONE } from './support/host-guard.ts'
import { sendRequest } from './support/http-request.ts'

const UUID_PATH = /[0-9a-f]{8}-[0-9a-f-]{27}\/\d+\//

describe('hooks of the application and guards of contexts', () => {
  /** An application that notes what its hooks see. */
  async function noting(t: Parameters<typeof createHost>[0], more: Parameters<typeof createHost>[1] = {}) {
    const seen: string[] = []
    let log = ''
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        log += chunk
        done()
      }
    })
    const host = await createHost(t, {
      plugins: [guarded],
      ...more,
      server: { logger: { level: 'info', stream }, ...more.server },
      before: (app) => {
        for (const name of ['onRequest', 'preHandler', 'onResponse'] as const) {
          app.addHook(
            name,
            async (request) => void seen.push(`${name} ${request.url} ${request.originalUrl}`)
          )
        }
      }
    })
    await host.app.ready()
    const inject = (url: string, headers: Record<string, string> = {}) =>
      host.app.inject({ method: 'POST', url, headers, payload: '{}' })
    const make = (document: object) =>
      host.app.inject({
        method: 'POST',
        url: '/flows/api/v1/flows',
        headers: { 'x-api-key': HOST_KEY },
        payload: document
      })
    return { host, seen, inject, make, log: () => log }
  }

  it('run once each and see the address that was sent, over the network and injected', async (t) => {
    const { host, seen, inject, make, log } = await noting(t)
    const client = await host.listen()
    await makeContext(client, '/guarded/data')
    const { slug } = (await make(flowIn('/guarded/data', undefined, NONE))).json<FlowBody>()
    const { slug: open } = (await make(flowIn('/', undefined, NONE))).json<FlowBody>()
    for (const flow of [slug, open]) {
      const url = `/flows/api/v1/webhook/${flow}?a=1`
      const expected = ['onRequest', 'preHandler', 'onResponse'].map((name) => `${name} ${url} ${url}`)
      for (const send of [
        async () => (await client.webhook(`${flow}?a=1`, '{}', { headers: { 'x-pass': 'yes' } })).status,
        async () => (await inject(url, { 'x-pass': 'yes' })).statusCode
      ]) {
        seen.length = 0
        assert.equal(await send(), 202)
        assert.deepEqual(seen, expected)
      }
    }
    assert.match(log(), /"url":"\/flows\/api\/v1\/webhook\//)
    assert.doesNotMatch(log(), UUID_PATH, 'the log shows an address that is nobody’s to know')
  })

  it('hold for the flows inside and below, and for nothing of the application', async (t) => {
    const { host, inject, make } = await noting(t, {})
    const client = await host.listen()
    await makeContext(client, '/guarded/data')
    await makeContext(client, '/plain')
    for (const [context, status] of [
      ['/guarded', 401],
      ['/guarded/data', 401],
      ['/plain', 202],
      ['/', 202]
    ] as const) {
      const { slug } = (await make(flowIn(context, undefined, NONE))).json<FlowBody>()
      const url = `/flows/api/v1/webhook/${slug}`
      assert.equal((await inject(url)).statusCode, status, context)
      assert.equal((await client.webhook(slug, '{}', { key: null })).status, status, context)
      assert.equal((await inject(url, { 'x-pass': 'yes' })).statusCode, 202)
      if (status !== 401) continue
      const told = await inject(url, { 'x-api-key': HOST_KEY })
      assert.deepEqual(told.json(), { guard: url })
    }
    assert.deepEqual(await pathsOf(client), ['/', '/guarded', '/guarded/data', '/plain'])
  })

  it('of the application refuse in their own words, and their headers stay on what Millrace hides', async (t) => {
    const host = await createHost(t, {
      plugins: [guarded],
      before: (app) => {
        app.addHook('onRequest', async (request, reply) => {
          reply.header('x-served-by', 'the shop')
          if (request.headers['x-closed']) return reply.code(503).send('The shop is closed.')
        })
      }
    })
    const client = await host.listen()
    const { slug } = await client.createFlow(flowIn('/guarded', undefined, NONE))
    for (const flow of [slug, 'absent']) {
      const closed = await client.webhook(flow, '{}', { key: null, headers: { 'x-closed': '1' } })
      assert.deepEqual([closed.status, closed.text], [503, 'The shop is closed.'])
      const hidden = await client.webhook(flow, '{}', { key: null })
      problemOf(hidden, 401, 'unauthorized')
      assert.equal(hidden.headers.get('x-served-by'), 'the shop')
    }
  })

  it('hold at every address that the application listens at', async (t) => {
    const { host, seen, make } = await noting(t)
    const { slug } = (await make(flowIn('/guarded', undefined, NONE))).json<FlowBody>()
    await host.app.listen({ port: 0, host: 'localhost' })
    for (const { address, family, port } of host.app.addresses() as AddressInfo[]) {
      seen.length = 0
      const at = family === 'IPv6' ? `[${address}]` : address
      const url = `http://${at}:${port}/flows/api/v1/webhook/${slug}`
      const answer = await sendRequest({ method: 'POST', url, headers: {} })
      answer.resume()
      assert.equal(answer.statusCode, 401, address)
      assert.equal(seen.filter((line) => line.startsWith('onRequest')).length, 1)
    }
  })

  it('hold where the application rewrites addresses, or does not mind their case', async (t) => {
    const rewriteUrl = ({ url = '' }) => url.replace(/^\/hook\//, '/flows/api/v1/webhook/')
    const { seen, inject, make } = await noting(t, {
      server: { rewriteUrl, routerOptions: { caseSensitive: false } }
    })
    const { slug } = (await make(flowIn('/guarded', undefined, NONE))).json<FlowBody>()
    for (const url of [
      `/hook/${slug}?a=1`,
      `/flows/api/v1/webhook/${slug}`,
      `/FLOWS/api/V1/webhook/${slug}`
    ]) {
      seen.length = 0
      assert.equal((await inject(url)).statusCode, 401, url)
      assert.equal((await inject(url, { 'x-pass': 'yes' })).statusCode, 202, url)
      for (const line of seen) assert.doesNotMatch(line, UUID_PATH)
    }
  })
})
