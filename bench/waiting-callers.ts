import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
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
/** So many come at a time, as callers do: each connects and sends at once. */
const TOGETHER = 100

const sockets: Socket[] = []
while (sockets.length < Number(count))
  sockets.push(...(await Promise.all(Array.from({ length: TOGETHER }, call))))
console.log(`${count} callers wait`)

async function call(): Promise<Socket> {
  const socket = await open()
  await new Promise((sent) => socket.write(request, sent))
  return socket
}

async function open(): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.on('data', (answer) => {
    throw new Error(`answered too early: ${answer}`)
  })
  await once(socket, 'connect')
  return socket
}
