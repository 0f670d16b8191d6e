import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { GatheredRequest } from './gathered-request.ts'

/** Answers each request with what was gathered of it; those to /stream are read as any stream is. */
async function serve(t: TestContext) {
  const server = createServer({ IncomingMessage: GatheredRequest }, async (request, response) => {
    if (request.url !== '/stream') return request.gather((body) => response.end(`<${body}>`), assert.fail)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    response.end(`<${Buffer.concat(parts)}>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  let answers = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answers += text
  })
  return {
    server,
    socket,
    async bodies(count: number): Promise<string[]> {
      for (;;) {
        const found = answers.match(/<[^>]*>/g) ?? []
        if (found.length >= count) return found
        await once(socket, 'data')
      }
    }
  }
}

function post(path: string, body: string, length = body.length): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`
}

describe('a request that is gathered', () => {
  it('hands over its body whole, however it came, and leaves the connection to the next one', async (t) => {
    const { socket, bodies } = await serve(t)
    socket.write(post('/', 'one') + post('/', '') + post('/stream', 'as a stream') + post('/', 'four'))
    assert.deepEqual(await bodies(4), ['<one>', '<>', '<as a stream>', '<four>'])
    socket.write(post('/', 'in ', 'in pieces'.length))
    setImmediate(() => socket.write('pie'))
    setImmediate(() => setImmediate(() => socket.write('ces')))
    assert.equal((await bodies(5))[4], '<in pieces>')
  })

  it('is over when it was answered: nobody listens for its end', async (t) => {
    const { server, socket, bodies } = await serve(t)
    const arrived = once(server, 'request')
    socket.write(post('/', 'one'))
    const [request] = (await arrived) as [GatheredRequest]
    await bodies(1)
    assert.deepEqual([request.readableEnded, request.listenerCount('end')], [true, 0])
  })

  it('hands over nothing when it is cut off', async (t) => {
    const { server, socket } = await serve(t)
    const arrived = once(server, 'request')
    socket.write(post('/', 'ha', 4))
    const [request] = (await arrived) as [GatheredRequest]
    socket.destroy()
    await once(request, 'aborted')
    assert.deepEqual([request.complete, request.readableEnded], [false, false])
  })
})
