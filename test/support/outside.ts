import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { cleanUp } from './clean-up.ts'

/** A call that a step of a flow made. It waits until it is answered. */
export interface Call {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  answer(body?: unknown, status?: number): void
  /** Resolves when the caller has gone, answered or not. */
  readonly gone: Promise<void>
}

/** The world that flows reach: it records every call and answers when the test says so. */
export interface Outside {
  url(path?: string): string
  readonly calls: readonly Call[]
  /** The next call that nobody has taken yet. */
  next(): Promise<Call>
  /** From now on calls are answered at once. */
  answerAll(reply: (call: Call) => { body?: unknown; status?: number }): void
}

/** Start it after the service: what was started last is closed first, so no step holds the service back. */
export async function startOutside(test: TestContext): Promise<Outside> {
  const calls: Call[] = []
  const untaken: Call[] = []
  const takers: ((call: Call) => void)[] = []
  let reply: Parameters<Outside['answerAll']>[0] | undefined
  const server = createServer(async (request, response) => {
    const call = await readCall(request, response)
    if (call === undefined) return
    calls.push(call)
    if (reply !== undefined) {
      const { body, status } = reply(call)
      return call.answer(body, status)
    }
    const taker = takers.shift()
    if (taker === undefined) untaken.push(call)
    else taker(call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    calls,
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    next: () => {
      const call = untaken.shift()
      return call === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(call)
    },
    answerAll: (answer) => {
      reply = answer
    }
  }
}

/** Undefined for a caller who has gone before all of the call was here: a step that is cancelled as it begins. */
async function readCall(request: IncomingMessage, response: ServerResponse): Promise<Call | undefined> {
  // Listened for before the body is read: a caller may go while it is.
  const gone = new Promise<void>((resolve) => response.once('close', resolve))
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return undefined
  }
  return {
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    answer: (body = {}, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    },
    gone
  }
}
