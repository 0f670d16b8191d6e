import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** Long enough for an answer to cross any network, and for what was on its way meanwhile to arrive. */
const LINGER_MS = 5_000

/**
 * To be called when an answer is sent whose request has not come whole. Where the answer ends the connection, what is still coming is read and
 * thrown away for a while: a connection that is closed with something unread is reset, and the sender loses the answer. A proxy makes a
 * 502 of that, after which a sender that was refused for good tries again.
 */
export function closeWhenRead(connection: Socket, request: IncomingMessage): void {
  // What Node ends a connection by, after its last answer.
  connection.destroySoon = () => {
    const close = () => Socket.prototype.destroySoon.call(connection)
    if (request.complete || request.destroyed) return close()
    connection.end()
    const timer = setTimeout(() => connection.destroy(), LINGER_MS)
    timer.unref()
    connection.once('close', () => clearTimeout(timer))
    request.once('end', close).resume()
  }
}
