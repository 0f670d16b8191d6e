import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { it } from 'node:test'
import { GatheredRequest } from './gathered-request.ts'
import { PlainResponse } from './plain-response.ts'

/** Answers before the body has come. */
function refuse(_request: IncomingMessage, response: PlainResponse): void {
  response.writeHead(413, { connection: 'close', 'content-length': 3 }).end('no!')
}

it('whoever is refused in the midst of its body may send the rest of it, and gets the answer', async (t) => {
  const options = { IncomingMessage: GatheredRequest, ServerResponse: PlainResponse }
  const server = createServer(options, refuse).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const sender = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true
  })
  const left = 8 * 1_000_000
  sender.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${left + 1}\r\n\r\nx`)
  let answer = ''
  sender.setEncoding('utf8').on('data', (part) => (answer += part))
  // The answer has come whole, and so nothing more will.
  await once(sender, 'end')
  assert.match(answer, /^HTTP\/1\.1 413 .*\r\n\r\nno!$/s)
  for (let sent = 0; sent < left; sent += 1_000_000)
    await new Promise<void>((resolve, reject) =>
      sender.write(Buffer.alloc(1_000_000), (error) => (error ? reject(error) : resolve()))
    )
  sender.end()
  await once(sender, 'close')
})
