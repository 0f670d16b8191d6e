import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { MillraceError } from '../../errors.ts'
import { Persistence } from './persistence.ts'

/** A write that the store refuses so many times before it takes it. */
function refusedWrite(times: number): { write: () => Promise<string>; tries: () => number } {
  let tries = 0
  const write = async () => {
    if (tries++ < times) throw new MillraceError('store_unwritable', 'disk full')
    return 'durable'
  }
  return { write, tries: () => tries }
}

describe('persist', () => {
  it('costs nothing where the store takes the write', async () => {
    const clock = manualClock()
    assert.equal(await new Persistence(clock).persist(refusedWrite(0).write), 'durable')
    assert.equal(clock.timers, 0)
  })

  it('tries again, each time a little later, until the write is durable', async () => {
    const clock = manualClock()
    const { write, tries } = refusedWrite(8)
    const result = new Persistence(clock).persist(write)
    const waits: number[] = []
    for (let made = 1; made <= 8; made++) {
      await turnOfTheLoop()
      assert.equal(tries(), made)
      const since = clock.now()
      while (clock.timers > 0) clock.advance(50)
      waits.push(clock.now() - since)
    }
    assert.equal(await result, 'durable')
    assert.deepEqual(waits, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  })

  it('does not hide any other error', async () => {
    const broken = () => Promise.reject(new TypeError('a bug'))
    await assert.rejects(new Persistence(manualClock()).persist(broken), /a bug/)
    const clock = manualClock()
    let tries = 0
    const later = () =>
      Promise.reject(tries++ === 0 ? new MillraceError('store_unwritable', 'full') : new TypeError('a bug'))
    const result = assert.rejects(new Persistence(clock).persist(later), /a bug/)
    await turnOfTheLoop()
    clock.advance(100)
    await result
  })

  it('tries at once what was refused before the service stops, whenever its turn would have been', async () => {
    const clock = manualClock()
    const persistence = new Persistence(clock)
    const { write, tries } = refusedWrite(6)
    const result = persistence.persist(write)
    for (let made = 1; made < 6; made++) {
      await turnOfTheLoop()
      while (clock.timers > 0) clock.advance(50)
    }
    await turnOfTheLoop()
    assert.equal(tries(), 6)
    persistence.stop()
    assert.equal(await result, 'durable')
    assert.equal(clock.timers, 0)
  })

  it('tries again for a moment what is refused while the service stops', async () => {
    const clock = manualClock()
    const persistence = new Persistence(clock)
    persistence.stop()
    const result = persistence.persist(refusedWrite(1).write)
    await turnOfTheLoop()
    clock.advance(100)
    assert.equal(await result, 'durable')
  })

  it('gives up where the store stays broken while the service stops: the run is taken up by the next start', async () => {
    const clock = manualClock()
    const persistence = new Persistence(clock)
    const { write } = refusedWrite(Number.POSITIVE_INFINITY)
    let isGivenUp = false
    const result = assert.rejects(persistence.persist(write), /disk full/).then(() => {
      isGivenUp = true
    })
    await turnOfTheLoop()
    const stoppedAt = clock.now()
    for (persistence.stop(); !isGivenUp; await turnOfTheLoop()) clock.advance(50)
    await result
    assert.ok(clock.now() - stoppedAt <= 4_000, `${clock.now() - stoppedAt} ms`)
    assert.equal(clock.timers, 0)
  })
})
