import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type ManualClock, manualClock } from '../../clock.test-kit.ts'
import type { RetentionRule } from '../../store/store.ts'
import { Retention, type RetentionSettings } from './retention.ts'

/** A store of so many runs that are due to go; it tells every slice that it is asked for. */
class Pruned {
  readonly rules: RetentionRule[] = []
  /** Moments before which deliveries were to be forgotten. */
  readonly forgotten: number[] = []
  deliveries = 0
  left: number

  constructor(left: number) {
    this.left = left
  }

  async prune(rule: RetentionRule): Promise<number> {
    this.rules.push(rule)
    const gone = Math.min(this.left, rule.slice)
    this.left -= gone
    return gone
  }

  async forgetDeliveries(acceptedBefore: number, slice: number): Promise<number> {
    this.forgotten.push(acceptedBefore)
    const gone = Math.min(this.deliveries, slice)
    this.deliveries -= gone
    return gone
  }
}

function make(
  store: Pick<Pruned, 'prune' | 'forgetDeliveries'>,
  settings: RetentionSettings,
  clock = manualClock()
) {
  const errors: string[] = []
  const purged: number[] = []
  const expired: number[] = []
  const purgeFlows = async (deletedBefore: number) => {
    purged.push(deletedBefore)
    return 0
  }
  const removeExpired = async (slice: number) => {
    expired.push(slice)
    return 0
  }
  const looks: string[] = []
  const look = (what: string) => async () => {
    looks.push(what)
    return 0
  }
  const files = { unnamed: look('unnamed'), strays: look('strays') }
  const onError = (_error: unknown, doing: string): void => void errors.push(doing)
  const retention = new Retention({
    store,
    clock,
    settings,
    onError,
    purgeFlows,
    removeExpired,
    sweepKnowledge: async () => 0,
    sweepSummaries: async () => 0,
    reembed: async () => {},
    files
  })
  return { retention, clock, errors, purged, expired, looks }
}

const both = { maxAgeMs: 86_400_000, maxRuns: 1_000 }

/** Lets slices follow one another until nothing asks to go on. */
async function settle(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await turnOfTheLoop()
    clock.turn()
  }
}

describe('sweeping', () => {
  it('deletes in slices, with a turn for requests between them, until nothing is left', async () => {
    const store = new Pruned(450)
    const { retention, clock } = make(store, both)
    const swept = retention.sweep()
    await turnOfTheLoop()
    assert.equal(store.rules.length, 1)
    await settle(clock)
    assert.equal(await swept, 450)
    assert.equal(store.rules.length, 3)
  })

  it('asks by age and by number, as the settings say', async () => {
    const cases: [RetentionSettings, Partial<RetentionRule>][] = [
      [both, { endedBefore: manualClock().now() - 86_400_000, keep: 1_000 }],
      [{ maxAgeMs: null, maxRuns: 5 }, { keep: 5 }],
      [{ maxAgeMs: 1, maxRuns: null }, { endedBefore: manualClock().now() - 1 }]
    ]
    for (const [settings, rule] of cases) {
      const store = new Pruned(0)
      await make(store, settings).retention.sweep()
      assert.deepEqual(store.rules, [{ slice: 200, ...rule }])
    }
  })

  it('ends after the slice under way when the service stops', async () => {
    const store = new Pruned(1_000)
    const { retention } = make(store, both)
    const swept = retention.sweep()
    retention.stop()
    assert.equal(await swept, 200)
  })
})

describe('retention', () => {
  it('sweeps every minute', async () => {
    const store = new Pruned(0)
    const { retention, clock } = make(store, both)
    retention.start()
    assert.equal(store.rules.length, 0)
    for (const sweeps of [1, 2, 3]) {
      clock.advance(60_000)
      await settle(clock)
      assert.equal(store.rules.length, sweeps)
    }
    retention.stop()
    assert.equal(clock.timers, 0)
  })

  it('deletes no run where all are kept', async () => {
    const store = new Pruned(5)
    const { retention, clock } = make(store, { maxAgeMs: null, maxRuns: null })
    retention.start()
    clock.advance(3_600_000)
    await settle(clock)
    assert.equal(store.left, 5)
    retention.stop()
    assert.equal(clock.timers, 0)
  })

  it('forgets deliveries after a day, in slices, also where all runs are kept', async () => {
    const store = new Pruned(5)
    store.deliveries = 1_200
    const { retention, clock } = make(store, { maxAgeMs: null, maxRuns: null })
    retention.start()
    clock.advance(600_000)
    await settle(clock)
    assert.deepEqual(store.forgotten, Array(3).fill(clock.now() - 86_400_000))
    assert.equal(store.deliveries, 0)
    clock.advance(600_000)
    await settle(clock)
    assert.equal(store.forgotten.length, 4)
    retention.stop()
  })

  it('deletes flows for good that were deleted a month ago, once an hour', async () => {
    const { retention, clock, purged } = make(new Pruned(0), { maxAgeMs: null, maxRuns: null })
    retention.start()
    clock.advance(3_600_000)
    await settle(clock)
    assert.deepEqual(purged, [clock.now() - 30 * 86_400_000])
    clock.advance(3_600_000)
    await settle(clock)
    assert.equal(purged.length, 2)
    retention.stop()
  })

  it('deletes kept values whose time is over', async () => {
    const { retention, clock, expired } = make(new Pruned(0), { maxAgeMs: null, maxRuns: null })
    retention.start()
    clock.advance(600_000)
    await settle(clock)
    assert.deepEqual(expired, [500])
    retention.stop()
  })

  it('deletes files that no run names, and now and then lists all bytes', async () => {
    const { retention, clock, looks } = make(new Pruned(0), { maxAgeMs: null, maxRuns: null })
    retention.start()
    for (let n = 0; n < 36; n++) {
      clock.advance(600_000)
      await settle(clock)
    }
    assert.equal(looks.filter((what) => what === 'unnamed').length, 36)
    assert.equal(looks.filter((what) => what === 'strays').length, 1)
    await retention.stop()
  })

  it('goes on after a slice that failed, and tells of it', async () => {
    const failing = Object.assign(new Pruned(0), { prune: () => Promise.reject(new Error('full')) })
    const { retention, clock, errors } = make(failing, both)
    retention.start()
    clock.advance(60_000)
    await settle(clock)
    assert.deepEqual(errors, ['deleting old runs'])
    assert.equal(clock.timers, 9)
    retention.stop()
  })

  it('is stopped when the slice under way is over, and deletes nothing after that', async () => {
    const store = new Pruned(1_000)
    const { retention, clock } = make(store, both)
    retention.start()
    clock.advance(60_000)
    // The first slice is over, and requests are looked at.
    await turnOfTheLoop()
    let isStopped = false
    const stopped = retention.stop().then(() => {
      isStopped = true
    })
    await turnOfTheLoop()
    assert.equal(isStopped, false)
    await settle(clock)
    await stopped
    assert.deepEqual([store.rules.length, clock.timers], [1, 0])
  })

  it('starts no sweep after it was stopped', async () => {
    const store = new Pruned(0)
    const { retention, clock } = make(store, both)
    retention.start()
    clock.advance(60_000)
    retention.stop()
    await settle(clock)
    assert.equal(clock.timers, 0)
  })
})
