import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NOON } from './clock.test-kit.ts'
import { systemClock, timeOrderedIds } from './clock.ts'

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

function assertAscending(ids: readonly string[]): void {
  for (let at = 1; at < ids.length; at++) assert.ok(ids[at - 1]! < ids[at]!, `${ids[at - 1]} then ${ids[at]}`)
}

describe('ids', () => {
  it('have the layout of a UUID of version 7, with the time in front', () => {
    const newId = timeOrderedIds(() => NOON)
    for (let made = 0; made < 2_000; made++) assert.match(newId(), UUID_7)
    assert.equal(timeOf(timeOrderedIds(() => NOON)()), NOON)
  })

  it('sort by when they were made and are unique, a hundred thousand in one millisecond', () => {
    const newId = timeOrderedIds(() => NOON)
    const ids = Array.from({ length: 100_000 }, newId)
    assertAscending(ids)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('borrow from the next milliseconds no faster than they must', () => {
    const newId = timeOrderedIds(() => NOON)
    const ids = Array.from({ length: 100_000 }, newId)
    assert.ok(timeOf(ids.at(-1)!) - NOON <= 100_000 / 4_096 + 1)
  })

  it('sort whatever the clock does, also when it goes backwards', () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 300 })
    fc.assert(
      fc.property(steps, (steps) => {
        let now = NOON
        const newId = timeOrderedIds(() => now)
        assertAscending(
          steps.map((step) => {
            now += step
            return newId()
          })
        )
      })
    )
  })

  it('differ between two processes at the same moment', () => {
    const [one, other] = [timeOrderedIds(() => NOON), timeOrderedIds(() => NOON)]
    const ids = Array.from({ length: 1_000 }, () => [one(), other()]).flat()
    assert.equal(new Set(ids.map((id) => id.slice(19))).size, ids.length)
  })
})

describe('the clock of the system', () => {
  it('knows the time and makes ids of it', () => {
    const clock = systemClock()
    const before = Date.now()
    assert.ok(clock.now() >= before)
    assert.ok(timeOf(clock.newId()) >= before)
    const since = clock.stopwatch()
    assert.ok(clock.stopwatch() >= since)
    assert.ok(clock.random() < 1)
  })

  it('runs soon what asks for it, after what has arrived', async () => {
    const clock = systemClock()
    const order: string[] = []
    await new Promise<void>((resolve) => {
      clock.soon(() => resolve(void order.push('soon')))
      queueMicrotask(() => order.push('at once'))
    })
    assert.deepEqual(order, ['at once', 'soon'])
  })

  it('fires a timer, and not one that was stopped or whose wait is longer than a timer can count', async () => {
    const clock = systemClock()
    const fired: string[] = []
    const stopped = clock.startTimer(0, () => fired.push('stopped'))
    const endless = clock.startTimer(2 ** 40, () => fired.push('endless'))
    stopped.stop()
    // Its timers do not keep the process alive, so something else has to.
    const alive = setInterval(() => {}, 1_000)
    await new Promise<void>((resolve) => clock.startTimer(5, resolve))
    clearInterval(alive)
    endless.stop()
    assert.deepEqual(fired, [])
  })
})
