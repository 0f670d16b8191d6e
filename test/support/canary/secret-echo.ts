import { once } from 'node:events'
import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { waysToWrite } from '../../../src/connections/redaction/written-ways.test-kit.ts'

/** Says again whatever it was sent to prove who sends it, in every way of writing it. */
export async function startEcho(t: TestContext, token: string): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    const heard = credentialsOf(request)
    const said = JSON.stringify({ heard: heard.flatMap(written) })
    const [path] = request.url!.split('?')
    const headers = {
      'content-type': 'application/json',
      'x-heard': heard.flatMap(written).filter((text) => /^[\x20-\x7e]*$/.test(text))
    }
    if (path === '/token') {
      response.writeHead(200, headers).end(JSON.stringify({ access_token: token, expires_in: 3600, heard }))
    } else if (path === '/refuse') {
      response
        .writeHead(400, headers)
        .end(JSON.stringify({ error: 'invalid_client', error_description: said }))
    } else if (path === '/cut') {
      response.writeHead(200, { ...headers, 'content-length': '1000' }).write(said)
      response.destroy()
    } else response.writeHead(path === '/fail' ? 500 : 200, headers).end(said)
  })
  const port = await listening(t, server)
  return { url: `http://127.0.0.1:${port}` }
}

function written(text: string): string[] {
  return Object.values(waysToWrite(text))
}

function credentialsOf({ headers }: IncomingMessage): string[] {
  const { authorization = '' } = headers
  const [, basic] = /^Basic (.*)$/.exec(authorization) ?? []
  const decoded = basic === undefined ? authorization : Buffer.from(basic, 'base64').toString()
  const secret = decoded.includes(':')
    ? decoded.slice(decoded.indexOf(':') + 1)
    : decoded.replace(/^Bearer /, '')
  const signature = String(headers['webhook-signature'] ?? '')
  return [authorization, secret, String(headers['x-key'] ?? ''), signature].filter((text) => text !== '')
}

export function startTcp(t: TestContext, talk: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    talk(socket)
  })
  return listening(t, server)
}

async function listening(t: TestContext, server: HttpServer | Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
