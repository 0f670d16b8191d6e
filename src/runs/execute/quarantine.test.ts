import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { Quarantine } from './quarantine.ts'

describe('quarantine', () => {
  it('lets one in at a time, in the order in which they came', () => {
    const { quarantine, inside, a, b, c } = threeGuests()
    assert.deepEqual(inside, [a])
    quarantine.leave(a)
    assert.deepEqual(inside, [a, b])
    quarantine.leave(b)
    quarantine.leave(c)
    assert.deepEqual(inside, [a, b, c])
  })

  it('is open again when the last one has left', () => {
    const { quarantine, clock, inside, a, b, c } = threeGuests()
    for (const guest of [a, b, c]) quarantine.leave(guest)
    assert.equal(clock.timers, 0)
    const d = {}
    quarantine.enter(d, () => inside.push(d))
    assert.deepEqual(inside, [a, b, c, d])
  })

  it('forgets who leaves before its turn', () => {
    const { quarantine, inside, a, b, c } = threeGuests()
    quarantine.leave(b)
    assert.deepEqual(inside, [a], 'nobody takes the place of one who was not in')
    quarantine.leave(a)
    assert.deepEqual(inside, [a, c])
  })

  it('lets nobody keep the others out for ever', () => {
    const { quarantine, clock, inside, a, b, c } = threeGuests()
    clock.advance(29_999)
    assert.deepEqual(inside, [a])
    clock.advance(1)
    assert.deepEqual(inside, [a, b])
    quarantine.leave(a)
    assert.deepEqual(inside, [a, b], 'who has left already makes no room a second time')
    clock.advance(30_000)
    assert.deepEqual(inside, [a, b, c])
  })

  it('lets those outside go on when nobody has come for a while', () => {
    const { quarantine, clock, inside, a, b, c } = threeGuests()
    const [near, gone] = [{ name: 'near' }, { name: 'gone' }]
    for (const guest of [near, gone]) quarantine.afterwards(guest, () => inside.push(guest))
    for (const guest of [a, b, c, gone]) quarantine.leave(guest)
    clock.advance(999)
    const late = { name: 'late' }
    quarantine.enter(late, () => inside.push(late))
    clock.advance(1_000)
    assert.deepEqual(inside, [a, b, c, late])
    quarantine.leave(late)
    clock.advance(1_000)
    assert.deepEqual(inside, [a, b, c, late, near])
    assert.equal(clock.timers, 0)
  })

  it('holds nobody up where nobody is tried', () => {
    const clock = manualClock()
    let continues = false
    new Quarantine(clock).afterwards({}, () => {
      continues = true
    })
    clock.advance(1_000)
    assert.ok(continues)
  })
})

function threeGuests() {
  const clock = manualClock()
  const quarantine = new Quarantine(clock)
  const inside: object[] = []
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  for (const guest of [a, b, c]) quarantine.enter(guest, () => inside.push(guest))
  return { quarantine, clock, inside, a, b, c }
}
