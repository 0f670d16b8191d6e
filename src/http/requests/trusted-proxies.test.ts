import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import Fastify from 'fastify'
import { clientAddress, readTrustedProxies } from './trusted-proxies.ts'

describe('trusted proxies', () => {
  it('are addresses, ranges and the names of some', () => {
    const trusts = readTrustedProxies('192.0.2.1, 10.0.0.0/8,2001:db8::/32,loopback')!
    const trusted = ['192.0.2.1', '10.200.3.4', '::ffff:10.0.0.1', '2001:db8:1::2', '127.0.0.9', '::1']
    for (const address of trusted) assert.equal(trusts(address, 0), true, address)
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::', 'unknown', '']) {
      assert.equal(trusts(address, 0), false, address)
    }
  })

  it('are also so many, whatever their addresses are', () => {
    const trusts = readTrustedProxies('2')!
    assert.deepEqual(
      [0, 1, 2].map((hop) => trusts('192.0.2.1', hop)),
      [true, true, false]
    )
  })

  it('are nothing else, and never everybody', () => {
    for (const text of ['true', '0', '17', '-1', '*', 'example.com', '10.0.0.0/0', '10.0.0.0/33', '::/129'])
      assert.equal(readTrustedProxies(text), undefined, text)
    for (const text of ['10.0.0.0/8/8', '10.0.0.0/', ',', '10.0.0.1,', '10.0.0.1 10.0.0.2', '0.0.0.0/0'])
      assert.equal(readTrustedProxies(text), undefined, text)
  })

  it('tell the same address past the router as in a request of Fastify', async () => {
    const part = fc.constantFrom(
      '127.0.0.1',
      '10.0.0.1',
      '192.0.2.7',
      ' 10.0.0.2 ',
      '',
      'unknown',
      '2001:db8::1'
    )
    const header = fc.option(fc.array(part, { maxLength: 4 }).map((parts) => parts.join(',')))
    for (const setting of ['loopback', 'loopback,10.0.0.0/8', '1', '3']) {
      const trustProxy = readTrustedProxies(setting)!
      const app = Fastify({ trustProxy })
      app.get('/', async ({ ip, raw }) => [ip, clientAddress(raw, trustProxy)])
      await fc.assert(
        fc.asyncProperty(header, async (forwarded) => {
          const headers = forwarded === null ? {} : { 'x-forwarded-for': forwarded }
          const [expected, address] = (await app.inject({ url: '/', headers })).json()
          assert.equal(address, expected)
        })
      )
    }
  })
})
