import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ReadTurns } from './read-turns.ts'

/** Longer than a slice. */
const LONG_MS = 5

describe('turns of long reads', () => {
  it('give each turn of the loop to one read, however many there are', async () => {
    let now = 0
    const turns = new ReadTurns(() => now)
    const order: string[] = []
    const read = async (name: string) => {
      const pause = turns.begin()
      for (let slice = 1; slice <= 3; slice++) {
        await pause()
        order.push(`${name}${slice}`)
        now += LONG_MS
      }
    }
    const all = Promise.all(['a', 'b', 'c'].map(read))
    const perTurn: number[] = []
    while (order.length < 9) {
      const before = order.length
      await new Promise((resolve) => setImmediate(resolve))
      perTurn.push(order.length - before)
    }
    await all
    assert.ok(
      perTurn.every((slices) => slices <= 1),
      perTurn.join(' ')
    )
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
  })

  it('do not part what is short', async () => {
    const pause = new ReadTurns(() => 0).begin()
    await pause()
    let hasTurned = false
    setImmediate(() => {
      hasTurned = true
    })
    await pause()
    assert.equal(hasTurned, false)
  })
})
