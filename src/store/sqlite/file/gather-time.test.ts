import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatherTime } from './gather-time.ts'

/** Commits of one millisecond, as soon as they may; returns for how long each was put off. */
function commits(
  count: number,
  { restMs = 0, joined = 0, isBusy = false }: { restMs?: number; joined?: number; isBusy?: boolean }
): number[] {
  const time = new GatherTime(0)
  const waits: number[] = []
  for (let now = 0; waits.length < count; ) {
    const wait = time.waitMs(now)
    waits.push(wait)
    now += wait + 1
    time.committed(now, { ms: 1, wasPutOff: wait > 0, idleMs: isBusy ? 0 : wait, joined })
    now += restMs
  }
  return waits
}

describe('the time for which writes that can wait do so', () => {
  it('is none while commits take little of the time', () => {
    assert.ok(commits(1000, { restMs: 10 }).every((wait) => wait === 0))
  })

  it('leaves most of the time to others where many join, or there is other work', () => {
    for (const waits of [commits(1000, { joined: 10 }), commits(1000, { joined: 1, isBusy: true })]) {
      assert.deepEqual(waits.slice(0, 10), Array(10).fill(0), 'what comes after a rest is not put off')
      const waited = waits.reduce((sum, wait) => sum + wait, 0)
      assert.ok(waited > 8_500 && waited < 9_000, `${waited} ms besides 1,000 of commits`)
    }
  })

  it('is hardly ever tried where too few join to make up for it', () => {
    for (const waits of [commits(1000, { joined: 2 }), commits(1000, { joined: 0, isBusy: true })])
      assert.ok(waits.filter((wait) => wait > 0).length < 25)
  })

  it('is bounded, whatever a commit took', () => {
    const time = new GatherTime(0)
    time.committed(5_000, { ms: 5_000, wasPutOff: false, idleMs: 0, joined: 0 })
    assert.equal(time.waitMs(5_000), 10)
    assert.equal(time.waitMs(5_010), 0)
  })
})
