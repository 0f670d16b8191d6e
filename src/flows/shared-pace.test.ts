import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Turns } from './in-turns.ts'
import { SharedPace } from './shared-pace.ts'

/** Time that passes only where work says so, and turns that are taken by hand. */
function handClock() {
  let now = 0
  const soon: (() => void)[] = []
  return {
    clock: { stopwatch: () => now, soon: (then: () => void) => void soon.push(then) },
    pass: (ms: number) => {
      now += ms
    },
    turn: async () => {
      soon.shift()?.()
      for (let at = 0; at < 5; at++) await undefined
    },
    left: () => soon.length
  }
}

describe('work that shares turns', () => {
  it('is done at once where it is short', () => {
    const { clock } = handClock()
    function* short(): Turns<number> {
      yield
      return 7
    }
    assert.equal(new SharedPace(clock).run(short()), 7)
  })

  it('holds the thread for one turn, however many there are', async () => {
    const { clock, pass, turn, left } = handClock()
    const pace = new SharedPace(clock)
    const done: string[] = []
    function* long(name: string): Turns<void> {
      for (let at = 0; at < 3; at++) {
        pass(8)
        done.push(`${name}${at}`)
        yield
      }
    }
    const all = ['a', 'b', 'c'].map((name) => pace.run(long(name)))
    assert.deepEqual(done, ['a0'])
    for (let turns = 1; left() > 0; turns++) {
      const before = done.length
      await turn()
      assert.ok(done.length - before <= 1, `turn ${turns}`)
    }
    await Promise.all(all)
    assert.deepEqual(done.toSorted(), ['a0', 'a1', 'a2', 'b0', 'b1', 'b2', 'c0', 'c1', 'c2'])
  })
})
