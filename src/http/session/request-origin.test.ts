import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, it } from 'node:test'
import { originOf, type RequestOrigin } from './request-origin.ts'

const host = '127.0.0.1:7860'

describe('originOf', () => {
  const rows: [headers: IncomingHttpHeaders, origin: RequestOrigin][] = [
    [{ host, 'sec-fetch-site': 'same-origin' }, 'same'],
    [{ host, 'sec-fetch-site': 'none' }, 'same'],
    [{ host, 'sec-fetch-site': 'same-site' }, 'other'],
    [{ host, 'sec-fetch-site': 'cross-site' }, 'other'],
    [{ host, 'sec-fetch-site': '' }, 'other'],
    [{ host, 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, 'other'],
    [{ host, origin: `http://${host}` }, 'same'],
    [{ host, origin: 'http://127.0.0.1:7861' }, 'other'],
    [{ host, origin: 'http://evil.example' }, 'other'],
    [{ host, origin: `http://${host}.evil.example` }, 'other'],
    [{ host, origin: 'null' }, 'other'],
    [{ host, origin: '' }, 'other'],
    [{ origin: 'null' }, 'other'],
    [{ host: 'Mill.Example', origin: 'https://mill.example' }, 'same'],
    [
      { host: 'inside:7860', origin: 'http://mill.example', 'x-forwarded-host': 'mill.example, inside' },
      'same'
    ],
    [{ host: 'inside:7860', origin: 'http://evil.example', 'x-forwarded-host': 'mill.example' }, 'other'],
    [{ host }, 'unknown'],
    [{}, 'unknown']
  ]
  for (const [headers, origin] of rows) {
    it(`says ${origin} of ${JSON.stringify(headers)}`, () => assert.equal(originOf(headers), origin))
  }
})
