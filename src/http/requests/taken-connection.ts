import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { PlainResponse } from './plain-response.ts'

// Not by `import`, which loads all of fetch with it. Fastify has loaded this part.
const { IncomingMessage } = process.getBuiltinModule('node:http')

const HAS_NEXT = Symbol('millrace.has-next-request')

/** As Node has it, and hands it from process to process; its types do not tell. */
type Connection = Socket & { _handle?: object | null; [HAS_NEXT]?: boolean }

/** To be told of every request: one that came before the last was answered is answered by the server on its connection. */
export function noteIfQueued({ socket, req }: ServerResponse): void {
  if (socket === null) (req.socket as Connection)[HAS_NEXT] = true
}

/**
 * Takes the connection of a request that is answered much later from the web server, which forgets both. For a connection it keeps a
 * parser of 10 kB and 4 kB of what it knows of the request and of its answer; a connection by itself has 1.5 kB.
 *
 * What the caller sends from now on is not read: its answer ends the connection. Undefined where that is not ours to decide, as the
 * connection is no plain one, has begun with an answer, or has another request on it.
 */
export function takeConnection(response: ServerResponse): Socket | undefined {
  const connection = response.socket as Connection | null
  const handle = connection?._handle
  if (connection == null || handle == null || Object.getPrototypeOf(connection) !== Socket.prototype)
    return undefined
  if (response.headersSent || connection.writableLength > 0 || connection[HAS_NEXT] === true) return undefined
  connection._handle = null
  // The server lets go of all that it has for it, as of one that was closed.
  connection.destroy()
  const taken = new Socket({ handle } as ConstructorParameters<typeof Socket>[0])
  return taken.on('error', ignore).resume()
}

/** A `close` follows, which tells all there is to do. */
function ignore(): void {}

/** What is answered on a connection that was taken, and ends it. */
export function answerOn(connection: Socket): ServerResponse {
  const request = Object.assign(new IncomingMessage(connection), {
    method: 'POST',
    httpVersionMajor: 1,
    httpVersionMinor: 1
  })
  const response = new PlainResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(connection)
  // No server is there that would. Who sends more than the connection takes at once waits for the drain.
  connection.on('drain', () => response.emit('drain'))
  connection.once('timeout', () => connection.destroy())
  return response.once('finish', () => connection.destroySoon())
}
