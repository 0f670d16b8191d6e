import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { isSigned } from './scheme.test-kit.ts'
import { twilioSignature } from './twilio.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function request(url: string, body: string, headers: Record<string, string> = FORM) {
  return { method: 'POST', url, headers, body: Buffer.from(body) }
}

describe('the signature of Twilio', () => {
  it('is that of the example in its documentation', () => {
    const body = new URLSearchParams({
      CallSid: 'CA1234567890ABCDE',
      Caller: '+12349013030',
      Digits: '1234',
      From: '+12349013030',
      To: '+18005551212'
    }).toString()
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
    assert.equal(
      twilioSignature(request(url, body), '12345')?.toString('base64'),
      '0/KCTR6DLpKmkAf8muzZqo1nDgQ='
    )
  })

  it('does not depend on the order of the fields', () => {
    const url = 'https://mill.example/x'
    assert.deepEqual(
      twilioSignature(request(url, 'b=2&a=1'), 's'),
      twilioSignature(request(url, 'a=1&b=2'), 's')
    )
  })

  it('is of no form that has more fields than Twilio sends', () => {
    const url = 'https://mill.example/x'
    const form = (fields: number) => Array.from({ length: fields }, (_, n) => `a${n}=1`).join('&')
    assert.ok(twilioSignature(request(url, form(1_000)), 's'))
    assert.equal(twilioSignature(request(url, form(1_001)), 's'), undefined)
  })

  it('holds another body by its digest in the address', () => {
    const body = '{"a":1}'
    const json = { 'content-type': 'application/json' }
    const url = (digest: string) => `https://mill.example/x?bodySHA256=${digest}`
    const good = hash('sha256', body, 'hex')
    assert.ok(twilioSignature(request(url(good), body, json), 's'))
    assert.equal(twilioSignature(request(url(good), '{"a":2}', json), 's'), undefined)
    assert.equal(twilioSignature(request('https://mill.example/x', body, json), 's'), undefined)
  })

  it('is taken with the port of the address or without it, and of no other address', () => {
    const body = 'CallSid=CA1'
    const sign = (url: string) => twilioSignature(request(url, body), 'secret')!.toString('base64')
    const takes = (signed: string, url: string) =>
      isSigned(
        { signature_scheme: 'Twilio' },
        {
          headers: { ...FORM, 'x-twilio-signature': sign(signed) },
          body: Buffer.from(body),
          secret: 'secret',
          now: 0,
          url
        }
      )
    assert.ok(takes('https://mill.example/x?a=1', 'https://mill.example/x?a=1'))
    assert.ok(takes('https://mill.example:443/x?a=1', 'https://mill.example/x?a=1'))
    assert.ok(takes('https://mill.example/x', 'https://mill.example:8443/x'))
    assert.ok(!takes('https://mill.example/y', 'https://mill.example/x'))
    assert.ok(!takes('http://mill.example/x', 'https://mill.example/x'))
  })
})
