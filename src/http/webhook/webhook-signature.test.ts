import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, it } from 'node:test'
import { SIGNATURE_SCHEMES } from '../../components/webhook.ts'
import { isSignedBy } from './webhook-signature.ts'

const NOW = 1_770_000_000
const BODY = Buffer.from('{"order_id":7,"note":"\u00e9"}')

type Sign = (options: { secret: string; body: Buffer; time: number }) => IncomingHttpHeaders

function hmac(secret: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** How each sender signs, written from its own documentation. */
const senders: Record<(typeof SIGNATURE_SCHEMES)[number], { secret: string; isTimed: boolean; sign: Sign }> =
  {
    'Standard Webhooks': {
      secret: `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`,
      isTimed: true,
      sign: ({ secret, body, time }) => {
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
        const signature = hmac(key, `msg_1.${time}.`, body).toString('base64')
        return {
          'webhook-id': 'msg_1',
          'webhook-timestamp': `${time}`,
          'webhook-signature': `v1,${signature}`
        }
      }
    },
    GitHub: {
      secret: 'It’s a secret',
      isTimed: false,
      sign: ({ secret, body }) => ({ 'x-hub-signature-256': `sha256=${hmac(secret, body).toString('hex')}` })
    },
    Stripe: {
      secret: 'whsec_stripe',
      isTimed: true,
      sign: ({ secret, body, time }) => ({
        'stripe-signature': `t=${time},v1=${hmac(secret, `${time}.`, body).toString('hex')},v0=old`
      })
    },
    Slack: {
      secret: 'slack secret',
      isTimed: true,
      sign: ({ secret, body, time }) => ({
        'x-slack-request-timestamp': `${time}`,
        'x-slack-signature': `v0=${hmac(secret, `v0:${time}:`, body).toString('hex')}`
      })
    }
  }

function verify(scheme: string, headers: IncomingHttpHeaders, secret: string, body: Buffer = BODY): boolean {
  return isSignedBy(scheme, { headers, body, secret, now: NOW })
}

for (const scheme of SIGNATURE_SCHEMES) {
  const { secret, isTimed, sign } = senders[scheme]
  const good = sign({ secret, body: BODY, time: NOW })

  describe(scheme, () => {
    it('takes a good signature', () => assert.equal(verify(scheme, good, secret), true))

    it('takes a good signature of an empty body', () => {
      const body = Buffer.alloc(0)
      assert.equal(verify(scheme, sign({ secret, body, time: NOW }), secret, body), true)
    })

    it('refuses a body that was changed by one bit', () => {
      const body = Buffer.from(BODY)
      body[3]! ^= 1
      assert.equal(verify(scheme, good, secret, body), false)
    })

    it('refuses another secret', () => {
      const other = sign({ secret: 'b3RoZXI=', body: BODY, time: NOW })
      assert.equal(verify(scheme, other, secret), false)
    })

    it('refuses everything without a secret', () => {
      assert.equal(verify(scheme, sign({ secret: '', body: BODY, time: NOW }), ''), false)
    })

    for (const name of Object.keys(good)) {
      it(`refuses a request without ${name}, or with one that is broken`, () => {
        for (const value of [undefined, '', 'x', 'v1,', 'sha256=', 't=,v1=', 'v0=', '%00'])
          assert.equal(verify(scheme, { ...good, [name]: value }, secret), false, String(value))
      })
    }

    if (!isTimed) return

    it('refuses a request that is older than five minutes, or from the future', () => {
      for (const [offset, expected] of [
        [-300, true],
        [-301, false],
        [300, true],
        [301, false]
      ] as const) {
        const headers = sign({ secret, body: BODY, time: NOW + offset })
        assert.equal(verify(scheme, headers, secret), expected, `${offset} s`)
      }
    })

    it('refuses an old request with a new time: the time is signed too', () => {
      const old = JSON.stringify(sign({ secret, body: BODY, time: NOW - 1_000 }))
      assert.equal(verify(scheme, JSON.parse(old.replaceAll(`${NOW - 1_000}`, `${NOW}`)), secret), false)
    })
  })
}

describe('secrets that change', () => {
  it('Standard Webhooks: one good signature among several is enough', () => {
    const { secret, sign } = senders['Standard Webhooks']
    const good = sign({ secret, body: BODY, time: NOW })
    const signature = `v1,b2xk v1a,eA== ${good['webhook-signature']}`
    assert.equal(verify('Standard Webhooks', { ...good, 'webhook-signature': signature }, secret), true)
  })

  it('Stripe: one good signature among several is enough', () => {
    const { secret, sign } = senders.Stripe
    const header = String(sign({ secret, body: BODY, time: NOW })['stripe-signature'])
    const rolled = header.replace(',v1=', `,v1=${'0'.repeat(64)}, v1=`)
    assert.equal(verify('Stripe', { 'stripe-signature': rolled }, secret), true)
  })
})

describe('Standard Webhooks', () => {
  const { secret, sign } = senders['Standard Webhooks']
  const good = sign({ secret, body: BODY, time: NOW })

  it('may have the names that it had before', () => {
    const svix = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name.replace('webhook', 'svix'), value])
    )
    assert.equal(verify('Standard Webhooks', svix, secret), true)
  })

  it('may have a secret without its prefix', () => {
    assert.equal(verify('Standard Webhooks', good, secret.replace('whsec_', '')), true)
  })

  it('refuses a secret that holds no key: anyone could sign with that', () => {
    const forged = hmac('', `msg_1.${NOW}.`, BODY).toString('base64')
    for (const empty of ['whsec_', '****', 'п', 'whsec_='])
      assert.equal(
        verify('Standard Webhooks', { ...good, 'webhook-signature': `v1,${forged}` }, empty),
        false
      )
  })
})

describe('a scheme that is not known', () => {
  it('takes nothing', () => {
    const good = senders.GitHub.sign({ secret: 's', body: BODY, time: NOW })
    for (const scheme of ['', 'github', '__proto__', 'constructor', 'toString'])
      assert.equal(verify(scheme, good, 's'), false)
  })
})
