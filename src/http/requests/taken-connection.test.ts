import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { describe, it, type TestContext } from 'node:test'
import { GatheredRequest } from './gathered-request.ts'
import { PlainResponse } from './plain-response.ts'
import { answerOn, noteIfQueued, takeConnection } from './taken-connection.ts'

const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi'

/** A caller, and the answers that it waits for on the server. */
async function serve(t: TestContext, sent = POST, requests = 1) {
  const waiting: PlainResponse[] = []
  const options = { IncomingMessage: GatheredRequest, ServerResponse: PlainResponse }
  const server = createServer(options, (request: IncomingMessage, response: PlainResponse) => {
    noteIfQueued(response)
    ;(request as GatheredRequest).gather(() => {
      waiting.push(response)
      server.emit('waits')
    }, assert.fail)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const caller: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => caller.destroy())
  caller.on('error', () => {})
  caller.write(sent)
  while (waiting.length < requests) await once(server, 'waits')
  return { server, caller, waiting, response: waiting[0]! }
}

describe('a connection that is taken from the web server', () => {
  it('is forgotten by the server, and takes an answer, which ends it', async (t) => {
    const { server, caller, response } = await serve(t)
    const parser = Reflect.get(response.socket!, 'parser')
    const forgotten = once(response, 'close')
    const connection = takeConnection(response)!
    await forgotten
    const connections = await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
    assert.equal(connections, 0)
    assert.equal(Reflect.get(parser, 'socket'), null, 'its parser is there for others')
    answerOn(connection).writeHead(201, { 'x-order': '7', 'content-length': 4 }).end('Zoë')
    const answer = await text(caller)
    assert.match(answer, /^HTTP\/1\.1 201 Created\r\nx-order: 7\r\n/)
    assert.match(answer, /\r\nConnection: close\r\n(?:.+\r\n)*\r\nZoë$/)
  })

  it('takes an answer that is sent piece by piece, however slowly it is read', async (t) => {
    const { caller, response } = await serve(t)
    const answer = answerOn(takeConnection(response)!)
    const pieces = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, 'a'))
    const [read] = await Promise.all([text(caller), pipeline(Readable.from(pieces), answer)])
    assert.equal(read.match(/a{1000,}/g)!.join('').length, 40 * 64 * 1024)
  })

  it('tells when the caller goes away, and reads nothing that it sends meanwhile', async (t) => {
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const { caller, response } = await serve(t)
      const connection = takeConnection(response)!
      caller.write('x'.repeat(1_000_000), () => caller[leave]())
      await new Promise((resolve) => connection.once('close', resolve))
    }
  })

  it('is not taken where another request is on it, an answer has begun, or nobody is there', async (t) => {
    const two = await serve(t, POST + POST, 2)
    assert.equal(takeConnection(two.response), undefined)
    two.waiting.forEach((response, at) => void response.end(String(at)))
    const begun = await serve(t)
    begun.response.flushHeaders()
    assert.equal(takeConnection(begun.response), undefined)
    const gone = await serve(t)
    gone.caller.resetAndDestroy()
    await once(gone.response, 'close')
    assert.equal(takeConnection(gone.response), undefined)
  })
})
