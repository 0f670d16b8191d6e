import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { readAllowRule } from './allow-list.ts'
import { Egress } from './egress.ts'
import { serve } from './http-server.test-kit.ts'

const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 }

async function served(t: TestContext, listener: RequestListener): Promise<{ readonly port: number }> {
  return { port: Number(new URL(await serve(t, listener)).port) }
}

function open(t: TestContext, allow: string[], lookup?: (host: string) => LookupAddress[]): Egress {
  const egress = new Egress({
    allow: allow.map(readAllowRule),
    ...(lookup && { lookup: async (host: string) => lookup(host) })
  })
  t.after(() => egress.close())
  return egress
}

const refused = { code: 'egress_refused', retryable: false }

describe('fetch through the guard', () => {
  it('reaches what is allowed and refuses the rest, with the address, the rule and what to do', async (t) => {
    const { port } = await served(t, (_request, response) => response.end('hello'))
    const egress = open(t, [`127.0.0.1:${port}`])
    assert.equal(await (await egress.fetch(`http://127.0.0.1:${port}/`)).text(), 'hello')
    await assert.rejects(egress.fetch('http://127.0.0.1:4321/'), {
      ...refused,
      message:
        'Steps may not reach 127.0.0.1, port 4321: it is an address of this very machine. Add 127.0.0.1:4321 to MILLRACE_EGRESS_ALLOW, or let somebody with the right "admin" for the root save a connection with this host and port.'
    })
    await assert.rejects(egress.fetch('http://169.254.169.254/'), /Only an entry for this very address/)
  })

  for (const host of [
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '１２７.0.0.1'
  ]) {
    it(`is not misled by ${host}`, async (t) => {
      await assert.rejects(open(t, []).fetch(`http://${host}:4321/`), refused)
    })
  }

  it('looks a name up once and goes where that led, whatever it says later', async (t) => {
    const { port } = await served(t, (_request, response) => response.end('hello'))
    const answers: LookupAddress[][] = [[LOOPBACK], [{ address: '10.0.0.1', family: 4 }]]
    const egress = open(t, ['127.0.0.1'], () => answers.shift() ?? [])
    assert.equal(await (await egress.fetch(`http://rebinding.test:${port}/`)).text(), 'hello')
    assert.equal(answers.length, 1)
  })

  it('refuses a name as soon as one of its addresses is refused', async (t) => {
    const egress = open(t, [], () => [{ address: '8.8.8.8', family: 4 }, LOOPBACK])
    await assert.rejects(egress.fetch('http://both.test/'), /both\.test \(127\.0\.0\.1\), port 80/)
  })

  it('judges each redirect anew', async (t) => {
    const { port } = await served(t, (request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
      else response.writeHead(302, { location: '/away' }).end()
    })
    await assert.rejects(open(t, [`127.0.0.1:${port}`]).fetch(`http://127.0.0.1:${port}/`), {
      ...refused,
      message: /10\.0\.0\.1, port 80/
    })
  })

  it('trusts the address of a connection for the calls of that connection only', async (t) => {
    const { port } = await served(t, (_request, response) => response.end('hello'))
    const egress = open(t, [])
    const url = `http://127.0.0.1:${port}/`
    const trusted = { host: '127.0.0.1', port }
    // Read to its end, the socket stays open and could be used again.
    assert.equal(await (await egress.fetch(url, {}, trusted)).text(), 'hello')
    await assert.rejects(egress.fetch(url), refused)
    await assert.rejects(egress.fetch(url, {}, { host: '127.0.0.1', port: port + 1 }), refused)
  })
})

describe('a request through the guard', () => {
  it('is one request: a redirect is an answer', async (t) => {
    const { port } = await served(t, (_request, response) => response.writeHead(302, { location: '/' }).end())
    const egress = open(t, ['127.0.0.1'])
    const { statusCode, body } = await egress.request(new URL(`http://127.0.0.1:${port}/`), { method: 'GET' })
    await body.dump()
    assert.equal(statusCode, 302)
    await assert.rejects(egress.request(new URL('http://10.0.0.1/'), { method: 'GET' }), refused)
  })
})

describe('a call over TLS', () => {
  it('offers HTTP/1.1 and not HTTP/2, where one socket would carry many calls', async (t) => {
    const greeting = Promise.withResolvers<string>()
    const server = createTcpServer((socket) => {
      socket.once('data', (data) => {
        greeting.resolve(data.toString('latin1'))
        socket.destroy()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    await assert.rejects(open(t, ['127.0.0.1']).fetch(`https://127.0.0.1:${port}/`))
    // The list of protocols, as it stands in the first message of TLS: lengths stand before it and before each.
    assert.ok((await greeting.promise).includes('\x00\x09\x08http/1.1'))
  })
})

describe('a body that ends where the other side closes', () => {
  /** Answers with no length and no chunks, and closes. Resolves `closed` when the caller has closed too. */
  async function closing(t: TestContext, body: string) {
    const closed = Promise.withResolvers<void>()
    const server = createTcpServer((socket) => {
      socket.on('close', () => closed.resolve())
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    return { url: new URL(`http://127.0.0.1:${port}/`), closed: closed.promise }
  }

  for (const name of ['request', 'fetch']) {
    it(`is whole for whoever reads it after that, with ${name}`, async (t) => {
      // As much as is taken in before the parser pauses: all has come then, but for the end.
      const whole = 'a'.repeat(64 * 1024)
      const { url, closed } = await closing(t, whole)
      const egress = open(t, ['127.0.0.1'])
      const answer =
        name === 'fetch' ? await egress.fetch(url) : (await egress.request(url, { method: 'GET' })).body
      await closed
      assert.equal(await answer.text(), whole)
    })
  }
})

describe('a socket for a driver', () => {
  it('connects as one of node:net, where it may', async (t) => {
    const server = createTcpServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const egress = open(t, [], () => [LOOPBACK])
    for (const host of ['127.0.0.1', 'db.internal']) {
      const socket = egress.socket({ host, port })
      socket.connect(port, host)
      const [text] = await socket.toArray()
      assert.equal(String(text), 'hello')
    }
  })

  it('sends what was written before it had connected, and never connects once it is hung up', async (t) => {
    let connections = 0
    const server = createTcpServer((socket) => {
      connections += 1
      socket.pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const egress = open(t, [], () => [LOOPBACK])
    for (const host of ['127.0.0.1', 'db.internal']) {
      egress.socket({ host, port }).connect(port, host).destroy()
      const socket = egress.socket({ host, port })
      socket.connect(port, host)
      socket.end('last words')
      assert.equal(String(await socket.toArray()), 'last words')
    }
    assert.equal(connections, 2)
  })

  for (const host of ['127.0.0.1', 'db.internal']) {
    it(`fails where it may not: ${host}`, async (t) => {
      const socket = open(t, [], () => [LOOPBACK]).socket()
      socket.connect({ host, port: 5432 })
      await assert.rejects(once(socket, 'connect'), refused)
    })
  }
})
