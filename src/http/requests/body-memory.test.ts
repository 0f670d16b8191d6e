import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import Fastify from 'fastify'
import { asMillraceError, problemAnswer } from '../problem.ts'
import { BodyMemory } from './body-memory.ts'
import { gatherBody } from './gather-body.ts'
import { GatheredRequest } from './gathered-request.ts'

const LIMIT = 100_000
const SIZE = 40_000

type Serve = (t: TestContext, memory: BodyMemory) => Promise<number>

const onTheFastPath: Serve = async (t, memory) => {
  const server = createServer({ IncomingMessage: GatheredRequest }, (request, response) =>
    request.gather(
      (body) => response.end(`whole ${body.length}`),
      (error) => {
        const { status, headers, text } = problemAnswer(error)
        response.writeHead(status, headers).end(text)
      },
      memory
    )
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

const onTheLongWay: Serve = async (t, memory) => {
  const app = Fastify()
  app.addContentTypeParser('*', (request, sent, done) => gatherBody(request, sent, 10 * LIMIT, done, memory))
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, text } = problemAnswer(asMillraceError(error)!)
    return reply.code(status).headers(headers).send(text)
  })
  app.post('/', async ({ body }) => `whole ${(body as Buffer).length}`)
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return (app.server.address() as AddressInfo).port
}

/** Sends all but the last byte. */
async function sendHalf(port: number, size: number) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  await once(socket, 'connect')
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size - 1)}`
  )
  const answered = async (): Promise<string> => {
    while (!/\r\n\r\n[\s\S]+/.test(answer)) await once(socket, 'data')
    return answer
  }
  return { socket, end: () => socket.write('x'), answered }
}

/** Looks in each turn of the loop, in which what came is taken. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

for (const [name, serve] of Object.entries({ onTheFastPath, onTheLongWay })) {
  describe(`bodies on their way, ${name}`, () => {
    it('are refused beyond their share of the memory, the oldest first', { timeout: 20_000 }, async (t) => {
      const memory = new BodyMemory(LIMIT)
      const port = await serve(t, memory)
      const sockets: Socket[] = []
      t.after(() => sockets.forEach((socket) => void socket.destroy()))
      const halves = []
      for (let at = 0; at < 6; at++) {
        const half = await sendHalf(port, SIZE)
        halves.push(half)
        sockets.push(half.socket)
        await until(() => memory.bytes >= Math.min(at + 1, 2) * (SIZE - 1))
      }
      const refused = await halves[0]!.answered()
      assert.match(refused, /^HTTP\/1\.1 503 /)
      assert.match(refused, /retry-after: 5\r\n/i)
      assert.match(refused, /"code":"backlog_full"/)
      assert.ok(memory.bytes <= LIMIT, `${memory.bytes} bytes`)
      const last = halves.at(-1)!
      last.end()
      assert.match(await last.answered(), /200 OK[\s\S]*whole 40000$/)
    })

    it('give back what they took when they are whole, or their sender has gone', {
      timeout: 20_000
    }, async (t) => {
      const memory = new BodyMemory(LIMIT)
      const port = await serve(t, memory)
      const [whole, gone] = [await sendHalf(port, SIZE), await sendHalf(port, SIZE)]
      t.after(() => void whole.socket.destroy())
      await until(() => memory.bytes >= 2 * (SIZE - 1))
      gone.socket.destroy()
      await until(() => memory.bytes < 2 * (SIZE - 1))
      assert.ok(memory.bytes > 0)
      whole.end()
      await whole.answered()
      assert.equal(memory.bytes, 0)
    })

    it('fit by themselves, however large', { timeout: 20_000 }, async (t) => {
      const memory = new BodyMemory(10)
      const { socket, end, answered } = await sendHalf(await serve(t, memory), SIZE)
      t.after(() => void socket.destroy())
      end()
      assert.match(await answered(), /whole 40000$/)
    })
  })
}
