import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { type HmacRule, readSignedText } from '../../../flows/webhook-signatures.ts'
import { hmacOf, sentHmac } from './hmac-rule.ts'
import type { SignedRequest } from './scheme.ts'

const REQUEST: SignedRequest = {
  method: 'POST',
  url: 'https://mill.example/api/v1/webhook/orders?a=1',
  headers: { 'x-time': '1700000000', 'x-sign': 'sha256=00ff' },
  body: Buffer.from('{"a":1}')
}

function rule(signedText: string, over: Partial<HmacRule> = {}): HmacRule {
  return {
    header: 'x-sign',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    timestampHeader: null,
    signedText: readSignedText(signedText)!,
    ...over
  }
}

const signed = (text: string, algorithm = 'sha256') => createHmac(algorithm, 'secret').update(text).digest()

describe('an HMAC of any sender', () => {
  it('is of the body, and of what else its text names', () => {
    const cases: [template: string, text: string][] = [
      ['{body}', '{"a":1}'],
      ['v0:{header:X-Time}:{body}', 'v0:1700000000:{"a":1}'],
      ['{method}\n{url}\n{body}', `POST\n${REQUEST.url}\n{"a":1}`],
      ['{body}{body}', '{"a":1}{"a":1}'],
      ['{other}{body}', '{other}{"a":1}']
    ]
    for (const [template, text] of cases)
      assert.deepEqual(hmacOf(rule(template), REQUEST, 'secret'), signed(text), template)
  })

  it('is of each algorithm', () => {
    for (const algorithm of ['sha1', 'sha512'] as const)
      assert.deepEqual(hmacOf(rule('{body}', { algorithm }), REQUEST, 'secret'), signed('{"a":1}', algorithm))
  })

  it('is not known where a header that it is of is missing', () => {
    assert.equal(hmacOf(rule('{header:x-other}.{body}'), REQUEST, 'secret'), undefined)
  })

  it('must be of the body: else it would be good for any', () => {
    for (const template of ['', 'text', '{header:x-time}', '{url}'])
      assert.equal(readSignedText(template), undefined)
  })

  it('is read after its prefix, and by its encoding', () => {
    assert.deepEqual(sentHmac(rule('{body}', { prefix: 'sha256=' }), REQUEST.headers), Buffer.from([0, 255]))
    assert.equal(sentHmac(rule('{body}', { prefix: 'sha1=' }), REQUEST.headers), undefined)
    assert.equal(sentHmac(rule('{body}', { header: 'x-none' }), REQUEST.headers), undefined)
    const headers = { 'x-sign': 'AP8=' }
    assert.deepEqual(sentHmac(rule('{body}', { encoding: 'base64' }), headers), Buffer.from([0, 255]))
  })
})
