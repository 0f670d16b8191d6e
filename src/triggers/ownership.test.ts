import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type ManualClock, manualClock } from '../clock.test-kit.ts'
import { LEASE_MS, type TriggerOwners } from '../store/triggers.ts'
import { SharedOwnership } from './ownership.ts'

/** As the database does it, by its own clock. */
class Owners implements TriggerOwners {
  readonly #clock: ManualClock
  holder: string | undefined
  #until = 0
  isAway = false

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  async claim(processId: string): Promise<boolean> {
    if (this.isAway) throw new Error('away')
    if (this.holder !== undefined && this.holder !== processId && this.#until >= this.#clock.stopwatch())
      return false
    this.holder = processId
    this.#until = this.#clock.stopwatch() + LEASE_MS
    return true
  }

  async release(processId: string): Promise<void> {
    if (this.holder === processId) this.holder = undefined
  }
}

function cluster() {
  const clock = manualClock()
  const owners = new Owners(clock)
  const errors: string[] = []
  const join = (processId: string) => {
    const told: boolean[] = []
    const ownership = new SharedOwnership({
      owners,
      processId,
      clock,
      onError: (_error, doing) => errors.push(doing)
    })
    ownership.onChange(() => told.push(ownership.isMine))
    return { ownership, told }
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.advance(250)
      for (let i = 0; i < 4; i++) await turn()
    }
  }
  return { clock, owners, errors, join, pass }
}

test('one of two has the triggers, for as long as it says so', async () => {
  const { join, pass } = cluster()
  const [a, b] = [join('a'), join('b')]
  a.ownership.want(true)
  b.ownership.want(true)
  await pass(60_000)
  assert.deepEqual([a.told, b.told], [[true], []])
  assert.ok(a.ownership.isMine && !b.ownership.isMine)
})

test('who lets go of them hands them over at the next look', async () => {
  const { join, pass } = cluster()
  const [a, b] = [join('a'), join('b')]
  a.ownership.want(true)
  b.ownership.want(true)
  await pass(1_000)
  await a.ownership.release()
  await pass(1_000)
  assert.deepEqual([a.told, b.told], [[true, false], [true]])
})

test('who cannot reach the database lets go well before anybody else can have them', async () => {
  const { join, pass, owners, clock, errors } = cluster()
  const [a, b] = [join('a'), join('b')]
  a.ownership.want(true)
  await pass(1_000)
  owners.isAway = true
  b.ownership.want(true)
  const since = clock.stopwatch()
  while (a.ownership.isMine) await pass(250)
  assert.ok(clock.stopwatch() - since <= LEASE_MS / 2, 'it still stops what it has')
  owners.isAway = false
  owners.holder = 'a'
  while (!b.ownership.isMine) {
    await pass(250)
    assert.ok(!(a.ownership.isMine && b.ownership.isMine))
    if (a.ownership.isMine) break
  }
  assert.deepEqual(errors, ['asking who has the triggers', 'asking who has the triggers'])
})

test('a process that stood still does not believe that they are its own', async () => {
  const { join, pass, clock } = cluster()
  const { ownership } = join('a')
  ownership.want(true)
  await pass(1_000)
  assert.ok(ownership.isMine)
  // Nothing of it runs meanwhile: no timer, no answer.
  const { stopwatch } = clock
  clock.stopwatch = () => stopwatch() + LEASE_MS
  assert.ok(!ownership.isMine)
})

test('nobody asks the database where no trigger is wanted', async () => {
  const { join, pass, clock, owners } = cluster()
  const { ownership } = join('a')
  await pass(5_000)
  assert.deepEqual([clock.timers, owners.holder], [0, undefined])
  ownership.want(true)
  await pass(1_000)
  ownership.want(false)
  await pass(1_000)
  assert.deepEqual([clock.timers, owners.holder], [0, undefined])
  // Back at once: what it lets go of is not what it gets.
  ownership.want(true)
  ownership.want(false)
  ownership.want(true)
  await pass(1_000)
  assert.deepEqual([ownership.isMine, owners.holder], [true, 'a'])
})
