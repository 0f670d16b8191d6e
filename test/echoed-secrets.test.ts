import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { waysToWrite } from '../src/connections/redaction/written-ways.test-kit.ts'
import type { ApiClient, RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { serviceOfFile } from './support/service.ts'

const SECRET = 'canary/9f+Q-0123 456789_Zz"x'
const service = serviceOfFile({ env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })

type Answers = (request: IncomingMessage, response: ServerResponse, heard: string) => void

async function peer(t: TestContext, answers: Answers): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    answers(request, response, String(request.headers['x-token'] ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(t, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

let made = 0

/** What a run of one request by a connection to this address comes to. */
async function called(
  client: ApiClient,
  url: string,
  fields: object
): Promise<{ run: RunBody; text: string }> {
  const name = `echo-${++made}`
  const settings = { base_url: url, auth: 'header', header: 'x-token' }
  const body = { name, kind: 'http', settings, secrets: { value: SECRET } }
  assert.equal((await client.post('/api/v1/connections', body)).status, 201)
  const flow = await client.createFlow({
    name,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { auth: 'None' } },
      {
        id: 'call',
        type: 'api-request',
        fields: { connection: name, url: '/', ...fields },
        retry: { attempts: 1 }
      }
    ],
    edges: [{ from: 'webhook-1.data', to: 'call.data' }]
  })
  const { id } = await client.run(flow.slug, '{}')
  const { text, json } = await client.get(`/api/v1/runs/${id}`)
  return { run: json<RunBody>(), text }
}

/** None of its letters in a row, however they are written. */
function assertGone(text: string, where: string): void {
  for (const [way, written] of Object.entries(waysToWrite(SECRET))) {
    const middle = written.slice(8, -8)
    assert.ok(!text.includes(middle), `${way} in ${where}: ${text.slice(0, 2000)}`)
    assert.ok(!text.includes(JSON.stringify(middle).slice(1, -1)), `${way}, as JSON, in ${where}`)
  }
}

describe('a peer that says a secret again', () => {
  it('is read without it, in every way of writing it, as JSON, text, bytes, gzip, in headers and errors', async (t) => {
    const client = await service(t)
    const all = Object.values(waysToWrite(SECRET))
    const { url } = await peer(t, (request, response, heard) => {
      assert.equal(heard, SECRET)
      const said = Object.fromEntries(Object.entries(waysToWrite(heard)))
      if (request.url!.endsWith('/bytes')) {
        response.setHeader('content-type', 'application/octet-stream')
        return response.end(Buffer.concat([Buffer.from([0, 1]), Buffer.from(all.join('\0\0'), 'latin1')]))
      }
      if (request.url!.endsWith('/text')) {
        response.setHeader('content-type', 'text/plain')
        return response.end(all.join(' | '))
      }
      response.setHeader('content-type', 'application/json')
      if (request.url!.endsWith('/gzip')) {
        response.setHeader('content-encoding', 'gzip')
        return response.end(gzipSync(JSON.stringify(said)))
      }
      if (request.url!.endsWith('/header')) {
        response.setHeader('x-echo', all.filter((text) => /^[\x20-\x7e]*$/.test(text)).join(' | '))
        return response.end('{}')
      }
      if (request.url!.endsWith('/pieces')) {
        // Each piece is one of its own on the way, too.
        const text = JSON.stringify(said)
        const pieces = text.match(/.{1,7}/gs)!
        const next = () => {
          const piece = pieces.splice(0, 40)
          return piece.length === 0
            ? response.end()
            : response.write(piece.join(''), () => setImmediate(next))
        }
        return next()
      }
      // An error shows the first 500 bytes of what was said: the secret lies across the end of them.
      if (request.url!.endsWith('/cut')) return response.writeHead(400).end(`${'x'.repeat(480)}${heard}`)
      response.end(JSON.stringify({ said, list: [heard], [heard]: 1 }))
    })
    for (const path of ['/json', '/bytes', '/text', '/gzip', '/header', '/pieces', '/cut']) {
      const { run, text } = await called(client, url, { url: path })
      assert.equal(run.status, path === '/cut' ? 'failed' : 'succeeded', text)
      assertGone(text, path)
      const [, call] = run.steps
      const base64 = (call!.outputs?.body as { base64?: string } | undefined)?.base64
      if (path === '/bytes') assertGone(Buffer.from(base64!, 'base64').toString('latin1'), 'the bytes')
      if (path === '/cut') assert.ok(!text.includes('canary'), text)
    }
  })

  it('does not have it carried to another host, by a next page or a redirect', async (t) => {
    const client = await service(t)
    const elsewhere = await peer(t, (_request, response) => response.end('[]'))
    const own = await peer(t, (request, response, heard) => {
      const there = `${elsewhere.url}/?heard=${encodeURIComponent(heard)}`
      response.setHeader('content-type', 'application/json')
      if (request.url!.endsWith('/moved')) return response.writeHead(302, { location: there }).end()
      if (request.url!.endsWith('/link')) response.setHeader('link', `<${there}>; rel="next"`)
      response.end(JSON.stringify({ items: [1], next: there, bare: `${elsewhere.url}/` }))
    })
    const pages = { pagination: 'Next link', items: '{body.items}' }
    for (const fields of [
      { url: '/body', ...pages, next: '{body.next}' },
      { url: '/bare', ...pages, next: '{body.bare}' },
      { url: '/link', ...pages }
    ]) {
      const { run, text } = await called(client, own.url, fields)
      assert.deepEqual([run.status, run.error?.code], ['failed', 'pagination_leaves_origin'], text)
      assertGone(text, fields.url)
    }
    const { run, text } = await called(client, own.url, { url: '/moved' })
    assert.deepEqual([run.status, run.error?.code], ['failed', 'bad_redirect'], text)
    assertGone(text, 'the redirect')
    assert.deepEqual(elsewhere.asked, [])
  })
})
