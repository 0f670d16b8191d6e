import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import type { ExecutedChild } from '../../store/children.ts'
import { HeldCalls } from './held-calls.ts'

const called = (name: string) => name as unknown as ExecutedChild

function holding(refused: readonly string[] = []) {
  const writes: string[] = []
  const clock = manualClock()
  const held = new HeldCalls({
    record: async (calls) => {
      const names = calls.map(String)
      if (names.some((name) => refused.includes(name))) return false
      writes.push(names.join(' '))
      return true
    },
    startTimer: clock.startTimer
  })
  return { held, writes, clock }
}

describe('what an agent has found out', () => {
  it('is written together when something follows from it', async () => {
    const { held, writes } = holding()
    held.hold(called('answer'))
    held.hold(called('result'))
    assert.deepEqual(writes, [])
    await held.write()
    await held.write()
    assert.deepEqual(writes, ['answer result'])
  })

  it('is not held for long while a tool computes', async () => {
    const { held, writes, clock } = holding()
    held.hold(called('answer'))
    clock.advance(20)
    held.hold(called('result'))
    await held.write()
    assert.deepEqual(writes, ['answer', 'result'])
  })

  it('is kept but for what the store refuses, and nothing follows from that', async () => {
    const { held, writes, clock } = holding(['bad'])
    for (const name of ['answer', 'bad', 'good']) held.hold(called(name))
    clock.advance(20)
    await assert.rejects(held.write(), { code: 'run_not_storable' })
    assert.deepEqual(writes, ['answer', 'good'])
    held.hold(called('next'))
    await assert.rejects(held.write(), { code: 'run_not_storable' })
  })
})
