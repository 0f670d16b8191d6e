import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { rangeOf } from './byte-range.ts'

it('reads one range, and takes all where it cannot', () => {
  const rows: [header: string | undefined, found: unknown][] = [
    [undefined, 'whole'],
    ['bytes=0-4', { first: 0, last: 4 }],
    ['bytes=5-', { first: 5, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-30', { first: 0, last: 9 }],
    ['bytes=10-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=4-2', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=-', 'whole']
  ]
  for (const [header, found] of rows) assert.deepEqual(rangeOf(header, 10), found, header)
  assert.equal(rangeOf('bytes=0-', 0), 'none')
  assert.equal(rangeOf('bytes=-1', 0), 'none')
})

it('never leaves the file', () => {
  const header = fc.tuple(fc.nat(), fc.option(fc.nat())).map(([from, to]) => `bytes=${from}-${to ?? ''}`)
  fc.assert(
    fc.property(header, fc.nat(), (sent, size) => {
      const range = rangeOf(sent, size)
      if (typeof range === 'string') return
      assert.ok(range.first >= 0 && range.first <= range.last && range.last < size)
    })
  )
})
