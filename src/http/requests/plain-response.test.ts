import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { DateLine, KEEP_ALIVE_MS, PlainResponse } from './plain-response.ts'

type Answer = (response: PlainResponse, body: string) => void

const whole: Answer = (response, body) => {
  const isSent = response.sendWhole(
    'HTTP/1.1 202 Accepted\r\nLocation: /a\r\n',
    body,
    new DateLine().at(Date.now())
  )
  assert.equal(isSent, true)
}

const byNode: Answer = (response, body) => {
  response.writeHead(202, { location: '/a', 'content-length': body.length }).end(body)
}

/** A server, and one connection to it. `told`: all that it has answered, once so many bodies are there. */
async function serve(t: TestContext, onRequest: (request: IncomingMessage, response: PlainResponse) => void) {
  const options = { ServerResponse: PlainResponse, keepAliveTimeout: KEEP_ALIVE_MS }
  const server = createServer(options, onRequest).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  const told = async (bodies: number) => {
    while ((text.match(/<[^>]*>/g) ?? []).length < bodies) await once(socket, 'data')
    return text
  }
  return { server, socket, told }
}

function get(path: string, version = '1.1', fields = ''): string {
  return `GET ${path} HTTP/${version}\r\nHost: a\r\n${fields}\r\n`
}

/** What an answer says, however its names are written and in whatever order. */
function said(text: string): string[] {
  const [head, body] = text.split('\r\n\r\n') as [string, string]
  const [status, ...fields] = head.split('\r\n') as [string, ...string[]]
  const lowered = fields.map((field) => field.replace(/^[^:]+/, (name) => name.toLowerCase()))
  return [status, ...lowered.map((field) => field.replace(/^date: .+ GMT$/, 'date: …')).sort(), body]
}

describe('an answer that is sent as one text', () => {
  it('says what Node would, and leaves the connection to the next one', async (t) => {
    const wholly = await serve(t, (_request, response) => whole(response, '<one>'))
    const nodes = await serve(t, (_request, response) => byNode(response, '<one>'))
    wholly.socket.write(get('/'))
    nodes.socket.write(get('/'))
    const first = await wholly.told(1)
    assert.deepEqual(said(first), said(await nodes.told(1)))
    wholly.socket.write(get('/'))
    assert.deepEqual(said((await wholly.told(2)).slice(first.length)), said(first))
  })

  it('tells who listens to it, and the server that the connection is idle', async (t) => {
    const events: string[] = []
    const { server, socket, told } = await serve(t, (_request, response) => {
      response.on('finish', () => events.push('finish')).on('close', () => events.push('close'))
      whole(response, '<one>')
      assert.equal(response.writableEnded, true)
    })
    socket.write(get('/'))
    await told(1)
    assert.deepEqual(events, ['finish', 'close'])
    const gone = once(socket, 'close')
    server.closeIdleConnections()
    await gone
  })

  it('is not sent before the answer to an earlier request', async (t) => {
    const waiting: PlainResponse[] = []
    const { socket, told } = await serve(t, (_request, response) => {
      waiting.push(response)
      if (waiting.length < 3) return
      const [first, second, third] = waiting as [PlainResponse, PlainResponse, PlainResponse]
      assert.equal(third.sendWhole('HTTP/1.1 202 Accepted\r\n', '<three>', ''), false)
      byNode(third, '<three>')
      whole(first, '<one>')
      whole(second, '<two>')
    })
    socket.write(get('/1') + get('/2') + get('/3'))
    assert.deepEqual((await told(3)).match(/<[^>]*>/g), ['<one>', '<two>', '<three>'])
  })

  it('is left to Node where the connection ends with it, or has ended', async (t) => {
    for (const request of [get('/', '1.0'), get('/', '1.1', 'Connection: close\r\n')]) {
      const { socket, told } = await serve(t, (_request, response) => {
        assert.equal(response.sendWhole('HTTP/1.1 202 Accepted\r\n', '<one>', ''), false)
        byNode(response, '<one>')
      })
      const ended = once(socket, 'end')
      socket.write(request)
      assert.match(await told(1), /connection: close/i)
      await ended
    }
    const gone = Promise.withResolvers<boolean>()
    const { socket } = await serve(t, (_request, response) => {
      response.on('close', () => gone.resolve(response.sendWhole('HTTP/1.1 202 Accepted\r\n', '<one>', '')))
      socket.destroy()
    })
    socket.write(get('/'))
    assert.equal(await gone.promise, false)
  })
})
