import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deferred, Stage, turnOfTheLoop } from './execution.test-kit.ts'

describe('a run that waits for others', () => {
  const away = [true]
  const awayAndBack = [true, false]

  it('says so once for all its steps, and when the last has come back', async () => {
    const [one, two] = [deferred(), deferred()]
    const steps = { A: () => one.promise, B: () => two.promise }
    const stage = await new Stage('A! -> C; B! -> C', { steps }).play()
    assert.deepEqual(stage.awaits, away)
    one.resolve({})
    await turnOfTheLoop()
    assert.deepEqual(stage.awaits, away)
    two.resolve({})
    await turnOfTheLoop()
    assert.deepEqual(stage.awaits, awayAndBack)
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('has come back when a step fails, or is cancelled', async () => {
    const failed = await new Stage('A!', { steps: { A: () => Promise.reject(new Error('no')) } }).play()
    assert.deepEqual(failed.awaits, awayAndBack)
    const cancelled = await new Stage('A!', { steps: { A: () => new Promise(() => {}) } }).play()
    cancelled.execution.cancel()
    assert.deepEqual(cancelled.awaits, awayAndBack)
  })

  it('does not say so of pure steps, nor of a step that answers at once', async () => {
    const stage = await new Stage('A! -> B', { steps: { A: () => ({}), B: async () => ({}) } }).play()
    assert.deepEqual(stage.awaits, [])
  })
})
