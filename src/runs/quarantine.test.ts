import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Quarantine } from './quarantine.ts'

describe('quarantine', () => {
  it('lets one in at a time, in the order in which they came', () => {
    const quarantine = new Quarantine()
    const inside: string[] = []
    for (const name of ['a', 'b', 'c']) quarantine.enter(() => inside.push(name))
    assert.deepEqual(inside, ['a'])
    quarantine.leave()
    assert.deepEqual(inside, ['a', 'b'])
    quarantine.leave()
    quarantine.leave()
    assert.deepEqual(inside, ['a', 'b', 'c'])
  })

  it('is open again when the last one has left', () => {
    const quarantine = new Quarantine()
    let entered = 0
    quarantine.enter(() => entered++)
    quarantine.leave()
    quarantine.enter(() => entered++)
    assert.equal(entered, 2)
  })

  it('goes past who has no need of it any more', () => {
    const quarantine = new Quarantine()
    const inside: string[] = []
    quarantine.enter(() => inside.push('a'))
    quarantine.enter(() => quarantine.leave())
    quarantine.enter(() => inside.push('c'))
    quarantine.leave()
    assert.deepEqual(inside, ['a', 'c'])
  })
})
