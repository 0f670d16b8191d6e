import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSigned } from '../../../../../../src/http/webhook/signatures/scheme.test-kit.ts'
import { signRequest } from './sign-request.ts'

const NOW = 1_800_000_000_500
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('a test request', () => {
  for (const scheme of ['Standard Webhooks', 'GitHub', 'Stripe', 'Slack']) {
    it(`is signed as the service checks it: ${scheme}`, async () => {
      const body = '{"name":"Zoë","n":12345678901234567890}'
      const headers = await signRequest({ scheme, secret: SECRET, body, id: 'msg_1', now: NOW })
      const sent = { headers, secret: SECRET, now: Math.floor(NOW / 1000) }
      assert.ok(isSigned({ signature_scheme: scheme }, { ...sent, body: Buffer.from(body) }))
      assert.ok(!isSigned({ signature_scheme: scheme }, { ...sent, body: Buffer.from(`${body} `) }))
      assert.ok(
        !isSigned({ signature_scheme: scheme }, { ...sent, body: Buffer.from(body), secret: 'whsec_b3RoZXI' })
      )
    })
  }

  it('reads a Standard Webhooks secret in the alphabet of addresses too', async () => {
    const secret = '-_-_8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = await signRequest({
      scheme: 'Standard Webhooks',
      secret,
      body: '1',
      id: 'msg_1',
      now: NOW
    })
    const now = Math.floor(NOW / 1000)
    assert.ok(
      isSigned({ signature_scheme: 'Standard Webhooks' }, { headers, secret, now, body: Buffer.from('1') })
    )
  })

  it('gets no headers from a scheme that nobody knows', async () => {
    for (const scheme of ['Morse', 'toString']) {
      assert.deepEqual(await signRequest({ scheme, secret: SECRET, body: '', id: 'msg_1', now: NOW }), {})
    }
  })
})
