import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import Fastify from 'fastify'
import { sendJson } from '../send-json.ts'
import { type FileAnswerDeps, sendParts } from '../webhook/answers/file-answer.ts'
import { AnswerMemory, limitAnswers } from './answer-memory.ts'
import { answerOn, takeConnection } from './taken-connection.ts'

/** More than sockets take that nobody reads. */
const SIZE = 8 * 1024 ** 2
const DOCUMENT = { texts: Array.from({ length: 800 }, () => 'x'.repeat(SIZE / 800)) }

async function serve(t: TestContext, memory: AnswerMemory): Promise<{ port: number; lines: string[] }> {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } })
  // As the guard of the routes does.
  app.decorateRequest('actor', null)
  app.addHook('onRequest', async (request) => {
    const name = request.headers['x-api-key']
    if (typeof name === 'string') request.actor = { keyId: name, name } as never
  })
  limitAnswers(app, memory)
  app.get('/whole', async () => JSON.stringify(DOCUMENT))
  app.get('/pieces', (_request, reply) => sendJson(reply, DOCUMENT, noPiece, memory))
  const answerOfFlow = (response: ServerResponse) => {
    const onError = (error: unknown) => lines.push(String(error))
    const answer = { status: 200, headers: {}, body: JSON.stringify(DOCUMENT) }
    sendParts(
      response,
      answer,
      { onError } as unknown as FileAnswerDeps & { onError: typeof onError },
      memory
    )
  }
  app.get('/flow', (_request, reply) => {
    reply.hijack()
    answerOfFlow(reply.raw)
  })
  app.get('/taken', (_request, reply) => {
    reply.hijack()
    setImmediate(() => answerOfFlow(answerOn(takeConnection(reply.raw)!)))
  })
  app.get('/short', async () => 'short')
  app.get('/nothing', (_request, reply) => reply.code(204).send())
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return { port: (app.server.address() as AddressInfo).port, lines }
}

const noPiece = async () => undefined

/** Asks, and reads nothing but that an answer has begun. */
async function ask(t: TestContext, port: number, path: string, key?: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  const keyLine = key === undefined ? '' : `x-api-key: ${key}\r\n`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${keyLine}Connection: close\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

async function lengthOf(socket: Socket): Promise<number> {
  let length = 0
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length
  })
  if (!socket.closed) await once(socket, 'close')
  return length
}

describe('answers that nobody reads', () => {
  for (const path of ['/whole', '/pieces', '/flow', '/taken']) {
    it(`take so much memory at the most, and the oldest is cut off (${path})`, async (t) => {
      const memory = new AnswerMemory(60 * 1024 ** 2)
      const { port } = await serve(t, memory)
      const sockets: Socket[] = []
      for (let at = 0; at < 8; at++) sockets.push(await ask(t, port, path))
      assert.ok(memory.bytes > SIZE && memory.bytes <= 60 * 1024 ** 2, `${memory.bytes} bytes`)
      assert.ok((await lengthOf(sockets[0]!)) < SIZE, 'the oldest is cut off')
      assert.ok((await lengthOf(sockets.at(-1)!)) > SIZE, 'the youngest is whole')
    })
  }

  it('are cut off of whoever holds most, be it a key or an address, and the log says whose once', async (t) => {
    const memory = new AnswerMemory(60 * 1024 ** 2)
    const { port, lines } = await serve(t, memory)
    const others = [await ask(t, port, '/whole', 'slow'), await ask(t, port, '/whole')]
    const flood: Socket[] = []
    for (let at = 0; at < 10; at++) flood.push(await ask(t, port, '/whole', 'greedy'))
    for (const socket of others) assert.ok((await lengthOf(socket)) > SIZE, 'read more slowly, and whole')
    assert.ok((await lengthOf(flood[0]!)) < SIZE)
    assert.ok((await lengthOf(flood.at(-1)!)) > SIZE)
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /"key":"greedy","address":"127.0.0.1".*cut off/)
  })

  it('are counted until they are taken', async (t) => {
    const memory = new AnswerMemory(SIZE / 2)
    const { port } = await serve(t, memory)
    for (const path of ['/whole', '/pieces', '/flow', '/taken', '/short', '/nothing']) {
      const isLong = path !== '/short' && path !== '/nothing'
      const socket = await ask(t, port, path)
      assert.equal(memory.bytes > 0, isLong, path)
      assert.equal((await lengthOf(socket)) > SIZE, isLong, path)
      assert.equal(memory.bytes, 0, path)
    }
  })

  it('end with whoever takes nothing of them for a while', async (t) => {
    const memory = new AnswerMemory(SIZE / 2, 100)
    const { port } = await serve(t, memory)
    for (const path of ['/whole', '/flow', '/taken']) {
      const socket = await ask(t, port, path)
      while (memory.bytes > 0) await new Promise((resolve) => setImmediate(resolve))
      assert.ok((await lengthOf(socket)) < SIZE, path)
    }
  })
})
