import assert from 'node:assert/strict'
import { it } from 'node:test'
import { byteSize } from './byte-size.ts'

it('writes sizes as people say them', () => {
  const rows: [number, string][] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [4_213, '4.2 kB'],
    [48_213, '48 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [20_000_000, '20 MB'],
    [1_500_000_000, '1500 MB']
  ]
  for (const [bytes, words] of rows) assert.equal(byteSize(bytes), words)
})
