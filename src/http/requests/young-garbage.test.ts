import assert from 'node:assert/strict'
import { it } from 'node:test'
import { YoungGarbage } from './young-garbage.ts'

it('collects the young after every 16 MB that bodies left', () => {
  let collected = 0
  const garbage = new YoungGarbage(() => {
    collected += 1
  })
  for (let part = 0; part < 4 * 256; part++) garbage.left(65_536)
  assert.equal(collected, 4)
})

it('is done by V8 itself, and gives nobody else the means', () => {
  new YoungGarbage().left(16 * 1024 * 1024)
  assert.equal('gc' in globalThis, false)
})
