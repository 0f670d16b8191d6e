import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ApiClient, Chunks, problemOf } from './support/api-client.ts'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { anythingFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { multipartOf } from './support/form-body.ts'
import { requestHead } from './support/raw-http.ts'
import { startService } from './support/service.ts'

interface FileBody {
  readonly file: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
}

/** What is on disk of files, by digest. */
async function bytesIn(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'files'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  // What is being let go may be gone by now.
  const read = files.map((file) => readFile(join(file.parentPath, file.name)).catch(() => undefined))
  return (await Promise.all(read)).filter((bytes) => bytes !== undefined).map(digestOf)
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function send(service: ApiClient, slug: string, body: Uint8Array, type: string, headers = {}) {
  return service.webhook(slug, body, { headers: { 'content-type': type, ...headers } })
}

async function inputOf(service: ApiClient, slug: string, body: Uint8Array, type: string, headers = {}) {
  const answer = await send(service, slug, body, type, headers)
  assert.equal(answer.status, 202, answer.text)
  return (await service.waitForRun(answer.json<{ run_id: string }>().run_id)).input
}

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), randomBytes(5_000)])

describe('a file that is sent to a webhook', () => {
  it('is a file in the form, its bytes on disk before the answer', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\r\n--'), randomBytes(300_000)])
    const { body, type } = await multipartOf([
      ['customer', 'Ann'],
      ['invoice', new File([pdf], 'R 12 ü.pdf', { type: 'application/pdf' })],
      ['photo', new File([PNG], 'a.png', { type: 'image/png' })],
      ['photo', new File([PNG], '../../b.png', { type: 'image/png' })],
      ['none', new File([], '', { type: 'application/octet-stream' })]
    ])
    const answer = await send(service, slug, body, type)
    assert.equal(answer.status, 202, answer.text)
    // Bytes that are alike are kept once.
    assert.deepEqual((await bytesIn(service.home)).sort(), [digestOf(pdf), digestOf(PNG)].sort())
    const run = await service.waitForRun(answer.json<{ run_id: string }>().run_id)
    const input = run.input as { invoice: FileBody; photo: FileBody[]; customer: string; none: string }
    const ids = [input.invoice, ...input.photo].map(({ file }) => file)
    for (const id of ids) assert.match(id, /^file_[\w-]{22}$/)
    assert.equal(new Set(ids).size, 3)
    assert.deepEqual(input, {
      customer: 'Ann',
      invoice: {
        file: ids[0],
        filename: 'R 12 ü.pdf',
        content_type: 'application/pdf',
        size: pdf.length
      },
      photo: [
        { file: ids[1], filename: 'a.png', content_type: 'image/png', size: PNG.length },
        { file: ids[2], filename: 'b.png', content_type: 'image/png', size: PNG.length }
      ],
      none: ''
    })
  })

  it('is the payload where it is all that was sent, unless it is JSON or a text', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    for (const [type, headers, filename] of [
      ['image/png', {}, 'payload.png'],
      ['application/octet-stream', {}, 'payload.bin'],
      ['application/pdf', { 'content-disposition': 'attachment; filename="in voice.pdf"' }, 'in voice.pdf'],
      ['audio/x-own', { 'content-disposition': "attachment; filename*=UTF-8''%C3%A4.x" }, 'ä.x']
    ] as const) {
      const { payload } = (await inputOf(service, slug, PNG, type, headers)) as { payload: FileBody }
      assert.deepEqual(payload, { file: payload.file, filename, content_type: type, size: PNG.length })
    }
    for (const [type, body, input] of [
      ['application/octet-stream', '{"a": 1}', { a: 1 }],
      ['image/png', ' [1]', [1]],
      ['application/cbor', '-7', -7],
      ['application/xml', '<a/>', { payload: '<a/>' }],
      ['text/csv', 'a,b', { payload: 'a,b' }],
      ['application/vnd.api+json', 'no', { payload: 'no' }],
      ['application/pdf;charset=utf-8', 'no', { payload: 'no' }],
      ['nonsense', 'no', { payload: 'no' }],
      ['image/png', '', { payload: '' }]
    ] as const)
      assert.deepEqual(await inputOf(service, slug, Buffer.from(body), type), input, `${type}: ${body}`)
    const text = (await inputOf(service, slug, Buffer.from('{"a":'), 'application/octet-stream')) as {
      payload: FileBody
    }
    assert.equal(text.payload.size, 5)
    const large = Buffer.from(`{"a":"${'x'.repeat(1_100_000)}"}`)
    const file = (await inputOf(service, slug, large, 'application/octet-stream')) as { payload: FileBody }
    assert.equal(file.payload.size, large.length, 'JSON is no larger than other bodies')
    assert.ok((await bytesIn(service.home)).includes(digestOf(large)))
  })

  it('is known when it comes again, and leaves nothing the second time', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    const headers = { 'idempotency-key': 'k-1' }
    const form = (bytes: Uint8Array<ArrayBuffer>, name = 'a.png') =>
      multipartOf([
        ['n', '1'],
        ['f', new File([bytes], name, { type: 'image/png' })]
      ])
    const one = await form(PNG)
    const first = await send(service, slug, one.body, one.type, headers)
    const same = await form(PNG)
    const again = await send(service, slug, same.body, same.type, headers)
    assert.deepEqual([again.status, again.json().run_id], [202, first.json().run_id])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    for (const other of [await form(PNG, 'b.png'), await form(Buffer.from('other'))]) {
      const reused = await send(service, slug, other.body, other.type, headers)
      problemOf(reused, 422, 'idempotency_key_reused')
    }
    assert.deepEqual(await bytesIn(service.home), [digestOf(PNG)])
  })

  it('that is refused leaves nothing', async (t) => {
    const service = await startService(t, {
      env: { MILLRACE_FILE_LIMIT: '100kb', MILLRACE_BODY_LIMIT: '10kb' }
    })
    const { slug, id } = await service.createFlow(anythingFlow())
    const small = await multipartOf([['f', new File([PNG], 'a.png', { type: 'image/png' })]])
    const long = randomBytes(102_401)
    const chunked = new Chunks(long.subarray(0, 60_000), long.subarray(60_000))
    problemOf(await send(service, slug, long, 'image/png'), 413, 'body_too_large')
    const sent = { headers: { 'content-type': 'image/png' } }
    problemOf(await service.webhook(slug, chunked, sent), 413, 'file_too_large')
    const two = await multipartOf([
      ['a', new File([PNG], 'a.png')],
      ['b', new File([long], 'b.png')]
    ])
    problemOf(await send(service, slug, two.body, two.type), 413, 'body_too_large')
    const texts = await multipartOf([
      ['f', new File([PNG], 'a.png')],
      ['text', 'x'.repeat(10_241)]
    ])
    problemOf(await send(service, slug, texts.body, texts.type), 413, 'body_too_large')
    const cut = small.body.subarray(0, -4)
    problemOf(await send(service, slug, cut, small.type), 400, 'form_invalid')
    const key = { 'idempotency-key': 'x'.repeat(300) }
    problemOf(await send(service, slug, small.body, small.type, key), 400, 'idempotency_key_invalid')
    const wrong = { 'x-api-key': 'wrong' }
    problemOf(await send(service, slug, small.body, small.type, wrong), 401, 'unauthorized')
    await service.post(`/api/v1/flows/${id}/pause`, { mode: 'refuse' })
    problemOf(await send(service, slug, small.body, small.type), 503, 'flow_paused')
    assert.deepEqual(await bytesIn(service.home), [])
    assert.deepEqual((await service.get(`/api/v1/runs?flow_id=${id}`)).json().runs, [])
  })

  it('whose sender stops in the middle leaves nothing', async (t) => {
    const service = await startService(t)
    const { slug, id } = await service.createFlow(anythingFlow())
    const { body, type } = await multipartOf([
      ['a', new File([PNG], 'a.png')],
      ['b', new File([randomBytes(400_000)], 'b.bin')]
    ])
    for (const [sent, contentType] of [
      [body, type],
      // A body that may be JSON is gathered: of random ones every twelfth begins as if it were.
      [Buffer.concat([PNG, randomBytes(400_000)]), 'application/octet-stream']
    ] as const) {
      const socket = connect(Number(new URL(service.address).port), '127.0.0.1')
      const headers = {
        'x-api-key': service.key,
        'content-type': contentType,
        'content-length': String(sent.length)
      }
      socket.write(requestHead(`POST /v1/webhook/${slug}`, headers))
      socket.write(sent.subarray(0, 300_000))
      await eventually(
        () => bytesIn(service.home),
        (found) => found.length > 0
      )
      socket.destroy()
      await eventually(() => bytesIn(service.home), [])
    }
    assert.deepEqual((await service.get(`/api/v1/runs?flow_id=${id}`)).json().runs, [])
  })
})

