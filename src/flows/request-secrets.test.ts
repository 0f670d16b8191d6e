import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isSecretName, redactQuery } from './request-secrets.ts'

const SECRET = [
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-gitlab-token',
  'x-telegram-bot-api-secret-token',
  'x-auth-token',
  'x-goog-channel-token',
  'x-hub-signature-256',
  'x-shopify-hmac-sha256',
  'stripe-signature',
  'x-slack-signature',
  'webhook-signature',
  'x-amz-security-token',
  'x-amzn-oidc-data',
  'cf-access-jwt-assertion',
  'x-functions-key',
  'ocp-apim-subscription-key',
  'X-Auth',
  'token',
  'access_token',
  'accessToken',
  'ACCESS-TOKEN',
  'key',
  'api_key',
  'apiKey',
  'apikey',
  'secret',
  'client_secret',
  'clientSecret',
  'password',
  'sig',
  'sign',
  'signature',
  'X-Amz-Signature',
  'X-Amz-Credential',
  'auth[token]',
  'jwt'
]

const PLAIN = [
  'host',
  'user-agent',
  'accept',
  'content-type',
  'content-length',
  'x-order',
  'x-request-id',
  'x-forwarded-for',
  'x-github-delivery',
  'x-github-event',
  'x-gitlab-event',
  'idempotency-key',
  'webhook-id',
  'webhook-timestamp',
  'ce-id',
  'ce-source',
  'traceparent',
  'x-author',
  'authority',
  'issueKey',
  'project_key',
  'routing-key',
  'sec-websocket-key',
  'page',
  'order_id',
  'monkey',
  'design',
  'passenger',
  'signal',
  '',
  'x'
]

describe('the name of a secret', () => {
  it('is known however its words are parted', () => {
    assert.deepEqual(
      SECRET.filter((name) => !isSecretName(name)),
      []
    )
  })

  it('is not taken for what merely sounds alike', () => {
    assert.deepEqual(PLAIN.filter(isSecretName), [])
  })
})

describe('a query', () => {
  const redact = (address: string) => redactQuery(address, isSecretName)

  it('loses its secrets and keeps the rest as it was written', () => {
    for (const [address, expected] of [
      ['/a', '/a'],
      ['/a?', '/a?'],
      ['/a?x=1', '/a?x=1'],
      ['/a?token=s', '/a'],
      ['/a?x=%20+1&token=s&y', '/a?x=%20+1&y'],
      ['/a?to%6Ben=s&x=1', '/a?x=1'],
      ['/a?x=1&TOKEN=s&token=s', '/a?x=1'],
      ['/a?token', '/a'],
      ['/a?x=1?token=s', '/a?x=1?token=s'],
      ['https://b/c?key=s#d?token=e', 'https://b/c#d?token=e'],
      ['/a?x=%zz&key=s', '/a?x=%zz']
    ] as const) {
      assert.equal(redact(address), expected, address)
    }
  })

  it('gives what it gave before, of every name that is not secret', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
        const query = new URLSearchParams(pairs).toString()
        const redacted = redact(`/a?${query}`).slice('/a?'.length)
        assert.deepEqual(
          [...new URLSearchParams(redacted)],
          pairs.filter(([name]) => !isSecretName(name))
        )
      })
    )
  })
})
