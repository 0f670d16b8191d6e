import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Connection } from './connection.ts'
import { calledAddress, httpAdditions, spelledByAdditions } from './http-additions.ts'

function additions(settings: object, secrets: Record<string, string>) {
  return httpAdditions({ kind: 'http', settings } as unknown as Connection, secrets)
}

describe('what a connection adds to its requests', () => {
  it('has its secrets filled in, written for their place', () => {
    const secrets = { token: '12:a/b', key: 'k&=é' }
    const added = additions(
      {
        base_url: 'https://api.telegram.org/bot{token}',
        headers: { 'X-Sign': 'v1 {key}', 'X-Plain': '{{a}}' },
        query: { key: '{key}', lang: 'en' }
      },
      secrets
    )
    assert.equal(added.base, 'https://api.telegram.org/bot12:a%2Fb')
    assert.deepEqual(added.headers, { 'x-sign': 'v1 k&=é', 'x-plain': '{a}' })
    const url = calledAddress(new URL('https://a.example/x?q=a%20b'), added)
    assert.equal(url.href, 'https://a.example/x?q=a%20b&key=k%26%3D%C3%A9&lang=en')
    assert.ok(spelledByAdditions(added, secrets).includes('v1 k&=é'))
    assert.ok(spelledByAdditions(added, secrets).includes('12:a%2Fb'))
  })

  it('leaves a parameter to the node that sends it, but for the one that signs in', () => {
    const added = additions(
      { base_url: 'https://a.example', auth: 'query', parameter: 'appid', query: { lang: 'en' } },
      { value: 's' }
    )
    const called = (url: string) => calledAddress(new URL(url), added).search
    assert.equal(called('https://a.example/?lang=de'), '?lang=de&appid=s')
    assert.equal(called('https://a.example/?appid=%E2%80%A2&page=2'), '?page=2&lang=en&appid=s')
    assert.equal(called('https://a.example/'), '?lang=en&appid=s')
  })

  it('says a secret itself, also where an answer led to an address with what stands for it', () => {
    const query = { access_token: '{token}', lang: 'en' }
    const added = additions({ base_url: 'https://a.example', query }, { token: 's' })
    const called = calledAddress(new URL('https://a.example/?access_token=•••&page=2'), added)
    assert.equal(called.search, '?page=2&access_token=s&lang=en')
    const inPath = additions({ base_url: 'https://a.example/bot{token}/' }, { token: '1:s' })
    const next = calledAddress(new URL('https://a.example/bot•••/list?page=2'), inPath)
    assert.equal(next.href, 'https://a.example/bot1:s/list?page=2')
  })

  it('is nothing where a connection adds nothing', () => {
    const url = new URL('https://a.example/?a=1')
    assert.equal(calledAddress(url, additions({ base_url: 'https://a.example' }, {})), url)
  })
})