/** Of this process, in which the service is: others may have the processors meanwhile. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('a large upload', () => {
  it('holds up no webhook, and is never in memory whole', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    const chunk = randomBytes(1024 * 1024)
    const before = heldBytes()
    const begun = cpuMs()
    let most = 0
    let isOver = false
    const upload = uploadOf(service, slug, async function* () {
      for (let megabyte = 0; megabyte < 20; megabyte++) {
        yield chunk
        if (megabyte % 5 === 4) most = Math.max(most, heldBytes())
        await setImmediate()
      }
    }).finally(() => {
      isOver = true
    })
    const times: number[] = []
    while (!isOver) {
      const since = cpuMs()
      assert.equal((await service.webhook(slug, '{"n":1}')).status, 202)
      times.push(cpuMs() - since)
    }
    const { status, text } = await upload
    const whole = cpuMs() - begun
    assert.equal(status, 202, text)
    const run = await service.waitForRun(JSON.parse(text).run_id)
    assert.equal((run.input as { payload: FileBody }).payload.size, 20 * chunk.length)
    assert.ok(times.length > 3, `${times.length} webhooks passed`)
    const slowest = Math.max(...times)
    assert.ok(slowest < whole / 2, `the slowest of ${times.length} took ${slowest} of ${whole} ms`)
    // With what the sender holds, which is in this process.
    assert.ok(most - before < 5 * 1024 * 1024, `it took ${most - before} bytes`)
  })

  it('that was accepted outlives a kill, and one that was not leaves nothing to be done', async (t) => {
    const first = await spawnService(t, { env: { MILLRACE_API_KEY: CHILD_KEY } })
    const client = await first.client(CHILD_KEY)
    const { slug, id } = await client.createFlow(anythingFlow())
    const bytes = randomBytes(2_000_000)
    const accepted = await send(client, slug, bytes, 'image/png')
    assert.equal(accepted.status, 202, accepted.text)
    const socket = connect(Number(new URL(client.address).port), '127.0.0.1').on('error', () => {})
    const head = { 'x-api-key': CHILD_KEY, 'content-type': 'image/png', 'content-length': '4000000' }
    socket.write(requestHead(`POST /v1/webhook/${slug}`, head))
    socket.write(randomBytes(3_000_000))
    await eventually(
      () => bytesIn(first.home),
      (found) => found.length === 2
    )
    await first.end('SIGKILL')
    socket.destroy()

    const second = await spawnService(t, { home: first.home, env: { MILLRACE_API_KEY: CHILD_KEY } })
    const again = await second.client(CHILD_KEY)
    const run = await again.waitForRun(accepted.json<{ run_id: string }>().run_id)
    assert.equal(run.status, 'succeeded')
    assert.equal((run.input as { payload: FileBody }).payload.size, bytes.length)
    const { runs } = (await again.get(`/api/v1/runs?flow_id=${id}`)).json<{ runs: unknown[] }>()
    assert.equal(runs.length, 1)
    assert.ok((await bytesIn(second.home)).includes(digestOf(bytes)))
  })
})

const collect = collector()

/**
 * Without what nobody holds any more. The bytes of dead buffers are counted out by a thread of their own, after the collection has returned: on a busy
 * machine that is late, and the next collection waits for it.
 */
function heldBytes(): number {
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

/** Sends as fast as it is taken. */
async function uploadOf(
  service: ApiClient,
  slug: string,
  parts: () => AsyncGenerator<Buffer>
): Promise<{ status: number; text: string }> {
  const sent = httpRequest(`${service.address}/v1/webhook/${slug}`, {
    method: 'POST',
    agent: false,
    headers: { 'x-api-key': service.key, 'content-type': 'video/mp4' }
  })
  const answered = once(sent, 'response')
  for await (const part of parts()) if (!sent.write(part)) await once(sent, 'drain')
  sent.end()
  const [answer] = await answered
  const chunks: Buffer[] = []
  for await (const part of answer) chunks.push(part)
  return { status: answer.statusCode, text: Buffer.concat(chunks).toString() }
}
