import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { EndedWatch } from './ended-watch.ts'

describe('waiting for the end of a run', () => {
  it('resolves to how it ended, for everybody who waits', async () => {
    const clock = manualClock()
    const watch = new EndedWatch(clock)
    const waits = [watch.wait('a', 1_000), watch.wait('a', 2_000)]
    watch.ended('a', 'failed')
    assert.deepEqual(await Promise.all(waits), ['failed', 'failed'])
    assert.equal(clock.timers, 0)
  })

  it('resolves to nothing when the time is over', async () => {
    const clock = manualClock()
    const watch = new EndedWatch(clock)
    const wait = watch.wait('a', 1_000)
    clock.advance(1_000)
    assert.equal(await wait, undefined)
    watch.ended('a', 'succeeded')
  })

  it('is not ended by another run', async () => {
    const clock = manualClock()
    const watch = new EndedWatch(clock)
    const wait = watch.wait('a', 1_000)
    watch.ended('b', 'succeeded')
    clock.advance(1_000)
    assert.equal(await wait, undefined)
  })

  it('lets a short wait end and a long one go on', async () => {
    const clock = manualClock()
    const watch = new EndedWatch(clock)
    const [short, long] = [watch.wait('a', 10), watch.wait('a', 1_000)]
    clock.advance(10)
    watch.ended('a', 'succeeded')
    assert.deepEqual(await Promise.all([short, long]), [undefined, 'succeeded'])
  })

  it('resolves to nothing when it is given up, and leaves no timer and nobody else without an answer', async () => {
    const clock = manualClock()
    const watch = new EndedWatch(clock)
    const given = new AbortController()
    const wait = watch.wait('a', 1_000, given.signal)
    given.abort()
    assert.equal(await wait, undefined)
    assert.equal(clock.timers, 0)
    const ended = new AbortController()
    const first = watch.wait('a', 1_000, ended.signal)
    watch.ended('a', 'succeeded')
    const second = watch.wait('a', 1_000)
    ended.abort()
    watch.ended('a', 'failed')
    assert.deepEqual(await Promise.all([first, second]), ['succeeded', 'failed'])
  })

  it('resolves to nothing when the service stops, and leaves no timer', async () => {
    const clock = manualClock()
    const watch = new EndedWatch(clock)
    const waits = [watch.wait('a', 1_000), watch.wait('a', 1_000), watch.wait('b', 1_000)]
    watch.stop()
    assert.deepEqual(await Promise.all(waits), [undefined, undefined, undefined])
    assert.equal(clock.timers, 0)
  })
})
