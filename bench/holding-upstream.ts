import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An API that takes its time: a POST is answered when `/release` is asked for. `/held` tells how many wait. It stands
 * for calls of five seconds and more without a clock deciding how many of them overlap.
 */
const held: ServerResponse[] = []

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  if (request.method === 'POST') return void held.push(response)
  const count = held.length
  if (request.url === '/release') for (const waiting of held.splice(0)) waiting.end('{"ok":true}')
  response.end(String(count))
})

server.listen({ port: 0, host: '127.0.0.1', backlog: 10_000 }, () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`The upstream is ready at http://127.0.0.1:${port}\n`)
})
