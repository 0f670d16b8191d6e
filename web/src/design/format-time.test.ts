import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { duration, relativeTime } from './format-time.ts'

describe('a duration', () => {
  const TOLD: [ms: number, text: string][] = [
    [0.4, '0.4 ms'],
    [12, '12 ms'],
    [3_200, '3.2 s'],
    [59_940, '59.9 s'],
    [59_970, '1 min 0 s'],
    [179_700, '3 min 0 s'],
    [245_000, '4 min 5 s'],
    [3_599_800, '1 h 0 min'],
    [7_190_000, '2 h 0 min']
  ]
  for (const [ms, text] of TOLD) it(`of ${ms} ms is "${text}"`, () => assert.equal(duration(ms), text))
})

describe('a time', () => {
  const AGO: [seconds: number, text: string][] = [
    [5, 'just now'],
    [40, '40 s ago'],
    [59.7, '1 min ago'],
    [3_590, '1 h ago'],
    [86_000, '1 d ago'],
    [-3 * 86_400, 'in 3 d']
  ]
  for (const [seconds, text] of AGO)
    it(`of ${seconds} s before now is "${text}"`, () => assert.equal(relativeTime(0, seconds * 1_000), text))
})
