import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { AUTHORITY, VALID } from '../../test/support/certificates.ts'
import { StepError } from '../engine/step-error.ts'
import { readAllowRule } from './allow-list.ts'
import { Egress } from './egress.ts'

const egress = new Egress({ allow: [readAllowRule('127.0.0.1')] })

/** A peer, and a socket to it. */
async function begin(t: TestContext, serve: (peer: Socket) => void, isEncrypted = false) {
  const server = isEncrypted ? createTlsServer(VALID, serve) : createServer(serve)
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const socket = egress.socket()
  t.after(() => socket.destroy())
  return { port, socket: socket.connect(port, '127.0.0.1') }
}

const garble = () => {
  throw new RangeError('no such length')
}

describe('what a driver throws while it reads', () => {
  for (const event of ['data', 'readable', 'end'] as const)
    it(`ends the session, at ${event}`, async (t) => {
      const { port, socket } = await begin(t, (peer) => peer.end('x'))
      socket.on(event, garble)
      if (event === 'end') socket.resume()
      const [error] = (await once(socket, 'error')) as [StepError]
      assert.deepEqual([error.code, error.retryable], ['upstream_malformed', false])
      assert.equal(
        error.message,
        `127.0.0.1, port ${port} answered with something that cannot be understood (no such length). Check host and port, and whether it is what the connection says.`
      )
      assert.equal(socket.destroyed, true)
    })

  it('ends the session where nobody listens to errors', async (t) => {
    const { socket } = await begin(t, (peer) => peer.write('x'))
    socket.on('data', garble)
    const [hadError] = await once(socket, 'close').catch(() => [true])
    assert.deepEqual([socket.destroyed, hadError], [true, true])
  })

  it('ends the session on a stream that was put over it', async (t) => {
    const { socket } = await begin(t, (peer) => peer.on('error', () => {}).write('x'), true)
    await once(socket, 'connect')
    const secured = connectTls({ socket, ca: AUTHORITY, host: '127.0.0.1' })
    socket.guard(secured)
    secured.on('data', garble)
    const [error] = (await once(secured, 'error')) as [StepError]
    assert.equal(error.code, 'upstream_malformed')
    if (!socket.closed) await once(socket, 'close')
  })
})

describe('who looks at what a peer sends', () => {
  it('sees it before the driver, and ends the session with an error of its own', async (t) => {
    const { socket } = await begin(t, (peer) => {
      peer.on('error', () => {})
      peer.write('abc')
      peer.once('data', () => peer.write('def'))
    })
    const seen: string[] = []
    socket.guard(socket, (chunk) => {
      if (chunk.includes('f')) throw new StepError('too much', { code: 'mine' })
    })
    socket.on('data', (chunk) => {
      seen.push(String(chunk))
      socket.write('on')
    })
    await assert.rejects(once(socket, 'close'), { code: 'mine' })
    assert.deepEqual(seen, ['abc'])
  })
})
