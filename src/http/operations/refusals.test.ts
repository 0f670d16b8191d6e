import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ProblemCode } from '../../errors.ts'
import { Refusals } from './refusals.ts'

it('a flood over many flows is counted whole, and told for the first thousand', () => {
  let now = 0
  let counted = 0
  const told: string[] = []
  const refusals = new Refusals({
    log: { info: (facts: object) => void told.push((facts as { flow: string }).flow) },
    now: () => now,
    count: () => {
      counted += 1
    },
    findFlow: () => undefined
  })
  const flood = (reason: ProblemCode) => {
    for (let n = 0; n < 5_000; n++) {
      refusals.add(reason, 401, { address: '127.0.0.1', flow: { id: `id-${n}`, slug: `flow-${n}` } })
    }
    return told.splice(0).length
  }
  assert.equal(flood('unauthorized'), 1_001, 'all others are told by one line')
  assert.equal(flood('unauthorized'), 0)
  assert.equal(flood('body_too_large'), 1, 'another reason is told all the same')
  assert.equal(counted, 15_000)
  now = 60_000
  assert.equal(flood('unauthorized'), 1_001)
})
