import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCookie } from './session-cookie.ts'

describe('readCookie', () => {
  const rows: [header: string | undefined, value: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['mill=a.b-c_d', 'a.b-c_d'],
    ['other=1; mill=2', '2'],
    ['mill=1; other=2', '1'],
    [' mill=1 ;other=2', '1'],
    ['xmill=1', undefined],
    ['millx=1', undefined],
    ['other=mill=1', undefined],
    ['mill=', ''],
    ['mill', undefined],
    ['mill=a=b', 'a=b']
  ]
  for (const [header, value] of rows) {
    it(`reads ${JSON.stringify(header)}`, () => assert.equal(readCookie(header, 'mill'), value))
  }
})
