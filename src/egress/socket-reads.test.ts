import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { IncomingAnswer } from '../flows/step/step-connection.ts'
import { readAllowRule } from './allow-list.ts'
import { Caller } from './caller.ts'
import { Egress } from './egress.ts'
import { serve } from './http-server.test-kit.ts'
import { SocketReads } from './socket-reads.ts'

async function stage(t: TestContext) {
  const streams: ServerResponse[] = []
  const sockets = new Set<unknown>()
  const at = await serve(t, (request, response) => {
    sockets.add(request.socket)
    if (request.url === '/') return response.end('hello')
    streams.push(response)
    response.write('a')
  })
  const clock = manualClock()
  const egress = new Egress({ allow: ['127.0.0.1'].map(readAllowRule), clock })
  t.after(() => egress.close())
  const step = new AbortController()
  const caller = new Caller(egress, {
    trustedFor: () => null,
    headersFor: (_url, headers) => headers,
    signal: step.signal
  })

  /** A stream that is read every 100 ms, its first piece read. */
  async function readSlowly() {
    const answer = await caller.request(`${at}/stream`)
    const pieces = piecesOf(answer)
    assert.equal(await pieces.next(), 'a')
    answer.readEvery(() => 100)
    // To read on had begun before it was told to wait.
    const upstream = streams.at(-1)!
    upstream.write('b')
    assert.equal(await pieces.next(), 'b')
    return { pieces, upstream }
  }

  const hello = async () => piecesOf(await caller.request(at)).next()
  return { clock, step, sockets, readSlowly, hello }
}

function piecesOf({ body }: IncomingAnswer) {
  const iterator = body[Symbol.asyncIterator]()
  return {
    next: async () => {
      const { done, value } = await iterator.next()
      return done === true ? undefined : Buffer.from(value).toString()
    }
  }
}

function write(upstream: ServerResponse, piece: string): Promise<void> {
  return new Promise((resolve) => upstream.write(piece, () => resolve()))
}

describe('a body that is read at intervals', () => {
  it('waits in the socket, and comes as one', async (t) => {
    const { clock, readSlowly, hello } = await stage(t)
    const { pieces, upstream } = await readSlowly()
    const read: (string | undefined)[] = []
    const next = pieces.next().then((piece) => read.push(piece))
    for (const piece of ['c', 'd', 'e']) await write(upstream, piece)
    // Another request comes back later than what was written before it.
    assert.equal(await hello(), 'hello')
    assert.deepEqual(read, [])
    clock.advance(100)
    await next
    assert.deepEqual(read, ['cde'])
  })

  it('leaves its socket to the next request as it was', async (t) => {
    const { clock, sockets, readSlowly, hello } = await stage(t)
    const { pieces, upstream } = await readSlowly()
    upstream.end('c')
    await once(upstream, 'finish')
    clock.advance(100)
    assert.deepEqual([await pieces.next(), await pieces.next()], ['c', undefined])
    // The library uses a socket again a turn of the loop later.
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(await hello(), 'hello')
    assert.deepEqual([sockets.size, clock.timers], [1, 0])
  })

  it('ends with its step while it waits', async (t) => {
    const { clock, step, readSlowly } = await stage(t)
    const { pieces, upstream } = await readSlowly()
    assert.equal(clock.timers, 1)
    const closed = once(upstream, 'close')
    step.abort(new Error('cancelled'))
    await assert.rejects(pieces.next(), /cancelled/)
    await closed
    assert.equal(clock.timers, 0)
  })

  it('is not slowed down where it is large', () => {
    const clock = manualClock()
    let asked = 0
    const socket = new Readable({ highWaterMark: 1024 * 1024, read: () => asked++ })
    new SocketReads(socket, clock).every(() => 100)
    socket.read(0)
    assert.deepEqual([asked, clock.timers], [0, 1])
    // In records, as TLS brings it.
    assert.deepEqual(
      [1, 4_096, 4_096, 8_192].map((length) => socket.push(Buffer.alloc(length))),
      [false, false, false, true]
    )
    assert.deepEqual([asked, clock.timers], [1, 0])
    assert.equal(socket.push(Buffer.alloc(64 * 1024)), true)
    socket.read(0)
    assert.deepEqual([asked, clock.timers], [2, 0])
    assert.equal(socket.push('a'), false)
    socket.read(0)
    clock.advance(100)
    assert.equal(asked, 3)
  })

  it('fails where it is cut off', async (t) => {
    const { clock, readSlowly } = await stage(t)
    const { pieces, upstream } = await readSlowly()
    await write(upstream, 'c')
    upstream.socket!.end()
    clock.advance(100)
    assert.equal(await pieces.next(), 'c')
    clock.advance(100)
    await assert.rejects(pieces.next(), { code: 'UND_ERR_SOCKET' })
  })
})
