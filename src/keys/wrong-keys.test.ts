import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MOST_WRONG_KEYS, WrongKeys } from './wrong-keys.ts'

function counted() {
  let now = 1_000_000
  const wrongKeys = new WrongKeys(() => now)
  return {
    wrongKeys,
    pass: (ms: number) => {
      now += ms
    },
    addMany: (address: string, many: number) => {
      for (let n = 0; n < many; n++) wrongKeys.add(address)
    }
  }
}

describe('wrong keys', () => {
  it('keep an address out for the rest of the minute when there were too many, and no other address', () => {
    const { wrongKeys, pass, addMany } = counted()
    addMany('10.0.0.1', MOST_WRONG_KEYS - 1)
    assert.equal(wrongKeys.secondsToWait('10.0.0.1'), 0)
    pass(20_500)
    wrongKeys.add('10.0.0.1')
    assert.equal(wrongKeys.secondsToWait('10.0.0.1'), 40)
    assert.equal(wrongKeys.secondsToWait('10.0.0.2'), 0)
    pass(39_500)
    assert.equal(wrongKeys.secondsToWait('10.0.0.1'), 0)
    wrongKeys.add('10.0.0.1')
    assert.equal(wrongKeys.secondsToWait('10.0.0.1'), 0, 'it begins to count anew')
  })

  it('keep nobody out for longer because the clock was set back', () => {
    const { wrongKeys, pass, addMany } = counted()
    addMany('10.0.0.1', MOST_WRONG_KEYS)
    pass(-3_600_000)
    assert.equal(wrongKeys.secondsToWait('10.0.0.1'), 60)
  })

  it('of many addresses do not fill the memory', () => {
    const { wrongKeys, addMany } = counted()
    addMany('10.0.0.1', MOST_WRONG_KEYS)
    for (let n = 0; n < 10_000; n++) wrongKeys.add(`2001:db8:0:${n}::1`)
    assert.equal(wrongKeys.secondsToWait('10.0.0.1'), 0)
  })
})
