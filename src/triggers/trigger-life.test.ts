import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { manualClock } from '../clock.test-kit.ts'
import type { StopTrigger } from '../flows/component/trigger.ts'
import { type Attempt, TriggerLife, waitAfter } from './trigger-life.ts'

function live(start: (attempt: Attempt) => StopTrigger | undefined | Promise<StopTrigger | undefined>) {
  const clock = manualClock()
  const faults: unknown[] = []
  const errors: string[] = []
  const life = new TriggerLife({
    clock,
    name: 'it',
    start: async (attempt) => start(attempt),
    onFault: (error) => faults.push(error === null ? null : (error as Error).message),
    onError: (error, doing) => errors.push(`${doing}: ${(error as Error).message}`)
  })
  return { clock, life, faults, errors }
}

test('a start that throws is tried again, later and later, and stops being a fault when it succeeds', async () => {
  let starts = 0
  const { clock, life, faults } = live(() => {
    starts += 1
    if (starts < 4) throw new Error(`no ${starts}`)
    return undefined
  })
  await turn()
  const waits: number[] = []
  while (starts < 4) {
    const before = starts
    let waited = 0
    for (; starts === before; waited += 250) {
      clock.advance(250)
      await turn()
    }
    waits.push(waited)
  }
  assert.deepEqual(faults, ['no 1', 'no 2', 'no 3', null])
  assert.deepEqual(waits, [750, 1500, 3000])
  await life.end()
})

test('the wait is five minutes at the most, give or take a quarter', () => {
  assert.equal(waitAfter(1, 0.5), 1000)
  assert.equal(waitAfter(40, 0), 225_000)
  assert.equal(waitAfter(40, 1), 375_000)
})

test('one that breaks is stopped before it is started again', async () => {
  const told: string[] = []
  const attempts: Attempt[] = []
  const { clock, life, faults } = live((attempt) => {
    attempts.push(attempt)
    told.push('start')
    return async () => {
      await turn()
      told.push(`stop ${attempt.signal.aborted}`)
    }
  })
  await turn()
  attempts[0]!.failed(new Error('cut off'))
  for (let i = 0; i < 5; i++) await turn()
  clock.advance(1000)
  await turn()
  assert.deepEqual(told, ['start', 'stop true', 'start'])
  assert.deepEqual(faults, [null, 'cut off', null])
  await life.end()
  assert.deepEqual(told.slice(3), ['stop true'])
})

test('an end while it is being started waits for the start, and stops it', async () => {
  const begun = Promise.withResolvers<StopTrigger>()
  const told: string[] = []
  const { life } = live(() => begun.promise)
  const ended = life.end().then(() => told.push('ended'))
  await turn()
  begun.resolve(() => told.push('stopped'))
  await ended
  assert.deepEqual(told, ['stopped', 'ended'])
})

test('one that does not stop is not waited for, and said', async () => {
  const { clock, life, errors } = live(() => () => new Promise(() => {}))
  await turn()
  const ended = life.end()
  await turn()
  clock.advance(5_000)
  await ended
  assert.deepEqual(errors, ['stopping it: it has not stopped within 5 s'])
})

test('an end during the wait for the next attempt leaves no timer', async () => {
  const { clock, life } = live(() => {
    throw new Error('no')
  })
  await turn()
  assert.equal(clock.timers, 1)
  await life.end()
  clock.advance(5_000)
  assert.equal(clock.timers, 0)
})
