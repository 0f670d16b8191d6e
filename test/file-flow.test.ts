import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FileValue } from '../src/flows/file-value.ts'
import { answerFlow } from './support/answering-flows.ts'
import type { RunBody } from './support/api-client.ts'
import { AUTHORITY } from './support/certificates.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { startMailServer } from './support/mail-server.ts'
import { upload } from './support/paper-flows.ts'
import { type Service, startService } from './support/service.ts'

const lifetime = lifetimeOfFile()

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(request))
}

const outputOf = (run: RunBody, node: string, port = 'body') =>
  run.steps.find((step) => step.node === node)?.outputs?.[port] as unknown

/** Webhook → one node. */
function flowOf(type: string, fields: object, more: object = {}) {
  return {
    name: type,
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'node-1', type, fields, ...more }
    ],
    edges: [{ from: 'webhook-1.data', to: 'node-1.data' }]
  }
}

/** Far less than a file of 20 MB. */
const FEW_BYTES = 8_000_000

/** What is alive, without what nobody collected yet. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // Dead buffers are counted out by a thread of their own, which the next collection waits for.
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

describe('a file on its way through flows', () => {
  let service: Service

  before(async () => {
    service = await startService(lifetime, {
      env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1', MILLRACE_SECRET_KEY: randomBytes(32).toString('base64') }
    })
  })

  it('goes out as a form of 20 MB, twice where it has to, and is never in memory whole', async (t) => {
    const bytes = randomBytes(20_000_000)
    const file = await upload(service, bytes, {
      query: '?filename=film.bin',
      headers: { 'content-type': 'video/mp4' }
    })
    const received: { digest: string; type: string; live: number }[] = []
    let before = 0
    const address = await serve(t, async (request, response) => {
      const hash = createHash('sha256')
      let [size, live, looked] = [0, Number.POSITIVE_INFINITY, 14_000_000]
      for await (const piece of request) {
        hash.update(piece)
        size += piece.length
        // What is swept beside us is counted for a while: of several looks the least is true. Each takes half a second.
        if (size < looked || live - before < FEW_BYTES) continue
        looked += 2_000_000
        live = Math.min(live, liveBytes())
      }
      received.push({ digest: hash.digest('hex'), type: request.headers['content-type']!, live })
      response.writeHead(received.length === 1 ? 503 : 201).end('{}')
    })
    const flow = await service.createFlow(
      flowOf(
        'api-request',
        { method: 'POST', url: address, body_type: 'Multipart', body: { id: '{id}', film: '{film}' } },
        { retry: { attempts: 2, backoff_ms: 1 } }
      )
    )
    before = liveBytes()
    const run = await service.run(flow.slug, JSON.stringify({ id: 7, film: file }))
    assert.equal(run.status, 'succeeded', run.error?.message)
    assert.equal(received.length, 2)
    for (const { digest, type, live } of received) {
      const boundary = /boundary=(.*)$/.exec(type)![1]!
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="id"\r\n\r\n7\r\n--${boundary}\r\nContent-Disposition: form-data; name="film"; filename="film.bin"\r\nContent-Type: video/mp4\r\n\r\n`
      const whole = createHash('sha256').update(head).update(bytes).update(`\r\n--${boundary}--\r\n`)
      assert.equal(digest, whole.digest('hex'))
      assert.ok(live - before < FEW_BYTES, `${live - before} bytes more were alive in the middle of it`)
    }
  })

  it('comes as an answer, is stored as it comes, and goes on to another flow', async (t) => {
    const bytes = randomBytes(5_000_000)
    let sent: Buffer | undefined
    const address = await serve(t, async (request, response) => {
      if (request.method === 'POST') sent = await bodyOf(request)
      response.setHeader('content-type', request.method === 'POST' ? 'text/plain' : 'application/pdf')
      response.end(request.method === 'POST' ? 'thanks' : bytes)
    })
    const forward = await service.createFlow(
      flowOf('api-request', { method: 'POST', url: address, body: '{it}' })
    )
    const fetching = flowOf('api-request', { url: `${address}/report.pdf` })
    const shown = await service.createFlow({
      ...fetching,
      nodes: [...fetching.nodes, { id: 'chat-1', type: 'chat-output' }],
      edges: [...fetching.edges, { from: 'node-1.body', to: 'chat-1.text' }]
    })
    const run = await service.run(shown.slug, '{}')
    const file = outputOf(run, 'node-1') as FileValue
    assert.deepEqual(file, {
      file: file.file,
      filename: 'report.pdf',
      content_type: 'application/pdf',
      size: bytes.length
    })
    assert.deepEqual(JSON.parse(run.messages[0]!.text), file, 'as the Playground is told of it')
    const download = await fetch(`${service.address}/api/v1/files/${file.file}`, {
      headers: { 'x-api-key': service.key }
    })
    assert.ok(bytes.equals(Buffer.from(await download.arrayBuffer())))
    const next = await service.run(forward.slug, JSON.stringify({ it: file }))
    assert.equal(outputOf(next, 'node-1'), 'thanks')
    assert.ok(bytes.equals(sent!))
  })

  it('is attached to a mail, byte by byte', async (t) => {
    const mail = await startMailServer(t)
    const made = await service.post('/api/v1/connections', {
      name: 'mail',
      kind: 'smtp',
      settings: { host: '127.0.0.1', port: mail.port, from: 'shop@shop.example', ca: AUTHORITY }
    })
    assert.equal(made.status, 201, made.text)
    const bytes = randomBytes(1_000)
    const scan = await upload(service, bytes, {
      query: '?filename=scan.pdf',
      headers: { 'content-type': 'application/pdf' }
    })
    const fields = { connection: 'mail', to: 'ann@mail.example', attachments: ['{scan}'] }
    const flow = await service.createFlow(flowOf('send-email', fields))
    const run = await service.run(flow.slug, JSON.stringify({ scan }))
    assert.equal(run.status, 'succeeded', run.error?.message)
    const { source } = mail.mails[0]!
    assert.match(source, /filename=scan\.pdf/)
    assert.ok(source.replaceAll('\r\n', '').includes(bytes.toString('base64')))
  })

  it('is what a flow answers, to a duplicate too, and to nobody who only knows its id', async () => {
    const bytes = randomBytes(300_000)
    const film = await upload(service, bytes, {
      query: '?filename=a.mp4',
      headers: { 'content-type': 'video/mp4' }
    })
    const flow = await service.createFlow(answerFlow({ status: '201', body: '{film}' }, { auth: 'API key' }))
    const ask = (payload: object, headers: Record<string, string> = {}) =>
      fetch(`${service.address}/api/v1/webhook/${flow.slug}`, {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(payload)
      })
    const longWay = { 'idempotency-key': 'the same' }
    for (const headers of [{}, longWay, longWay]) {
      const answer = await ask({ film }, headers)
      const told = ['content-type', 'content-length', 'content-security-policy'].map((name) =>
        answer.headers.get(name)
      )
      assert.deepEqual([answer.status, ...told], [201, 'video/mp4', '300000', 'sandbox'])
      assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())))
    }
    const nobodys = { ...film, file: `file_${'x'.repeat(22)}` }
    const refused = await ask({ film: nobodys })
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [500, 'run_failed'])
  })

  it('is not opened for who only knows its id, nor when it is gone', async (t) => {
    const address = await serve(t, (_request, response) => void response.end('taken'))
    const flow = await service.createFlow(
      flowOf('api-request', { method: 'POST', url: address, body: '{it}' })
    )
    const it = { file: `file_${'x'.repeat(22)}`, filename: 'a', content_type: 'text/plain', size: 1 }
    const run = await service.run(flow.slug, JSON.stringify({ it }))
    assert.deepEqual([run.status, run.error?.code], ['failed', 'file_not_found'])
  })
})
