import { once } from 'node:events'
import { connect } from 'node:net'
import { PAYLOAD } from './load.ts'

/** Calls a flow that answers late, over as many connections as it is told, and holds them. Says on stdout when all have called. */
const [address, count, key] = process.argv.slice(2) as [string, string, string]
const { hostname, port, pathname } = new URL(address)
const request = [
  `POST ${pathname} HTTP/1.1`,
  `Host: ${hostname}:${port}`,
  `x-api-key: ${key}`,
  'content-type: application/json',
  `content-length: ${Buffer.byteLength(PAYLOAD)}`,
  '',
  PAYLOAD
].join('\r\n')
/** At once: a server takes so many that it has not looked at yet. */
const TOGETHER = 100

for (let called = 0; called < Number(count); called += TOGETHER)
  await Promise.all(Array.from({ length: TOGETHER }, call))
console.log(`${count} callers wait`)

async function call(): Promise<void> {
  const socket = connect(Number(port), hostname)
  socket.on('data', (answer) => {
    throw new Error(`answered too early: ${answer}`)
  })
  await once(socket, 'connect')
  await new Promise((sent) => socket.write(request, sent))
}
