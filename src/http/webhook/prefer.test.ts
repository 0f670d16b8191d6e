import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LONGEST_WAIT_SECONDS, preferredWait } from './prefer.ts'

describe('Prefer', () => {
  const rows: [header: string | string[] | undefined, seconds: number | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['wait=10', 10],
    ['wait=0', 0],
    ['Wait = 10', 10],
    ['wait="10"', 10],
    ['respond-async, wait=10', 10],
    ['respond-async,wait=10', 10],
    ['respond-async; wait=10', 10],
    [['respond-async', 'wait=7'], 7],
    ['respond-async', undefined],
    ['wait', undefined],
    ['wait=', undefined],
    ['wait=soon', undefined],
    ['wait=-1', undefined],
    ['await=10', undefined],
    ['wait=100000', LONGEST_WAIT_SECONDS],
    ['wait=99999999999999999999', LONGEST_WAIT_SECONDS]
  ]
  for (const [header, seconds] of rows) {
    it(`reads ${JSON.stringify(header)} as ${seconds}`, () => assert.equal(preferredWait(header), seconds))
  }
})
