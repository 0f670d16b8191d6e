import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, it } from 'node:test'
import { SIGNATURE_SCHEMES } from '../../../flows/webhook-signatures.ts'
import { isSigned } from './scheme.test-kit.ts'

const NOW = 1_770_000_000
const BODY = Buffer.from('{"order_id":7,"note":"\u00e9"}')

type Sign = (options: { secret: string; body: Buffer; time: number }) => IncomingHttpHeaders

function hmac(secret: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** What the fields of a Webhook say for a sender that has no scheme of its own. */
const RULE = {
  signature_header: 'X-Langflow-Signature',
  signature_algorithm: 'sha256',
  signature_encoding: 'hex',
  signature_prefix: 'v1=',
  signed_text: 'v1:{header:X-Langflow-Timestamp}:{body}',
  timestamp_header: 'X-Langflow-Timestamp'
}

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const [ours, others] = [keyPair(), keyPair()]
const shown = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

/** How each sender signs, written from its own documentation; twilio.test.ts has the one that signs the address. */
const senders: Record<
  Exclude<(typeof SIGNATURE_SCHEMES)[number], 'Twilio'>,
  { secret: string; isTimed: boolean; sign: Sign }
> = {
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
  },
  Shopify: {
    secret: 'shpss_8b1f3c',
    isTimed: false,
    sign: ({ secret, body }) => ({ 'x-shopify-hmac-sha256': hmac(secret, body).toString('base64') })
  },
  Calendly: {
    secret: 'calendly signing key',
    isTimed: true,
    sign: ({ secret, body, time }) => ({
      'calendly-webhook-signature': `t=${time},v1=${hmac(secret, `${time}.`, body).toString('hex')}`
    })
  },
  SendGrid: {
    secret: shown(ours.publicKey),
    isTimed: true,
    sign: ({ secret, body, time }) => {
      const { privateKey } = secret === shown(ours.publicKey) ? ours : others
      const signed = Buffer.concat([Buffer.from(`${time}`), body])
      return {
        'x-twilio-email-event-webhook-timestamp': `${time}`,
        'x-twilio-email-event-webhook-signature': signBytes('sha256', signed, privateKey).toString('base64')
      }
    }
  },
  HMAC: {
    secret: 'minted by the trigger',
    isTimed: true,
    sign: ({ secret, body, time }) => ({
      'x-langflow-timestamp': `${time}`,
      'x-langflow-signature': `v1=${hmac(secret, `v1:${time}:`, body).toString('hex')}`
    })
  }
}

function verify(scheme: string, headers: IncomingHttpHeaders, secret: string, body: Buffer = BODY): boolean {
  return isSigned({ ...RULE, signature_scheme: scheme }, { headers, body, secret, now: NOW })
}

it('every scheme has a sender here', () => {
  assert.deepEqual(Object.keys({ ...senders, Twilio: 1 }).sort(), [...SIGNATURE_SCHEMES].sort())
})

for (const scheme of Object.keys(senders) as (keyof typeof senders)[]) {
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

describe('HMAC of a sender', () => {
  const verifyBy = (fields: object, headers: IncomingHttpHeaders, secret: string, body: Buffer) =>
    isSigned(
      { ...RULE, timestamp_header: '', signature_scheme: 'HMAC', ...fields },
      { headers, secret, body, now: NOW }
    )

  it('is what Zendesk, Typeform, Notion, Linear and GitHub say of theirs', () => {
    const body = Buffer.from('{"say": "hello"}')
    // From the documentation of Zendesk, as it was when the body came first.
    const zendesk = {
      'x-zendesk-webhook-signature-timestamp': '2021-07-25T10:00:00Z',
      'x-zendesk-webhook-signature': 'tRDSF7URY8BLCDlaBcQ7FHu051Zk+aAB0NKMP53teMw='
    }
    const ofZendesk = {
      signature_header: 'X-Zendesk-Webhook-Signature',
      signature_prefix: '',
      signature_encoding: 'base64',
      signed_text: '{body}{header:x-zendesk-webhook-signature-timestamp}'
    }
    const secret = 'HRkRd4BeOAoUkfZr-mhauJT64rvBASlJRoIyPsd3zeA='
    assert.ok(verifyBy(ofZendesk, zendesk, secret, body))
    assert.ok(!verifyBy({ ...ofZendesk, signed_text: '{body}' }, zendesk, secret, body))
    // From the documentation of GitHub.
    const hello = Buffer.from('Hello, World!')
    const github = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    }
    const ofGitHub = {
      signature_header: 'x-hub-signature-256',
      signature_prefix: 'sha256=',
      signed_text: '{body}'
    }
    assert.ok(verifyBy(ofGitHub, github, "It's a Secret to Everybody", hello))
    assert.ok(verify('GitHub', github, "It's a Secret to Everybody", hello))
  })

  it('takes nothing where its rule is not whole', () => {
    const { secret, sign } = senders.HMAC
    const good = sign({ secret, body: BODY, time: NOW })
    assert.ok(verifyBy({}, good, secret, BODY))
    const broken = {
      signature_header: '',
      signature_algorithm: 'md5',
      signature_encoding: 'x',
      signed_text: 'v1:'
    }
    for (const [field, value] of Object.entries(broken))
      assert.ok(!verifyBy({ [field]: value }, good, secret, BODY), field)
  })
})

describe('a scheme that is not known', () => {
  it('takes nothing', () => {
    const good = senders.GitHub.sign({ secret: 's', body: BODY, time: NOW })
    for (const scheme of ['', 'github', '__proto__', 'constructor', 'toString'])
      assert.equal(verify(scheme, good, 's'), false)
  })
})
